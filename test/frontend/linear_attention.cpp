//===- linear_attention.cpp - Steps, slices and feature maps against attention -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each entry returns the largest difference between two forms of the same attention, in f64.
//
//===----------------------------------------------------------------------===//
// RUN: frontend-linear-attention > %t.mlir
// RUN: frontend-linear-attention delta > %t.delta.mlir
// RUN: xf-run %t.mlir --target=reference --entry=steps --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=w=random(4) | FileCheck %s
// RUN: xf-run %t.mlir --target=reference --entry=slices --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=w=random(4) --input=d=random(5) | FileCheck %s
// RUN: xf-run %t.mlir --target=reference --entry=features --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=w=random(4) | FileCheck %s
// RUN: xf-run %t.mlir --target=cpu --entry=steps --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=w=random(4) | FileCheck %s
// RUN: xf-run %t.mlir --target=cpu --entry=slices --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=w=random(4) --input=d=random(5) | FileCheck %s
// RUN: xf-run %t.mlir --target=cpu --entry=features --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=w=random(4) | FileCheck %s
// RUN: xf-run %t.delta.mlir --target=reference --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=a=random(4) --input=b=random(5) | FileCheck %s
// RUN: frontend-linear-attention layers > %t.layers.mlir
// RUN: xf-run %t.layers.mlir --target=reference --entry=layers --input=x=random(1) --input=in=random(2) --input=out=random(3) --input=up=random(4) --input=down=random(5) --input=d=random(6) | FileCheck %s
// RUN: xf-run %t.layers.mlir --target=cpu --entry=layers --input=x=random(1) --input=in=random(2) --input=out=random(3) --input=up=random(4) --input=down=random(5) --input=d=random(6) | FileCheck %s
// The arena of slices is less than a third of that of whole layers.
// RUN: frontend-linear-attention memory > %t.memory.mlir
// RUN: xfc explain %t.memory.mlir | sed -n "s/.*entry '\(.*\)': .* arena of \([0-9]*\) bytes.*/\2 \1/p" > %t.arenas
// RUN: awk '{print ($2 == "sliced" ? 3 : 1) * $1, $2}' %t.arenas | sort -n | FileCheck %s --check-prefix=ARENA
// ARENA: sliced
// ARENA-NEXT: whole
// RUN: frontend-linear-attention state > %t.state.mlir
// RUN: xf-run %t.state.mlir --target=reference --entry=sum --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=s=random(4) --input=z=random(5) --input=d=random(6) | FileCheck %s
// RUN: xf-run %t.state.mlir --target=cpu --entry=sum --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=s=random(4) --input=z=random(5) --input=d=random(6) | FileCheck %s
// RUN: xf-run %t.state.mlir --target=cpu --entry=none --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=s=random(4) --input=a=random(5) --input=b=random(6) --input=d=random(7) | FileCheck %s
// CHECK-COUNT-1: difference : scalar f64 = {{0|.*e-1[1-9]}}{{$}}
// CHECK-NOT: difference

#include "frontend/Show.h"

using namespace xf;

static const Kernelized favor{.epsilon = 0, .stabilizer = Stabilizer::none, .guard = 0, .of = causal()};

static Tensor largest(const Tensor &a, const Tensor &b) { return max(abs(a - b)); }

static Tensor token(const Tensor &x, int64_t t) { return slice(x, 2, t, t + 1); }

/// Every token after the other, from no state at all.
static Tensor decode(const Tensor &phiQ, const Tensor &phiK, const Tensor &v, double guard, const Tensor &decay = {},
                     const Tensor &beta = {}) {
  int64_t features = phiQ.size(-1).value(), columns = v.size(-1).value();
  Tensor s = zeros({2, 2, features, columns}, f64), z = zeros({2, 2, features}, f64);
  std::vector<Tensor> outputs;
  for (int64_t t = 0; t < v.size(2).value(); ++t) {
    LinearAttentionOptions options{.guard = guard};
    if (decay.defined()) {
      options.decay = reshape(token(decay, t), {2, 2});
      options.beta = reshape(token(beta, t), {2, 2});
    }
    auto step = linear_attention_step(token(phiQ, t), token(phiK, t), token(v, t), s, z, options);
    outputs.push_back(step.o);
    s = step.s;
    z = step.z;
  }
  return concat(outputs, 2);
}

static Tensor differenceOfSlices(const std::vector<Tensor> &inputs, const Tensor &cotangent) {
  auto whole = [&](const std::vector<Tensor> &at) {
    return scaled_dot_product_attention(at[0], at[1], at[2], {.pattern = kernelized(favor), .parameters = {at[3]}});
  };
  auto sliced = [&](const std::vector<Tensor> &at) {
    auto feature = [&](const Tensor &x) { return feature_map(x, at[3], favor); };
    return sliced_linear_attention(at[0], at[1], at[2], feature, {.slice = 4, .guard = 0});
  };
  ValueAndVjp a = vjp(whole, inputs, cotangent), b = vjp(sliced, inputs, cotangent);
  Tensor difference = largest(a.value, b.value);
  for (size_t n = 0; n < inputs.size(); ++n)
    difference = maximum(difference, largest(a.gradients[n], b.gradients[n]));
  return difference;
}

/// Of every feature, from outside and by the attention itself.
static Tensor differenceOfFeatures(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &w) {
  Tensor difference = full({}, 0, f64);
  for (Feature feature :
       {Feature::favor, Feature::hyperbolic, Feature::trigonometric, Feature::relu, Feature::elu, Feature::exp,
        Feature::square, Feature::abs, Feature::sigmoid, Feature::identity, Feature::softmax}) {
    Kernelized inside{.feature = feature, .stabilizer = Stabilizer::none, .normalizer = Normalizer::none};
    inside.epsilon = 0.25;
    Kernelized outside = inside;
    outside.feature = Feature::identity;
    outside.epsilon = 0;
    if (feature == Feature::hyperbolic || feature == Feature::trigonometric)
      inside.epsilon = {};
    Tensor own = scaled_dot_product_attention(q, k, v, {.pattern = kernelized(inside), .parameters = {w}});
    Tensor other = scaled_dot_product_attention(feature_map(q, w, inside), feature_map(k, w, inside), v,
                                                {.pattern = kernelized(outside)});
    difference = maximum(difference, largest(own, other));
  }
  return difference;
}

static const TensorSpec q{"q", f64, {2, 2, 10, 4}}, k{"k", f64, {2, 2, 10, 4}}, v{"v", f64, {2, 2, 10, 3}};

static void print(const Program &program) { std::fputs(program.str().c_str(), stdout); }

static void printForms() {
  Program program("forms");
  TensorSpec w{"w", f64, {6, 4}};
  program.entry("steps", {q, k, v, w}, [](Tensor q, Tensor k, Tensor v, Tensor w) {
    Tensor whole = scaled_dot_product_attention(q, k, v, {.pattern = kernelized(favor), .parameters = {w}});
    return Results{{"difference", largest(whole, decode(feature_map(q, w, favor), feature_map(k, w, favor), v, 0))}};
  });
  program.entry("slices", {q, k, v, w, {"d", f64, {2, 2, 10, 3}}}, [](const std::vector<Tensor> &inputs) {
    return Results{{"difference", differenceOfSlices({inputs.begin(), inputs.begin() + 4}, inputs[4])}};
  });
  program.entry("features", {q, k, v, w}, [](Tensor q, Tensor k, Tensor v, Tensor w) {
    return Results{{"difference", differenceOfFeatures(q, k, v, w)}};
  });
  print(program);
}

static void printDelta() {
  Program program("delta");
  TensorSpec a{"a", f64, {2, 2, 10}}, b{"b", f64, {2, 2, 10}};
  program.entry("steps", {q, k, v, a, b}, [](Tensor q, Tensor k, Tensor v, Tensor a, Tensor b) {
    Kernelized parameters{.feature = Feature::softmax, .guard = 1, .of = causal()};
    Tensor decay = sigmoid(a), beta = sigmoid(b);
    Tensor whole =
        scaled_dot_product_attention(q, k, v, {.pattern = kernelized(parameters), .decay = decay, .beta = beta});
    return Results{{"difference", largest(whole, decode(softmax(q), softmax(k), v, 1, decay, beta))}};
  });
  print(program);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

/// Outputs and states behind the tokens, side by side, by one call or by a step for each token. `at` holds q, k, v, s
/// and, for Normalizer::sum, z; else decay and beta.
static Tensor fromState(const std::vector<Tensor> &at, bool divides, bool together) {
  LinearAttentionOptions options{.guard = 0.5, .normalizer = divides ? Normalizer::sum : Normalizer::none};
  auto rows = [&](const Tensor &x) { return divides ? softmax(x) : x; };
  Tensor phiQ = rows(at[0]), phiK = rows(at[1]), decay, beta;
  LinearAttentionStep step{{}, at[3], divides ? softmax(at[4]) : Tensor()};
  if (!divides) {
    decay = sigmoid(at[4]);
    beta = sigmoid(at[5]);
  }
  std::vector<Tensor> outputs;
  for (int64_t t = 0; t < 10 && !together; ++t) {
    if (!divides) {
      options.decay = reshape(token(decay, t), {2, 2});
      options.beta = reshape(token(beta, t), {2, 2});
    }
    step = linear_attention_step(token(phiQ, t), token(phiK, t), token(at[2], t), step.s, step.z, options);
    outputs.push_back(step.o);
  }
  if (together) {
    options.decay = decay;
    options.beta = beta;
    step = linear_attention_steps(phiQ, phiK, at[2], step.s, step.z, options);
    outputs = {step.o};
  }
  outputs.push_back(step.s);
  if (divides)
    outputs.push_back(transpose(broadcast_to(reshape(step.z, {2, 2, 1, 4}), {2, 2, 3, 4}), 2, 3));
  return concat(outputs, 2);
}

static void printStates() {
  Program program("states");
  TensorSpec s{"s", f64, {2, 2, 4, 3}}, z{"z", f64, {2, 2, 4}}, a{"a", f64, {2, 2, 10}}, b{"b", f64, {2, 2, 10}};
  auto entry = [&](const char *name, std::vector<TensorSpec> specs, bool divides) {
    specs.push_back({"d", f64, {2, 2, divides ? 18 : 14, 3}});
    program.entry(name, specs, [=](const std::vector<Tensor> &inputs) {
      std::vector<Tensor> at(inputs.begin(), inputs.end() - 1);
      auto value = [=](bool together) {
        return [=](const std::vector<Tensor> &x) { return fromState(x, divides, together); };
      };
      ValueAndVjp x = vjp(value(true), at, inputs.back()), y = vjp(value(false), at, inputs.back());
      Tensor difference = largest(x.value, y.value);
      for (size_t n = 0; n < at.size(); ++n)
        difference = maximum(difference, largest(x.gradients[n], y.gradients[n]) / max(abs(y.gradients[n])));
      return Results{{"difference", difference}};
    });
  };
  entry("sum", {q, k, v, s, z}, true);
  entry("none", {q, k, v, s, a, b}, false);
  print(program);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

// Pre-norm layers, whose weights are inputs that hold those of one layer after the other.

static constexpr int64_t layerCount = 2;

static Tensor weightOf(const Tensor &all, int64_t layer) {
  int64_t rows = all.size(0).value() / layerCount;
  return slice(all, 0, layer * rows, (layer + 1) * rows);
}

/// Queries, keys and values of two heads, as features where the attention has none of its own.
static LinearAttentionRows rowsOf(const Tensor &x, const Tensor &in, bool withFeatures) {
  Tensor all = linear(layer_norm(x), in);
  int64_t width = x.size(-1).value();
  auto part = [&](int64_t n) { return split_heads(slice(all, -1, n * width, (n + 1) * width), 2); };
  auto feature = [&](const Tensor &rows) { return withFeatures ? sigmoid(rows) : rows; };
  return {feature(part(0)), feature(part(1)), part(2)};
}

static Tensor finish(const Tensor &x, const Tensor &attended, const std::vector<Tensor> &at, int64_t layer) {
  Tensor sum = x + linear(merge_heads(attended), weightOf(at[2], layer));
  return sum + linear(gelu(linear(layer_norm(sum), weightOf(at[3], layer))), weightOf(at[4], layer));
}

static Tensor wholeLayers(const std::vector<Tensor> &at) {
  Tensor x = at[0];
  for (int64_t layer = 0; layer < layerCount; ++layer) {
    auto [q, k, v] = rowsOf(x, weightOf(at[1], layer), /*withFeatures=*/false);
    Tensor attended =
        scaled_dot_product_attention(q, k, v, {.pattern = kernelized({.feature = Feature::sigmoid, .of = causal()})});
    x = finish(x, attended, at, layer);
  }
  return x;
}

static Tensor slicedLayers(const std::vector<Tensor> &at, int64_t size) {
  std::vector<SlicedLayer> layers;
  for (int64_t layer = 0; layer < layerCount; ++layer)
    layers.push_back(
        {[=](const Tensor &x, int64_t) { return rowsOf(x, weightOf(at[1], layer), /*withFeatures=*/true); },
         [=](const Tensor &x, const Tensor &attended) { return finish(x, attended, at, layer); }});
  return sliced_layers(at[0], layers, {.slice = size});
}

static std::vector<TensorSpec> layerInputs(Dtype dtype, int64_t tokens, int64_t width) {
  Shape x = {2, tokens, width};
  return {{"x", dtype, x},
          {"in", dtype, {layerCount * 3 * width, width}},
          {"out", dtype, {layerCount * width, width}},
          {"up", dtype, {layerCount * 2 * width, width}},
          {"down", dtype, {layerCount * width, 2 * width}},
          {"d", dtype, x}};
}

/// The last slice is shorter.
static void printLayers() {
  Program program("layers");
  program.entry("layers", layerInputs(f64, 10, 8), [](const std::vector<Tensor> &inputs) {
    std::vector<Tensor> at(inputs.begin(), inputs.begin() + 5);
    ValueAndVjp a = vjp(wholeLayers, at, inputs[5]);
    ValueAndVjp b = vjp([](const std::vector<Tensor> &at) { return slicedLayers(at, 4); }, at, inputs[5]);
    Tensor difference = largest(a.value, b.value);
    for (size_t n = 0; n < at.size(); ++n)
      difference = maximum(difference, largest(a.gradients[n], b.gradients[n]) / max(abs(a.gradients[n])));
    return Results{{"difference", difference}};
  });
  print(program);
}

static void printMemory() {
  Program program("memory");
  auto entry = [&](const char *name, const std::function<Tensor(const std::vector<Tensor> &)> &model) {
    program.entry(name, layerInputs(f32, 2048, 64), [=](const std::vector<Tensor> &inputs) {
      ValueAndVjp result = vjp(model, {inputs.begin(), inputs.begin() + 5}, inputs[5]);
      return Results{{"y", result.value}, {"d_x", result.gradients[0]}, {"d_in", result.gradients[1]}};
    });
  };
  entry("whole", wholeLayers);
  entry("sliced", [](const std::vector<Tensor> &at) { return slicedLayers(at, 128); });
  print(program);
}

int main(int argc, char **argv) {
  std::string form = argc > 1 ? argv[1] : "forms";
  if (form == "state")
    printStates();
  else if (form == "delta")
    printDelta();
  else if (form == "layers")
    printLayers();
  else if (form == "memory")
    printMemory();
  else
    printForms();
}

//===- omninet.cpp - Layers that attend to all layers before them ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-omninet %t.forms %t.causal %t.orders %t.top | FileCheck %s --check-prefixes=COUNTS,ERROR
// RUN: FileCheck %s --input-file=%t.forms.mlir
// RUN: FileCheck %s --input-file=%t.causal.mlir --check-prefix=LEAKS
//
// The CPU computes what the interpreter does, forward and backward.
// RUN: xf-run %t.forms.mlir --entry=forms --target=reference --vjp --parameters=%t.forms.safetensors --input=x=random(1) --input=d_y=random(2) --output=y=@%t.y.npy --output=d_x=@%t.dx.npy
// RUN: xf-run %t.forms.mlir --entry=forms --vjp --parameters=%t.forms.safetensors --input=x=random(1) --input=d_y=random(2) --expected-output=y=@%t.y.npy --expected-output=d_x=@%t.dx.npy --rtol=2e-5 --atol=2e-5
// RUN: xf-run %t.top.mlir --entry=forms --target=reference --vjp --parameters=%t.top.safetensors --input=x=random(1) --input=d_y=random(2) --output=y=@%t.y.npy --output=d_x=@%t.dx.npy
// RUN: xf-run %t.top.mlir --entry=forms --vjp --parameters=%t.top.safetensors --input=x=random(1) --input=d_y=random(2) --expected-output=y=@%t.y.npy --expected-output=d_x=@%t.dx.npy --rtol=2e-5 --atol=2e-5
//
// What stands at position 5 and after leaves no trace before, not in a bit; and the order of the layers does not
// matter.
// RUN: xf-run %t.causal.mlir --entry=leaks --parameters=%t.causal.safetensors --input=x=random(1) --input=other=random(2) | FileCheck %s --check-prefix=LEAK
// RUN: xf-run %t.causal.mlir --entry=leaks --target=reference --parameters=%t.causal.safetensors --input=x=random(1) --input=other=random(2) | FileCheck %s --check-prefix=LEAK
// RUN: xf-run %t.orders.mlir --entry=orders --target=reference --input=x=random(1) | FileCheck %s --check-prefix=ORDERS
// RUN: xf-run %t.orders.mlir --entry=orders --input=x=random(1) | FileCheck %s --check-prefix=ORDERS
// LEAK: leak : scalar {{f32|f64}} = 0{{$}}
// ORDERS: difference : scalar f64 = {{0|.*e-1[4-9]}}{{$}}

#include "frontend/Show.h"

using namespace xf;

static constexpr int64_t tokens = 12, width = 16, changed = 5;

static nn::OmniNetOptions small(int64_t layers, int64_t partition) {
  return {.width = width, .heads = 2, .layers = layers, .partition = partition, .hidden = 24};
}

template <typename Change>
static nn::OmniNet net(int64_t layers, int64_t partition, Change change) {
  nn::OmniNetOptions options = small(layers, partition);
  change(options);
  return nn::OmniNet(options);
}

/// Every form of an omnidirectional layer, causal ones apart.
struct Forms : nn::Module {
  std::vector<nn::OmniNet> forms = {
      net(3, 3, [](auto &) {}),
      net(2, 2, [](auto &o) { o.include_boundary = true, o.pool = Pool::mean; }),
      net(3, 3, [](auto &o) { o.pool = Pool::last, o.pool_after = nn::PoolAfter::attention; }),
      net(3, 3, [](auto &o) { o.pool = Pool::mean, o.pool_after = nn::PoolAfter::attention; }),
      net(3, 3, [](auto &o) { o.pool_after = nn::PoolAfter::attention; }),
      net(3, 3, [](auto &o) { o.factorised = true; }),
      net(3, 3, [](auto &o) { o.inner = window(2, 2), o.granularity = Granularity::position; }),
      net(3, 3, [](auto &o) { o.inner = low_rank({.rank = 4}), o.tokens = tokens; }),
      net(3, 3, [](auto &o) { o.inner = kernelized({.feature = Feature::favor}), o.features = 8; }),
      net(2, 1, [](auto &o) { o.inner = kernelized({.feature = Feature::elu}); }),
      net(3, 3, [](auto &o) { o.inner = bigbird({.block = 2, .random = 2, .seed = 5}); }),
      net(4, 4, [](auto &o) { o.inner = bigbird({.block = 1, .random = 1}), o.granularity = Granularity::position; }),
  };
  XF_MEMBERS(forms)
  Tensor operator()(const Tensor &x) const {
    std::vector<Tensor> results;
    for (const nn::OmniNet &each : forms)
      results.push_back(each(x));
    return concat(results, 0);
  }
};

/// Only the last layer attends.
struct TopForms : nn::Module {
  std::vector<nn::OmniNet> top_forms = {
      top([](auto &) {}),
      top([](auto &o) { o.inner = causal(); }),
      top([](auto &o) { o.inner = window(3, 1), o.granularity = Granularity::position; }),
      top([](auto &o) { o.factorised = true; }),
      top([](auto &o) { o.inner = low_rank({.rank = 4}), o.tokens = tokens; }),
      top([](auto &o) { o.inner = kernelized({.feature = Feature::favor}), o.features = 8; }),
  };
  XF_MEMBERS(top_forms)
  Tensor operator()(const Tensor &x) const {
    std::vector<Tensor> results;
    for (const nn::OmniNet &each : top_forms)
      results.push_back(each(x));
    return concat(results, 0);
  }

private:
  template <typename Change>
  static nn::OmniNet top(Change change) {
    return net(3, 3, [&](auto &o) { o.queries = GridQueries::top, change(o); });
  }
};

struct CausalForms : nn::Module {
  std::vector<nn::OmniNet> causal_forms = {
      net(3, 3, [](auto &o) { o.pattern = o.inner = causal(), o.granularity = Granularity::position; }),
      net(3, 3, [](auto &o) { o.pattern = o.inner = causal(), o.granularity = Granularity::token; }),
      net(3, 3, [](auto &o) { o.pattern = o.inner = causal(), o.queries = GridQueries::top; }),
      net(3, 3,
          [](auto &o) {
            o.pattern = window(3);
            o.inner = causal();
            o.factorised = true;
          }),
      net(3, 3,
          [](auto &o) {
            o.pattern = causal();
            o.inner = kernelized({.feature = Feature::favor, .of = causal()});
            o.features = 8;
          }),
      net(4, 4, [](auto &o) { o.pattern = causal(), o.inner = strided(4); }),
  };
  XF_MEMBERS(causal_forms)
  /// The largest change of any output before `changed`.
  Tensor leak(const Tensor &x, const Tensor &other) const {
    Tensor late = concat({slice(x, 1, 0, changed), slice(other, 1, changed, tokens)}, 1);
    std::vector<Tensor> differences;
    for (const nn::OmniNet &each : causal_forms)
      differences.push_back(slice(abs(each(x) - each(late)), 1, 0, changed));
    return max(concat(differences, 0));
  }
};

/// The tokens of both orders as positions x layers.
static Tensor attend(const std::vector<Tensor> &layers, Grid parameters) {
  bool byIndex = parameters.order == GridOrder::index, fromTop = parameters.queries == GridQueries::top;
  int64_t count = parameters.layers;
  Tensor keys = split_heads(byIndex ? stack_layers(layers) : concat(layers, 1), 2);
  Tensor q = fromTop ? split_heads(layers.back(), 2) : keys;
  Tensor o = merge_heads(scaled_dot_product_attention(q, keys, keys, {.pattern = grid(parameters)}));
  if (fromTop)
    return o;
  Shape shape = byIndex ? Shape{2, tokens, count, width} : Shape{2, count, tokens, width};
  return byIndex ? reshape(o, shape) : transpose(reshape(o, shape), 1, 2);
}

/// Keys and values token by token, or layer by layer: the same set, so the same attention.
static Tensor differenceOfOrders(const Tensor &x) {
  std::vector<Tensor> layers = {x, x * x, 1 - x}, differences;
  const Grid forms[] = {
      {.layers = 3, .of = dense()},
      {.layers = 3, .of = window(2, 3), .granularity = Granularity::position},
      {.layers = 3, .of = causal(), .granularity = Granularity::position},
      {.layers = 3, .of = dense(), .factorised = true},
      {.layers = 3, .of = dense(), .queries = GridQueries::top},
      {.layers = 3, .of = causal(), .granularity = Granularity::position, .queries = GridQueries::top},
  };
  for (Grid form : forms) {
    Tensor byIndex = attend(layers, form);
    form.order = GridOrder::layer;
    differences.push_back(reshape(max(abs(byIndex - attend(layers, form))), {1}));
  }
  return max(concat(differences, 0));
}

int main(int, char **arguments) {
  Forms forms;
  CausalForms causalForms;
  TensorSpec x{"x", f32, {2, tokens, width}}, other{"other", f32, {2, tokens, width}};
  // CHECK-LABEL: @forms
  // CHECK: xf.stack_layers %{{.*}}, %{{.*}} : (tensor<2x12x16xf32>, tensor<2x12x16xf32>) -> tensor<2x24x16xf32>
  // CHECK: xf.pool_layers %{{.*}} layers 2 kind max
  Program program("forms", forms);
  program.entry("forms", {x}, [&](Tensor x) { return Results{{"y", forms(x)}}; });
  program.vjp("forms");
  program.save(arguments[1] + std::string(".mlir"));
  save_safetensors(arguments[1] + std::string(".safetensors"), forms.state_dict());
  TopForms topForms;
  Program topProgram("top", topForms);
  topProgram.entry("forms", {x}, [&](Tensor x) { return Results{{"y", topForms(x)}}; });
  topProgram.vjp("forms");
  topProgram.save(arguments[4] + std::string(".mlir"));
  save_safetensors(arguments[4] + std::string(".safetensors"), topForms.state_dict());
  // LEAKS-LABEL: @leaks
  // LEAKS: pattern(#xf.grid<layers = 2, of = #xf.causal, granularity = position>)
  Program causalProgram("causal", causalForms);
  causalProgram.entry("leaks", {x, other},
                      [&](Tensor x, Tensor y) { return Results{{"leak", causalForms.leak(x, y)}}; });
  causalProgram.save(arguments[2] + std::string(".mlir"));
  save_safetensors(arguments[2] + std::string(".safetensors"), causalForms.state_dict());
  Program orders("orders");
  orders.entry("orders", {{"x", f64, {2, tokens, width}}},
               [&](Tensor x) { return Results{{"difference", differenceOfOrders(x)}}; });
  orders.save(arguments[3] + std::string(".mlir"));
  // A dense omnidirectional layer has the parameters of an ordinary one; low rank adds N L r.
  // COUNTS: 0 192
  int64_t plain = nn::OmniNet(small(6, 1)).parameter_count();
  int64_t lowRank = net(6, 3, [](auto &o) { o.inner = low_rank({.rank = 4}), o.tokens = tokens; }).parameter_count();
  std::printf("%d %d\n", static_cast<int>(nn::OmniNet(small(6, 3)).parameter_count() - plain),
              static_cast<int>(lowRank - plain));
  // A projected key has no position to be compared.
  // ERROR: {{.*}}omninet.cpp:{{[0-9]+}}:{{[0-9]+}}: expected a set of pairs for factorised attention, got low_rank
  try {
    net(3, 3, [](auto &o) { o.inner = low_rank({.rank = 4}), o.tokens = tokens, o.factorised = true; });
  } catch (const Error &error) {
    std::puts(error.what());
  }
}

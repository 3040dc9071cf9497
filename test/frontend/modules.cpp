//===- modules.cpp - Names, shapes, starts and loading of parameters -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-modules | FileCheck %s

#include "frontend/Show.h"

#include <cmath>
#include <cstring>

using namespace xf;

static void list(const nn::Module &module) {
  for (const auto &[name, parameter] : module.named_parameters())
    std::printf("%s %s\n", name.c_str(), to_string(parameter.shape()).c_str());
}

struct Pair : nn::Module {
  nn::Linear in{4, 3};
  Parameter scale{{3}, constant_init(2)};
  nn::Linear out{3, 4, /*with_bias=*/false};
  XF_MEMBERS(in, scale, out)
};

struct Stack : nn::Module {
  std::vector<Pair> layers{Pair(), Pair()};
  std::optional<nn::LayerNorm> norm, absent;
  nn::Linear tied = layers[0].in;
  XF_MEMBERS(layers, norm, absent, tied)
  Stack() { norm.emplace(4); }
};

static void names() {
  // CHECK-LABEL: attention
  std::puts("attention");
  // CHECK-NEXT: q_proj.weight [8, 8]
  // CHECK-NEXT: q_proj.bias [8]
  // CHECK-NEXT: k_proj.weight [4, 8]
  // CHECK-NEXT: k_proj.bias [4]
  // CHECK-NEXT: v_proj.weight [4, 8]
  // CHECK-NEXT: v_proj.bias [4]
  // CHECK-NEXT: out_proj.weight [8, 8]
  // CHECK-NEXT: out_proj.bias [8]
  list(nn::MultiheadAttention({.width = 8, .heads = 4, .kv_heads = 2}));
  // The names of torch.nn.MultiheadAttention.
  // CHECK-LABEL: fused
  std::puts("fused");
  // CHECK-NEXT: in_proj_weight [24, 8]
  // CHECK-NEXT: in_proj_bias [24]
  // CHECK-NEXT: out_proj.weight [8, 8]
  // CHECK-NEXT: out_proj.bias [8]
  list(nn::MultiheadAttention({.width = 8, .heads = 4, .fused = true}));
  // W of the heads, which are as wide as 8 / 4.
  // CHECK-LABEL: kernelised
  std::puts("kernelised");
  // CHECK-NEXT: in_proj_weight [24, 8]
  // CHECK-NEXT: features [6, 2]
  // CHECK-NEXT: out_proj.weight [8, 8]
  list(nn::MultiheadAttention(
      {.width = 8, .heads = 4, .pattern = kernelized({.of = causal()}), .bias = false, .fused = true, .features = 6}));
  // CHECK-LABEL: sequential
  std::puts("sequential");
  // CHECK-NEXT: 0.weight [8, 4]
  // CHECK-NEXT: 0.bias [8]
  // CHECK-NEXT: 2.weight [4, 8]
  // CHECK-NEXT: 2.bias [4]
  list(nn::Sequential(nn::Linear(4, 8), nn::Activation(gelu), nn::Linear(8, 4)));
  // Vectors are numbered, absent members have no names, a shared parameter has its first.
  // CHECK-LABEL: stack
  std::puts("stack");
  // CHECK-NEXT: layers.0.in.weight [3, 4]
  // CHECK-NEXT: layers.0.in.bias [3]
  // CHECK-NEXT: layers.0.scale [3]
  // CHECK-NEXT: layers.0.out.weight [4, 3]
  // CHECK-NEXT: layers.1.in.weight [3, 4]
  // CHECK-NEXT: layers.1.in.bias [3]
  // CHECK-NEXT: layers.1.scale [3]
  // CHECK-NEXT: layers.1.out.weight [4, 3]
  // CHECK-NEXT: norm.weight [4]
  // CHECK-NEXT: norm.bias [4]
  list(Stack());
}

static void starts() {
  Stack stack;
  StateDict values = stack.state_dict();
  // CHECK-LABEL: starts
  // CHECK-NEXT: 2 1 0
  std::printf("starts\n%g %g %g\n", values["layers.1.scale"].data<float>()[2], values["norm.weight"].data<float>()[0],
              values["norm.bias"].data<float>()[3]);
  // Equal names and seeds give equal numbers, whatever else there is; other seeds and names give others.
  // CHECK-NEXT: same seed 1, other seed 0, other name 0
  auto same = [](const Array &a, const Array &b) {
    return std::memcmp(a.bytes().data(), b.bytes().data(), a.bytes().size()) == 0;
  };
  Stack again, other;
  other.initialize(1);
  std::printf("same seed %d, other seed %d, other name %d\n",
              same(values["layers.1.in.weight"], again.state_dict()["layers.1.in.weight"]),
              same(values["layers.1.in.weight"], other.state_dict()["layers.1.in.weight"]),
              same(values["layers.1.in.weight"], values["layers.0.in.weight"]));
  // torch's bounds: uniform in +-1/sqrt(in), and normal with the given deviation.
  // CHECK-NEXT: uniform within 1, spread 1; normal mean 1, deviation 1
  nn::Linear linear(400, 100);
  double bound = 0, sum = 0, square = 0;
  for (float value : linear.state_dict()["weight"].data<float>())
    bound = std::max(bound, std::abs(double(value)));
  nn::Embedding embedding(200, 100);
  for (float value : embedding.state_dict()["weight"].data<float>()) {
    sum += value;
    square += double(value) * value;
  }
  std::printf("uniform within %d, spread %d; normal mean %d, deviation %d\n", bound <= 0.05, bound > 0.0499,
              std::abs(sum / 20000) < 0.03, std::abs(square / 20000 - 1) < 0.05);
  // A padding row starts as zeros; the others as without it.
  // CHECK-NEXT: padding 0 0, others 1
  Array plain = nn::Embedding(3, 2).state_dict()["weight"],
        padded = nn::Embedding(3, 2, {.padding = 1}).state_dict()["weight"];
  auto at = [](const Array &array, size_t n) { return array.data<float>()[n]; };
  std::printf("padding %g %g, others %d\n", at(padded, 2), at(padded, 3),
              at(padded, 0) == at(plain, 0) && at(padded, 5) == at(plain, 5) && at(plain, 2) != 0);
  // Rows of W are orthogonal, and drawn anew in place.
  // CHECK-NEXT: features 1, redrawn 1
  nn::MultiheadAttention attention({.width = 8, .heads = 4, .features = 2});
  Array features = attention.state_dict()["features"];
  std::vector<float> w(features.data<float>().begin(), features.data<float>().end());
  redraw_features(features, {.seed = 7, .step = 3});
  std::printf("features %d, redrawn %d\n", std::abs(w[0] * w[2] + w[1] * w[3]) < 1e-6,
              w[0] != attention.state_dict()["features"].data<float>()[0]);
}

static void loading() {
  Pair pair, copy = pair, other;
  StateDict values = pair.state_dict();
  values["scale"].data<float>()[1] = 7;
  // Copies of a module share values.
  // CHECK-LABEL: loading
  // CHECK-NEXT: 7 7
  std::printf("loading\n%g", copy.scale.value().data<float>()[1]);
  other.load_state_dict(values);
  std::printf(" %g\n", other.scale.value().data<float>()[1]);
  // All differences in one message.
  values.erase("in.bias");
  values["extra"] = Array(f32, {1});
  values["scale"] = Array(f64, {3});
  // CHECK-NEXT: expected the parameters of the model, got 3 differences: 'in.bias' is missing; {{'extra' is not a parameter; 'scale' is \[3\] f64, not \[3\] f32|'scale' is \[3\] f64, not \[3\] f32; 'extra' is not a parameter}}
  try {
    other.load_state_dict(values);
  } catch (const Error &error) {
    std::puts(error.message().c_str());
  }
}

/// Loading what fits, converting it, and names of one parameter.
static void partialLoading() {
  Pair pair;
  pair.initialize(0);
  StateDict values = {{"scale", Array({1.5, 2.5, 3.5})}, {"out.weight", Array(f32, {3, 4})}, {"extra", 1.f}};
  auto show = [](const char *what, const std::vector<std::string> &names) {
    std::printf("%s", what);
    for (const std::string &name : names)
      std::printf(" %s", name.c_str());
    std::puts("");
  };
  // CHECK-LABEL: missing in.bias in.weight
  // CHECK-NEXT: unexpected extra
  // CHECK-NEXT: mismatched out.weight scale
  LoadReport report = pair.load_state_dict(values, {.strict = false});
  show("missing", report.missing);
  show("unexpected", report.unexpected);
  show("mismatched", report.mismatched);
  // CHECK-NEXT: scale 2, complete 0
  std::printf("scale %g, complete %d\n", double(pair.scale.value().data<float>()[0]), report.complete());
  // CHECK-NEXT: scale 1.5 f32, mismatched out.weight
  report = pair.load_state_dict(values, {.strict = false, .cast = true});
  std::printf("scale %g %s, ", double(pair.scale.value().data<float>()[0]), name(pair.scale.value().dtype()));
  show("mismatched", report.mismatched);
  // CHECK-NEXT: bf16, complete 1
  Pair narrow;
  narrow.to(bf16);
  std::printf("%s, ", name(narrow.state_dict().at("scale").dtype()));
  std::printf("complete %d\n", narrow.load_state_dict(Pair().state_dict(), {.cast = true}).complete());
  // A shared parameter has any of its names, or all.
  Stack stack;
  StateDict all = stack.state_dict(), other = all, twice = all;
  other["tied.weight"] = Array(std::vector<float>(12, 5), {3, 4});
  other.erase("layers.0.in.weight");
  stack.load_state_dict(other);
  // CHECK-NEXT: tied 5
  std::printf("tied %g\n", double(stack.layers[0].in.weight.value().at<float>({2, 3})));
  twice["tied.weight"] = twice["layers.0.in.weight"];
  stack.load_state_dict(twice);
  twice["tied.weight"] = Array(f32, {3, 4});
  try {
    stack.load_state_dict(twice, {.strict = false});
  } catch (const Error &error) {
    // CHECK-NEXT: expected equal values of 'layers.0.in.weight' and 'tied.weight', which are one parameter, got different ones
    std::puts(error.message().c_str());
  }
}

static void printBits(const char *what, const Array &array) {
  std::printf("%s", what);
  for (uint16_t bits : array.data<uint16_t>())
    std::printf(" %04x", bits);
  std::puts("");
}

namespace {
struct Numbers : nn::Module {
  Parameter scale{{4}, constant_init(2)};
  XF_MEMBERS(scale)
};
} // namespace

static void conversions() {
  std::puts("conversions");
  // Ties go to the even neighbour, NaN stays NaN, what is too large becomes infinite.
  // CHECK-LABEL: conversions
  // CHECK-NEXT: bf16 3f80 3f82 7fc0 7f80
  // CHECK-NEXT: f16 3c00 3c01 7e00 fc00
  Numbers numbers, halves;
  std::vector<float> values = {1 + 0x1p-8f, 1 + 3 * 0x1p-8f, NAN, 0x1.ffp127f};
  std::copy(values.begin(), values.end(), numbers.state_dict()["scale"].data<float>().begin());
  numbers.to(bf16);
  printBits("bf16", numbers.scale.value());
  values = {1 + 0x1p-11f, 1 + 0x1p-10f, NAN, -1e9f};
  std::copy(values.begin(), values.end(), halves.state_dict()["scale"].data<float>().begin());
  halves.to(f16);
  printBits("f16", halves.scale.value());
  // Copies of the module are converted with it, and a wider type has the rounded values.
  // CHECK-NEXT: copy f32 1 1.01562
  Numbers copy = numbers;
  numbers.to(f32);
  std::printf("copy %s %g %g\n", name(copy.scale.dtype()), copy.scale.value().data<float>()[0],
              copy.scale.value().data<float>()[1]);
}

/// Values drawn after a conversion are those drawn before it, rounded.
static void conversionsOfDrawn() {
  // CHECK-NEXT: drawn 1 0.features 1 layers.0.in.weight 1
  auto same = [](const StateDict &a, const StateDict &b, const std::string &name) {
    std::span<std::byte> left = a.at(name).bytes(), right = b.at(name).bytes();
    return left.size() == right.size() && std::memcmp(left.data(), right.data(), left.size()) == 0;
  };
  Stack before, after;
  before.initialize(3);
  before.to(bf16);
  after.to(bf16);
  after.initialize(3);
  nn::Sequential drawn(nn::MultiheadAttention({.width = 8, .heads = 4, .features = 2})),
      converted(nn::MultiheadAttention({.width = 8, .heads = 4, .features = 2}));
  drawn.initialize(3);
  drawn.to(f16);
  converted.to(f16);
  converted.initialize(3);
  std::printf("drawn %d 0.features %d layers.0.in.weight %d\n",
              same(before.state_dict(), after.state_dict(), "norm.weight"),
              same(drawn.state_dict(), converted.state_dict(), "0.features"),
              same(before.state_dict(), after.state_dict(), "layers.0.in.weight"));
  // A file of the other type is refused.
  // CHECK-NEXT: expected the parameters of the model, got 1 difference: 'scale' is [4] f32, not [4] bf16
  // CHECK-NEXT: expected a floating-point element type of parameters, got i32
  // CHECK-NEXT: expected to(bf16) before any operation uses 'weight', got it afterwards
  auto refused = [](const std::function<void()> &f) {
    try {
      f();
      std::puts("no error");
    } catch (const Error &error) {
      std::puts(error.message().c_str());
    }
  };
  Numbers numbers, narrow;
  StateDict wide = numbers.state_dict();
  narrow.to(bf16);
  refused([&] { narrow.load_state_dict(wide); });
  refused([&] { narrow.to(i32); });
  nn::Linear used(4, 4);
  used(input({4}));
  used.to(f32); // which it is
  refused([&] { used.to(bf16); });
}

int main() {
  names();
  starts();
  loading();
  partialLoading();
  conversions();
  conversionsOfDrawn();
}

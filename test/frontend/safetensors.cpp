//===- safetensors.cpp - Weights to files and back -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-safetensors %t.safetensors | FileCheck %s

#include <xf/xf.h>

#include <cstdio>
#include <fstream>

using namespace xf;

template <typename F>
static void report(const F &f) {
  try {
    f();
    std::puts("no error");
  } catch (const Error &error) {
    std::puts(error.message().c_str());
  }
}

int main(int, char **words) {
  std::string path = words[1];
  nn::MLP mlp({.width = 3, .hidden = 5});
  StateDict values = mlp.state_dict();
  values["count"] = Array(i64, {});
  values["empty"] = Array(f16, {0, 4});
  save_safetensors(path, values, {{"step", "12"}});
  Metadata metadata;
  StateDict loaded = load_safetensors(path, &metadata);
  // CHECK: count [] i64 same
  // CHECK-NEXT: empty [0, 4] f16 same
  // CHECK-NEXT: fc1.bias [5] f32 same
  // CHECK-NEXT: fc1.weight [5, 3] f32 same
  // CHECK-NEXT: fc2.bias [3] f32 same
  // CHECK-NEXT: fc2.weight [3, 5] f32 same
  for (const auto &[name, value] : loaded) {
    auto a = value.bytes(), b = values.at(name).bytes();
    bool same = std::equal(a.begin(), a.end(), b.begin(), b.end());
    std::printf("%s %s %s %s\n", name.c_str(), to_string(Shape(value.shape().begin(), value.shape().end())).c_str(),
                xf::name(value.dtype()), same ? "same" : "different");
  }
  // CHECK-NEXT: step 12
  std::printf("step %s\n", metadata["step"].c_str());

  // Names of other libraries: the first rule that fits, stars stand for one part.
  // CHECK-NEXT: blocks.11.mlp.fc1.weight head.weight h.1
  StateDict other = {{"h.11.mlp.c_fc.weight", Array()}, {"lm_head.weight", Array()}, {"h.1", Array()}};
  StateDict ours = rename(other, {{"h.*.mlp.c_fc.", "blocks.*.mlp.fc1."}, {"lm_", ""}});
  std::printf("%s %s %s\n", ours.contains("blocks.11.mlp.fc1.weight") ? "blocks.11.mlp.fc1.weight" : "",
              ours.contains("head.weight") ? "head.weight" : "", ours.contains("h.1") ? "h.1" : "");
  // CHECK-NEXT: expected distinct names after renaming, got 'x' twice
  report([&] { rename({{"a", Array()}, {"b", Array()}}, {{"a", "x"}, {"b", "x"}}); });

  // CHECK-NEXT: cannot open '{{.*}}.absent': No such file or directory
  report([&] { load_safetensors(path + ".absent"); });
  std::ofstream(path) << "not a header";
  // CHECK-NEXT: '{{.*}}': {{.+}}
  report([&] { load_safetensors(path); });
  // CHECK-NEXT: cannot write '/nowhere/x': No such file or directory
  report([&] { save_safetensors("/nowhere/x", values); });
}

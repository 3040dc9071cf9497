//===- safetensors.cpp - Weights to files and back -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t && frontend-safetensors %t/x.safetensors | FileCheck %s

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

static void readShards(const std::string &path);

static void readBack(const std::string &path) {
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
  // CHECK-NEXT: cannot write '/nowhere/x': No such file or directory
  report([&] { save_safetensors("/nowhere/x", values); });
}

int main(int, char **words) {
  std::string path = words[1];
  readBack(path);
  // Names of other libraries: the first rule that fits, stars stand for one part.
  // CHECK-NEXT: blocks.11.mlp.fc1.weight head.weight h.1
  StateDict other = {{"h.11.mlp.c_fc.weight", Array()}, {"lm_head.weight", Array()}, {"h.1", Array()}};
  StateDict ours = rename(other, {{"h.*.mlp.c_fc.", "blocks.*.mlp.fc1."}, {"lm_", ""}});
  std::printf("%s %s %s\n", ours.contains("blocks.11.mlp.fc1.weight") ? "blocks.11.mlp.fc1.weight" : "",
              ours.contains("head.weight") ? "head.weight" : "", ours.contains("h.1") ? "h.1" : "");
  // CHECK-NEXT: expected rules that apply to a name, got 'transformer.', which applies to none of 3: 'h.1', 'h.11.mlp.c_fc.weight', 'lm_head.weight'
  report([&] { rename(other, {{"lm_", ""}, {"transformer.", ""}}); });
  // CHECK-NEXT: expected distinct names after renaming, got 'x' twice
  report([&] { rename({{"a", Array()}, {"b", Array()}}, {{"a", "x"}, {"b", "x"}}); });

  // A checkpoint of another library: transposed, with more than a model has, in another type.
  save_safetensors(path, {{"h.0.c_fc.weight", Array({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}})},
                          {"h.0.attn.bias", Array({1.f})},
                          {"h.0.step", Array({7})}});
  StateDict adapted = load_safetensors(
      path,
      {.rename = {{"h.*.c_fc.", "blocks.*.fc1."}}, .drop = {"*.bias"}, .transpose = {"h.*.weight"}, .cast = bf16});
  // CHECK-NEXT: blocks.0.fc1.weight [3, 2] bf16 2
  // CHECK-NEXT: h.0.step [1] i32 7
  for (const auto &[name, value] : adapted)
    std::printf("%s %s %s %g\n", name.c_str(), to_string(Shape(value.shape().begin(), value.shape().end())).c_str(),
                xf::name(value.dtype()), value.to(f64).data<double>()[value.count() / 3]);
  // CHECK-NEXT: expected a tensor to transpose, got 'w.*', which is none of 3: 'h.0.attn.bias', 'h.0.c_fc.weight', 'h.0.step'
  report([&] { load_safetensors(path, {.transpose = {"w.*"}}); });
  // CHECK-NEXT: expected a matrix to transpose, got 'h.0.attn.bias' of shape [1]
  report([&] { load_safetensors(path, {.transpose = {"*.bias"}}); });

  // CHECK-NEXT: cannot open '{{.*}}.absent': No such file or directory
  report([&] { load_safetensors(path + ".absent"); });
  std::ofstream(path) << "not a header";
  // CHECK-NEXT: '{{.*}}': {{.+}}
  report([&] { load_safetensors(path); });
  readShards(path);
}

/// Reads checkpoints of several files, also hostile ones. `path` is that of a file, in whose folder they lie.
static void readShards(const std::string &path) {
  std::string folder = path.substr(0, path.rfind('/') + 1), index = folder + "model.safetensors.index.json";
  save_safetensors(folder + "one.safetensors", {{"a", Array({1.f})}, {"b", Array({2.f})}}, {{"format", "pt"}});
  save_safetensors(folder + "two.safetensors", {{"c", Array({3.f})}});
  save_safetensors(folder + "again.safetensors", {{"a", Array({1.f})}});
  auto read = [&](const std::string &text) {
    std::ofstream(index) << text;
    report([&] {
      for (const auto &[name, value] : load_safetensors(index))
        std::printf("%s=%g ", name.c_str(), double(value.item<float>()));
    });
  };
  auto readMap = [&](const std::string &map) { read("{\"weight_map\": " + map + "}"); };
  const std::string one = R"("one.safetensors")", two = R"("two.safetensors")";
  // CHECK-NEXT: a=1 b=2 c=3 no error
  read(R"({"metadata": {"total_size": 12, "x": [{}]}, "weight_map": {"a": )" + one + R"(, "c": )" + two + R"(, "b": )" +
       one + "}}");
  // CHECK-NEXT: cannot open '{{.*}}three.safetensors': No such file or directory
  readMap(R"({"a": "three.safetensors"})");
  // CHECK-NEXT: '{{.*}}index.json': expected tensor 'c' in 'one.safetensors', got none
  readMap(R"({"a": )" + one + R"(, "b": )" + one + R"(, "c": )" + one + "}");
  // CHECK-NEXT: '{{.*}}index.json': expected tensor 'c' in 'one.safetensors', got it in '{{.*}}two.safetensors'
  readMap(R"({"a": )" + one + R"(, "x": )" + two + R"(, "c": )" + one + "}");
  // CHECK-NEXT: '{{.*}}index.json': expected all tensors of its files, got no tensor 'b' of '{{.*}}one.safetensors'
  readMap(R"({"a": )" + one + R"(, "c": )" + two + "}");
  // CHECK-NEXT: '{{.*}}again.safetensors': expected tensor 'a' in one file, got it in '{{.*}}one.safetensors' too
  readMap(R"({"b": )" + one + R"(, "z": "again.safetensors"})");
  // CHECK-NEXT: '{{.*}}index.json': expected tensor 'a' once, got it twice
  readMap(R"({"a": )" + one + R"(, "b": )" + one + R"(, "a": )" + two + "}");
  // CHECK-NEXT: '{{.*}}index.json': expected weight_map once, got it twice
  read(R"({"weight_map": {}, "weight_map": {}})");
  // No file outside of the folder, and no index in an index.
  // CHECK-NEXT: '{{.*}}index.json': tensor 'a': expected a safetensors file in the folder of the index, got '../one.safetensors'
  readMap(R"({"a": "../one.safetensors"})");
  // CHECK-NEXT: '{{.*}}index.json': tensor 'a': expected a safetensors file in the folder of the index, got '/one.safetensors'
  readMap(R"({"a": "/one.safetensors"})");
  // CHECK-NEXT: '{{.*}}index.json': tensor 'a': expected a safetensors file in the folder of the index, got 'model.safetensors.index.json'
  readMap(R"({"a": "model.safetensors.index.json"})");
  // CHECK-NEXT: '{{.*}}index.json': tensor 'a': expected the name of a file, got an array
  readMap(R"({"a": ["one.safetensors"]})");
  // CHECK-NEXT: '{{.*}}index.json': expected weight_map to be an object, got a string
  readMap(one);
  // CHECK-NEXT: '{{.*}}index.json': expected a weight_map, got none
  read(R"({"metadata": {"weight_map": {"a": "one.safetensors"}}})");
  // CHECK-NEXT: '{{.*}}index.json': expected an object, got an array
  read("[]");
  // CHECK-NEXT: '{{.*}}index.json': expected JSON, got something else at byte
  read(R"({"weight_map": {"a": "one.safe)");
  // CHECK-NEXT: '{{.*}}index.json': expected JSON, got something else at byte
  read("");
}

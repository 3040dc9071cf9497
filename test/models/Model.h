//===- Model.h - Models against golden numbers of torch -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs/golden.py says what a file of golden numbers is. A test writes the checkpoint as it is published, loads it as
// a user does, and compares every output and gradient, in f64 and in f32. It leaves FOLDER/f64.mlir, its parameters,
// its inputs and its results for xf-run, which compares other targets with them.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_MODELS_MODEL_H
#define XF_TEST_MODELS_MODEL_H

#include <xf/models.h>
#include <xf/xf.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace xf::test {

//===--- numbers ---===//

/// Fills a tensor of `count` elements by position and name: see number() of golden.py.
inline std::vector<double> numbers(const std::string &name, int64_t count) {
  uint32_t seed = 2166136261u;
  for (unsigned char byte : name)
    seed = (seed ^ byte) * 16777619u;
  std::vector<double> result;
  for (int64_t n = 0; n < count; ++n) {
    uint32_t x = static_cast<uint32_t>(n) * 0x9E3779B1u + seed;
    x = (x ^ (x >> 16)) * 0x7FEB352Du;
    x = (x ^ (x >> 15)) * 0x846CA68Bu;
    x ^= x >> 16;
    result.push_back(static_cast<double>(x >> 12) / (1 << 20) - 0.5);
  }
  return result;
}

/// A tensor that a file of golden numbers names, with what the line says of it: an input's integers, or a digest.
struct Line {
  std::string kind, name;
  std::vector<int64_t> shape;
  std::vector<double> values;

  int64_t count() const {
    int64_t result = 1;
    for (int64_t size : shape)
      result *= size;
    return result;
  }
  Shape sizes() const { return Shape(shape.begin(), shape.end()); }
  /// The value of a tensor of the checkpoint.
  Array weight() const {
    Array array(f32, shape);
    std::vector<double> from = numbers(name, count());
    double offset = shape.size() == 1 && !name.ends_with("bias") ? 1 : 0;
    for (size_t n = 0; n < from.size(); ++n)
      array.data<float>()[n] = static_cast<float>(from[n] / 2 + offset);
    return array;
  }
};

inline std::vector<Line> read_golden(const std::string &path) {
  std::vector<Line> lines;
  std::ifstream file(path);
  for (std::string text; std::getline(file, text);) {
    std::istringstream words(text);
    Line line;
    words >> line.kind >> line.name;
    if (line.kind != "result" && line.kind != "gradient") {
      std::string sizes, size;
      words >> sizes;
      for (std::istringstream each(sizes == "scalar" ? "" : sizes); std::getline(each, size, 'x');)
        line.shape.push_back(std::stoll(size));
    }
    for (double value; words >> value;)
      line.values.push_back(value);
    lines.push_back(line);
  }
  return lines;
}

//===--- files ---===//

/// Writes an array of i32, f32 or f64 as npy.
inline void save_npy(const std::string &path, const Array &array) {
  std::string text = array.dtype() == i32 ? "<i4" : array.dtype() == f32 ? "<f4" : "<f8", sizes;
  for (int64_t size : array.shape())
    sizes += std::to_string(size) + ",";
  text = "{'descr': '" + text + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
  text.resize(117, ' ');
  std::ofstream file(path, std::ios::binary);
  file << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << text << '\n';
  file.write(reinterpret_cast<const char *>(array.bytes().data()), static_cast<std::streamsize>(array.bytes().size()));
}

/// Every element of an array of floats, as doubles.
inline std::vector<double> doubles(const Array &array) {
  Array converted = array.to(f64);
  return {converted.data<double>().begin(), converted.data<double>().end()};
}

//===--- a model ---===//

using Outputs = std::vector<std::pair<std::string, Tensor>>;

/// How a test runs a model of the library.
template <typename Model>
struct Case {
  std::string golden, folder;
  std::function<Model()> make;
  ReadOptions checkpoint;
  /// Computes the outputs, in the order of the golden file, from the inputs in theirs.
  std::function<Outputs(const Model &, const std::vector<Tensor> &)> run;
  std::vector<Dtype> dtypes = {f64, f32};
};

/// Compares <y, a>, <y, b> and |y| with a digest. `slack` is an absolute error that counts as none.
inline bool agrees(const Line &line, const std::vector<double> &y, const std::vector<double> &a,
                   const std::vector<double> &b, double tolerance, double slack) {
  double got[3] = {0, 0, 0};
  for (size_t n = 0; n < y.size(); ++n) {
    got[0] += y[n] * a[n];
    got[1] += y[n] * b[n];
    got[2] += y[n] * y[n];
  }
  got[2] = std::sqrt(got[2]);
  for (size_t n = 0; n < 3; ++n)
    if (!(std::abs(got[n] - line.values[n]) <= tolerance * line.values[2] + slack)) {
      std::printf("%s %s: expected %.9g, got %.9g (norm %.9g)\n", line.kind.c_str(), line.name.c_str(), line.values[n],
                  got[n], line.values[2]);
      return false;
    }
  return true;
}

template <typename Model>
class Check {
public:
  Check(const Case<Model> &test, Dtype dtype)
      : test(test), dtype(dtype), prefix(test.folder + (dtype == f64 ? "/f64" : "/f32")),
        lines(read_golden(test.golden)), model(test.make()) {}

  /// Prints how many outputs and gradients agree.
  void run() {
    load();
    Program program("model", model);
    program.entry("all", specs(), [&](const std::vector<Tensor> &inputs) { return trace(inputs); });
    Executable run = program.compile();
    Array all = run.call("all", inputs()).at("all");
    program.save(prefix + ".mlir");
    save_safetensors(prefix + ".safetensors", run.state_dict());
    save_npy(prefix + ".npy", all);
    compare(doubles(all));
  }

private:
  std::vector<Line> select(const std::string &kind) const {
    std::vector<Line> found;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(found), [&](auto &line) { return line.kind == kind; });
    return found;
  }

  /// Reads a file of the published names and layouts whose tensors `value` makes.
  template <typename F>
  StateDict published(const char *file, const F &value) const {
    StateDict values;
    for (const Line &line : lines)
      if (line.kind == "tensor" || line.kind == "buffer")
        values[line.name] = value(line);
    std::string path = test.folder + "/" + file + ".safetensors";
    save_safetensors(path, values);
    return load_safetensors(path, test.checkpoint);
  }

  void load() {
    model.to(dtype);
    model.load_state_dict(published("published", [](const Line &line) { return line.weight(); }), {.cast = true});
  }

  std::vector<TensorSpec> specs() const {
    std::vector<TensorSpec> result;
    for (const Line &line : lines)
      if (line.kind == "integers" || line.kind == "floats")
        result.push_back({line.name, line.kind == "floats" ? dtype : i32, line.sizes()});
    return result;
  }

  /// The inputs of a call, which are files of the folder besides.
  Arrays inputs() const {
    Arrays result;
    for (const Line &line : lines)
      if (line.kind == "integers")
        result[line.name] = Array(std::vector<int32_t>(line.values.begin(), line.values.end()), line.shape);
      else if (line.kind == "floats")
        result[line.name] = Array(numbers(line.name, line.count()), line.shape).to(dtype);
    for (const auto &[name, array] : result)
      save_npy(prefix + "." + name + ".npy", array);
    return result;
  }

  /// Records the outputs and the gradients of their weighted sum, as one vector.
  Tensor trace(const std::vector<Tensor> &inputs) {
    auto loss = [&] {
      Tensor total;
      for (const auto &[name, y] : test.run(model, inputs)) {
        Tensor term = sum(y * cast(constant(numbers("loss:" + name, count(y)), y.shape(), f64), dtype));
        total = total.defined() ? total + term : term;
      }
      return total;
    };
    auto [value, gradients] = value_and_grad(model, loss)();
    std::vector<Tensor> parts;
    for (const auto &[name, y] : test.run(model, inputs)) {
      results.push_back({name, count(y)});
      parts.push_back(reshape(y, {-1}));
    }
    for (const NamedTensor &gradient : gradients) {
      names.push_back({gradient.name, count(gradient)});
      parts.push_back(reshape(gradient, {-1}));
    }
    return concat(parts, 0);
  }

  static int64_t count(const Tensor &x) {
    int64_t result = 1;
    for (const Dim &size : x.shape())
      result *= size.value();
    return result;
  }

  void compare(const std::vector<double> &all) const {
    double tolerance = dtype == f64 ? 1e-11 : 1e-5, largest = 0;
    auto at = all.begin();
    auto next = [&](int64_t count) {
      at += count;
      return std::vector<double>(at - count, at);
    };
    size_t good = 0;
    std::vector<Line> outputs = select("result"), gradients = select("gradient");
    for (size_t n = 0; n < outputs.size() && n < results.size(); ++n) {
      int64_t size = results[n].second;
      good +=
          results[n].first == outputs[n].name && agrees(outputs[n], next(size), numbers("a:" + outputs[n].name, size),
                                                        numbers("b:" + outputs[n].name, size), tolerance, 0);
    }
    std::printf("%s: %zu of %zu results", dtype == f64 ? "f64" : "f32", good, outputs.size());
    for (const Line &line : gradients)
      largest = std::max(largest, line.values[2]);
    // What the names became, and the weights of the products in the model's layout.
    float row = 0;
    StateDict rows = published("rows", [&](const Line &line) {
      Array array(f32, line.shape);
      std::fill(array.data<float>().begin(), array.data<float>().end(), line.kind == "tensor" ? row++ : -1.0f);
      return array;
    });
    auto weights = [&](const char *of) {
      return published(of, [&](const Line &line) {
        return Array(numbers(std::string(of) + ":" + line.name, line.count()), line.shape).to(f32);
      });
    };
    StateDict a = weights("a"), b = weights("b");
    size_t found = 0;
    for (const auto &[name, size] : names) {
      std::vector<double> gradient = next(size);
      if (rows.count(name))
        found += agrees(gradients[static_cast<size_t>(rows.at(name).template data<float>()[0])], gradient,
                        doubles(a.at(name)), doubles(b.at(name)), tolerance, tolerance * 0.1 * largest);
    }
    std::printf(", %zu of %zu gradients, of %zu parameters\n", found, gradients.size(), names.size());
  }

  const Case<Model> &test;
  Dtype dtype;
  std::string prefix;
  std::vector<Line> lines;
  Model model;
  std::vector<std::pair<std::string, int64_t>> results, names;
};

/// Compares a model in each of its element types.
template <typename Model>
void check(const Case<Model> &test) {
  std::filesystem::create_directories(test.folder);
  for (Dtype dtype : test.dtypes)
    Check<Model>(test, dtype).run();
}

} // namespace xf::test

#endif // XF_TEST_MODELS_MODEL_H

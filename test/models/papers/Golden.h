//===- Golden.h - Numbers of models that are not ours -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs/golden.py computes the numbers with torch in f64, and says what they are: <result, weights>, and the product
// of each gradient of it with other weights. Here a model computes them in f64 and in f32, from values that it loads
// under the names of the file. Each is divided by the sum of its products' absolute values, plus a thousandth of the
// largest such sum, so that one tolerance holds for all of them: gradients that are 0 (those of biases of keys) are
// noise.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_MODELS_PAPERS_GOLDEN_H
#define XF_TEST_MODELS_PAPERS_GOLDEN_H

#include <xf/xf.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <numeric>
#include <sstream>

namespace golden {

using namespace xf;

/// One line of a case; see Inputs/golden.py.
struct Line {
  std::string kind, name;
  std::vector<int64_t> shape;
  double number, size;
};

inline std::vector<Line> readCase(const std::string &path, const std::string &name) {
  std::ifstream file(path);
  std::vector<Line> lines;
  bool isWanted = false;
  for (std::string text; std::getline(file, text);) {
    std::istringstream words(text);
    std::string shape, size;
    Line line{};
    words >> line.kind >> line.name >> shape >> line.number >> line.size;
    if (line.kind == "case") {
      isWanted = line.name == name;
    } else if (isWanted) {
      for (std::istringstream sizes(shape); std::getline(sizes, size, 'x');)
        line.shape.push_back(std::stoll(size));
      lines.push_back(line);
    }
  }
  return lines;
}

inline int64_t countOf(const std::vector<int64_t> &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

/// Element `n` of the tensor `name` as 32 bits: FNV-1a of the name, then the last steps of murmur3.
inline uint32_t bits(const std::string &name, int64_t n) {
  uint32_t seed = 2166136261;
  for (unsigned char byte : name)
    seed = (seed ^ byte) * 16777619;
  uint32_t x = static_cast<uint32_t>(n) * 0x9E3779B1 + seed;
  x = (x ^ (x >> 16)) * 0x85EBCA6B;
  x = (x ^ (x >> 13)) * 0xC2B2AE35;
  return x ^ (x >> 16);
}

/// Multiples of 2^-23 in [-1/2, 1/2), which f32 holds exactly; around 1 for the weights of norms.
inline std::vector<double> elements(const std::string &name, const std::vector<int64_t> &shape) {
  double offset = shape.size() == 1 && name.ends_with("weight") ? 0.5 : -0.5;
  std::vector<double> values;
  for (int64_t n = 0; n < countOf(shape); ++n)
    values.push_back((bits(name, n) >> 9) / 8388608.0 + offset);
  return values;
}

inline Array ids(const Line &line) {
  std::vector<int32_t> values;
  for (int64_t n = 0; n < countOf(line.shape); ++n)
    values.push_back(static_cast<int32_t>(bits(line.name, n) % static_cast<uint32_t>(line.number)));
  return Array(values, line.shape);
}

/// Values of the parameters under the names of the case.
inline StateDict valuesOf(const std::vector<Line> &lines) {
  StateDict values;
  for (const Line &line : lines)
    if (line.kind == "parameter")
      values.insert({line.name, Array(elements(line.name, line.shape), line.shape)});
  return values;
}

inline std::vector<int64_t> sizesOf(const Tensor &x) {
  std::vector<int64_t> sizes;
  for (const Dim &size : x.shape())
    sizes.push_back(size.value());
  return sizes;
}

inline Tensor weigh(const Tensor &x, const std::string &name) {
  std::vector<int64_t> sizes = sizesOf(x);
  return sum(x * constant(elements(name, sizes), x.shape(), x.dtype()));
}

/// Writes an array as numpy's NPY file.
inline void writeNpy(const std::string &path, const Array &array) {
  std::string sizes;
  for (int64_t size : array.shape())
    sizes += std::to_string(size) + ",";
  std::string type = array.dtype() == f64 ? "<f8" : array.dtype() == f32 ? "<f4" : "<i4";
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
  header.resize((header.size() + 10) / 64 * 64 + 53, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file << "\x93NUMPY\x01" << '\0' << static_cast<char>(header.size() & 255) << static_cast<char>(header.size() >> 8)
       << header;
  file.write(reinterpret_cast<const char *>(array.bytes().data()), static_cast<std::streamsize>(array.bytes().size()));
}

/// Where the cases are, and where programs are saved for other targets ("": nowhere). The arguments of a test program.
struct Settings {
  std::string cases, folder;
};
inline Settings settings(int argc, char **argv) { return {argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : ""}; }

/// What a case needs to run: the lines, the numbers over their bounds in order, and the inputs.
struct Prepared {
  std::vector<Line> lines;
  std::map<std::string, double> bounds;
  std::vector<std::string> order;
  std::vector<TensorSpec> specs;
  Arrays inputs;
  Array expected;
};

/// Puts the lines into the order of the program's numbers: the result, inputs, and `parameters` under published names.
inline Prepared prepare(std::vector<Line> lines, const std::vector<std::string> &parameters, Dtype dtype) {
  Prepared run;
  run.lines = std::move(lines);
  double largest = 0;
  std::map<std::string, const Line *> byName;
  for (const Line &line : run.lines) {
    if (line.kind == "ids") {
      run.specs.push_back({line.name, i32, Shape(line.shape.begin(), line.shape.end())});
      run.inputs.insert({line.name, ids(line)});
      continue;
    }
    byName[line.name] = &line;
    largest = line.kind == "result" ? largest : std::max(largest, line.size);
    if (line.kind == "parameter")
      continue;
    run.order.push_back(line.name);
    if (line.kind == "result")
      continue;
    run.specs.push_back({line.name, dtype, Shape(line.shape.begin(), line.shape.end())});
    run.inputs.insert({line.name, Array(elements(line.name, line.shape), line.shape).to(dtype)});
  }
  run.order.insert(run.order.end(), parameters.begin(), parameters.end());
  std::vector<double> expected;
  for (const std::string &name : run.order) {
    const Line &line = *byName.at(name);
    run.bounds[name] = line.size + largest / 1000;
    expected.push_back(line.number / run.bounds[name]);
  }
  run.expected = Array(expected).to(dtype);
  return run;
}

/// Returns the published names of the model's parameters, in their order.
inline std::vector<std::string> publishedNames(const nn::Module &model, const StateDict &published,
                                               const std::vector<std::pair<std::string, std::string>> &rules) {
  std::map<std::string, std::string> before;
  StateDict numbered;
  std::vector<std::string> names;
  for (const auto &[name, value] : published) {
    numbered.insert({name, Array(static_cast<int64_t>(names.size()))});
    names.push_back(name);
  }
  for (const auto &[name, number] : rename(numbered, rules))
    before[name] = names[number.item<int64_t>()];
  std::vector<std::string> order;
  for (const auto &[name, parameter] : model.named_parameters())
    order.push_back(before.at(name));
  return order;
}

using Rules = std::vector<std::pair<std::string, std::string>>;

/// Adds the entry that computes the numbers of a case.
template <typename Model, typename Call>
void addNumbers(Program &program, const Model &model, const Prepared &run, const Call &call) {
  program.entry("numbers", run.specs, [&](const std::vector<Tensor> &inputs) {
    std::vector<Tensor> floats, numbers;
    for (const Tensor &input : inputs)
      if (is_float(input.dtype()))
        floats.push_back(input);
    auto loss = [&](const std::vector<Tensor> &at) {
      std::vector<Tensor> all;
      size_t next = 0;
      for (const Tensor &input : inputs)
        all.push_back(is_float(input.dtype()) ? at[next++] : input);
      return weigh(call(model, all), "result");
    };
    auto add = [&](const Tensor &number) {
      numbers.push_back(reshape(number * (1 / run.bounds.at(run.order[numbers.size()])), {1}));
    };
    auto parameters = value_and_grad(model, [&] { return loss(floats); })();
    add(parameters.value);
    if (!floats.empty())
      for (const Tensor &gradient : value_and_grad(loss)(floats).gradients)
        add(weigh(gradient, "d_" + run.order[numbers.size()]));
    for (const Tensor &gradient : parameters.gradients)
      add(weigh(gradient, "d_" + run.order[numbers.size()]));
    return concat(numbers, 0);
  });
}

/// Saves what xf-run needs to run the program on another target (Inputs/run_saved.py).
inline void save(const std::string &prefix, const Program &program, const nn::Module &model, const Prepared &run) {
  program.save(prefix + ".mlir");
  save_safetensors(prefix + ".safetensors", model.state_dict());
  for (const auto &[name, array] : run.inputs)
    writeNpy(prefix + ".input." + name + ".npy", array);
  writeNpy(prefix + ".expected.npy", run.expected);
}

/// Computes the numbers of the case `name` by `make()`, whose results `call` computes from the inputs, in each of
/// `dtypes`. Values are loaded under the names of the case, renamed by `rules`; all have to be there.
template <typename Make, typename Call>
void compare(const Settings &settings, const std::string &name, const Rules &rules, const Make &make, const Call &call,
             const std::vector<Dtype> &dtypes = {f64, f32}) {
  std::vector<Line> lines = readCase(settings.cases, name);
  for (Dtype dtype : dtypes) {
    auto model = make();
    model.to(dtype);
    StateDict published = valuesOf(lines);
    model.load_state_dict(rename(published, rules), {.cast = true});
    Prepared run = prepare(lines, publishedNames(model, published, rules), dtype);
    Program program("model", model);
    addNumbers(program, model, run, call);
    if (!settings.folder.empty())
      save(settings.folder + "/" + name + "." + xf::name(dtype), program, model, run);
    Array numbers = program.compile().call("numbers", run.inputs).at("numbers").to(f64),
          expected = run.expected.to(f64);
    double tolerance = dtype == f64 ? 1e-12 : 1e-5, largest = 0;
    for (size_t n = 0; n < run.order.size(); ++n) {
      double difference = std::abs(numbers.data<double>()[n] - expected.data<double>()[n]);
      if (!(difference <= tolerance))
        std::printf("%s %s: %s: expected %.12f, got %.12f\n", name.c_str(), xf::name(dtype), run.order[n].c_str(),
                    expected.data<double>()[n], numbers.data<double>()[n]);
      largest = std::max(largest, difference);
    }
    std::printf("%s %s: %zu numbers, %s\n", name.c_str(), xf::name(dtype), run.order.size(),
                largest <= tolerance && !run.order.empty() ? "equal" : "different");
  }
}

} // namespace golden

#endif // XF_TEST_MODELS_PAPERS_GOLDEN_H

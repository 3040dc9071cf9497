//===- Assignments.cpp - NAME=VALUE on the command line -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assignments.h"
#include "../support/NearestWord.h"
#include "../support/PrintableText.h"
#include "Npy.h"

#include <algorithm>
#include <math.h>

using namespace xfrt::tools;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static std::vector<std::string> namesOf(const std::vector<TensorSpec> &specs) {
  std::vector<std::string> names;
  for (const TensorSpec &spec : specs)
    names.push_back(spec.name);
  return names;
}

/// Splits "NAME=VALUE" into a name of `specs` and the value. Sets `index` to the index of the name in `specs`. A name
/// may contain '='; if several names fit, takes the longest. Fails if no name fits.
static bool splitAssignment(const std::vector<TensorSpec> &specs, const std::string &assignment, const char *option,
                            size_t &index, std::string &value, Failure &failure) {
  size_t best = std::string::npos;
  for (size_t i = 0; i < specs.size(); ++i) {
    const std::string &name = specs[i].name;
    bool fits = assignment.size() > name.size() && assignment[name.size()] == '=' && assignment.rfind(name, 0) == 0;
    if (fits && (best == std::string::npos || name.size() > specs[best].name.size()))
      best = i;
  }
  if (best != std::string::npos) {
    index = best;
    value = assignment.substr(specs[best].name.size() + 1);
    return true;
  }
  std::string prefix = std::string("--") + option + ": ";
  size_t equals = assignment.find('=');
  if (equals == std::string::npos)
    return failure.set(exitUsage, prefix + "expected NAME=VALUE, got '" + assignment + "'");
  std::string name = assignment.substr(0, equals), all;
  for (const TensorSpec &spec : specs)
    all += (all.empty() ? "" : ", ") + spec.name;
  return failure.set(exitUsage, prefix + "expected one of " + all + ", got '" + name + "'" +
                                    xfrt::suggestion(name, namesOf(specs)));
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static std::string quoted(const TensorSpec &spec) { return "input '" + spec.name + "': "; }

/// Parses a shape and a type, such as "2x4x8xf32", or "f32" for a scalar. Returns false for any other text.
static bool parseShape(std::string_view text, std::vector<int64_t> &shape, int32_t &dtype) {
  for (;;) {
    size_t cross = text.find('x');
    int64_t size;
    if (cross == std::string_view::npos || !parseInteger(text.substr(0, cross), 0, INT64_MAX, size))
      break;
    shape.push_back(size);
    text.remove_prefix(cross + 1);
  }
  dtype = parseDtype(text);
  return dtype >= 0;
}

static bool parseSeed(std::string_view text, int64_t &seed) {
  constexpr std::string_view call = "random(";
  return text.rfind(call, 0) == 0 && text.back() == ')' &&
         parseInteger(text.substr(call.size(), text.size() - call.size() - 1), INT64_MIN, INT64_MAX, seed);
}

static bool fill(const TensorSpec &spec, const std::string &text, Tensor &tensor, Failure &failure) {
  int64_t seed, whole;
  double value;
  if (parseSeed(text, seed)) {
    fillRandom(tensor, spec, uint64_t(seed));
    return true;
  }
  int64_t lowest = tensor.dtype == XFRT_I32 ? INT32_MIN : INT64_MIN;
  int64_t highest = tensor.dtype == XFRT_I32 ? INT32_MAX : INT64_MAX;
  bool real = isFloat(tensor.dtype);
  if (real ? !parseReal(text, value) : !parseInteger(text, lowest, highest, whole))
    return failure.set(exitUsage, quoted(spec) + "expected @FILE, " + (real ? "a number" : "an integer") +
                                      " or random(SEED), got '" + text + "'");
  for (int64_t i = 0; i < tensor.count(); ++i)
    real ? tensor.setReal(i, value) : tensor.setInteger(i, whole);
  return true;
}

/// Makes a tensor from "[SHAPExTYPE=]VALUE", where VALUE is a number for all elements or random(SEED). Fails unless
/// shape and type fit `spec`.
static bool generate(const TensorSpec &spec, const std::string &text, Tensor &tensor, Failure &failure) {
  size_t equals = text.find('=');
  std::vector<int64_t> shape;
  int32_t dtype = spec.dtype;
  if (equals == std::string::npos) {
    if (!spec.isStatic())
      return failure.set(exitUsage, quoted(spec) + "expected a shape, as in 2x8x" + xfrt_dtype_name(dtype) + "=" +
                                        text + ", because the program takes " + describeShape(spec.shape));
    shape = spec.shape;
  } else if (!parseShape(std::string_view(text).substr(0, equals), shape, dtype)) {
    return failure.set(exitUsage, quoted(spec) + "expected a shape and a type as in 2x8xf32, got '" +
                                      text.substr(0, equals) + "'");
  }
  if (dtype != spec.dtype)
    return failure.set(exitFailure,
                       quoted(spec) + "expected " + xfrt_dtype_name(spec.dtype) + ", got " + xfrt_dtype_name(dtype));
  if (!spec.accepts(shape))
    return failure.set(exitFailure,
                       quoted(spec) + "expected shape " + describeShape(spec.shape) + ", got " + describeShape(shape));
  std::string error;
  if (!tensor.allocate(dtype, std::move(shape), error))
    return failure.set(exitFailure, quoted(spec) + error);
  return fill(spec, equals == std::string::npos ? text : text.substr(equals + 1), tensor, failure);
}

static bool readFile(const TensorSpec &spec, const std::string &path, Tensor &tensor, Failure &failure) {
  std::string error;
  if (!readNpy(path, spec.dtype, tensor, error))
    return failure.set(exitFailure, quoted(spec) + error);
  if (!spec.accepts(tensor.shape))
    return failure.set(exitFailure, quoted(spec) + "'" + path + "': expected shape " + describeShape(spec.shape) +
                                        ", got " + describeShape(tensor.shape));
  return true;
}

bool xfrt::tools::readInputs(const std::vector<TensorSpec> &specs, const std::vector<std::string> &assignments,
                             std::vector<std::optional<Tensor>> &values, Failure &failure) {
  values.resize(specs.size());
  for (const std::string &assignment : assignments) {
    size_t index;
    std::string text;
    if (!splitAssignment(specs, assignment, "input", index, text, failure))
      return false;
    if (values[index])
      return failure.set(exitUsage, quoted(specs[index]) + "expected one value, got two");
    Tensor tensor;
    bool good = text.rfind('@', 0) == 0 ? readFile(specs[index], text.substr(1), tensor, failure)
                                        : generate(specs[index], text, tensor, failure);
    if (!good)
      return false;
    values[index] = std::move(tensor);
  }
  return true;
}

bool xfrt::tools::checkInputsGiven(const std::vector<TensorSpec> &specs,
                                   const std::vector<std::optional<Tensor>> &values, Failure &failure) {
  std::string missing;
  for (size_t i = 0; i < specs.size(); ++i)
    if (specs[i].required && !values[i])
      missing += (missing.empty() ? "" : ", ") + specs[i].name + " (" + describeShape(specs[i].shape) + " " +
                 xfrt_dtype_name(specs[i].dtype) + ")";
  return missing.empty() || failure.set(exitUsage, "expected --input=NAME=VALUE for " + missing);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

bool xfrt::tools::parseResultFiles(const std::vector<TensorSpec> &results, const std::vector<std::string> &assignments,
                                   const char *option, std::vector<ResultFile> &files, Failure &failure) {
  for (const std::string &assignment : assignments) {
    ResultFile file;
    std::string value;
    if (!splitAssignment(results, assignment, option, file.result, value, failure))
      return false;
    if (value.size() < 2 || value[0] != '@')
      return failure.set(exitUsage, std::string("--") + option + ": expected NAME=@FILE, got '" + assignment + "'");
    file.path = value.substr(1);
    files.push_back(std::move(file));
  }
  return true;
}

/// Returns the type in which to read the expected values of a result of type `dtype`. It is the widest type of the same
/// kind, so that the values remain exact.
static int32_t widest(int32_t dtype) { return isFloat(dtype) ? XFRT_F64 : dtype == XFRT_BOOL ? XFRT_BOOL : XFRT_I64; }

static double distance(double got, double want) {
  if (got == want || (isnan(got) && isnan(want)))
    return 0;
  double difference = fabs(got - want);
  return isnan(difference) ? INFINITY : difference;
}

bool xfrt::tools::compareWithFile(const Tensor &got, const TensorSpec &spec, const std::string &path, double rtol,
                                  double atol, Failure &failure) {
  Tensor want;
  std::string error, what = "result '" + spec.name + "': ";
  if (!readNpy(path, widest(spec.dtype), want, error))
    return failure.set(exitFailure, what + error);
  if (want.shape != got.shape)
    return failure.set(exitFailure, what + "expected shape " + describeShape(want.shape) + " of '" + path + "', got " +
                                        describeShape(got.shape));
  return compareTensors(got, want, spec, rtol, atol, failure);
}

bool xfrt::tools::compareTensors(const Tensor &got, const Tensor &want, const TensorSpec &spec, double rtol,
                                 double atol, Failure &failure) {
  int64_t outside = 0, first = 0;
  double largest = 0;
  for (int64_t i = 0; i < got.count(); ++i) {
    double error = distance(got.real(i), want.real(i)), bound = atol + rtol * fabs(want.real(i));
    largest = fmax(largest, error);
    if (error == 0 || (error <= bound && error < INFINITY))
      continue;
    if (outside++ == 0)
      first = i;
  }
  if (outside == 0)
    return true;
  char text[256];
  snprintf(
      text, sizeof(text),
      "expected %.9g at index %lld, got %.9g; %lld of %lld elements differ by more than the tolerance, at most %.3g",
      want.real(first), (long long)first, got.real(first), (long long)outside, (long long)got.count(), largest);
  return failure.set(exitFailure, "result '" + spec.name + "': " + text);
}

void xfrt::tools::printSummary(const TensorSpec &spec, const Tensor &tensor) {
  printf("%s : %s %s", printableText(spec.name).c_str(), describeShape(tensor.shape).c_str(),
         xfrt_dtype_name(tensor.dtype));
  const int64_t shown = 6;
  for (int64_t i = 0; i < std::min(tensor.count(), shown); ++i)
    printf("%s%.7g", i ? ", " : " = ", tensor.real(i));
  if (tensor.count() > shown) {
    double lowest = INFINITY, highest = -INFINITY, sum = 0;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      lowest = fmin(lowest, tensor.real(i));
      highest = fmax(highest, tensor.real(i));
      sum += tensor.real(i);
    }
    printf(", .. (min %.7g, max %.7g, mean %.7g)", lowest, highest, sum / double(tensor.count()));
  }
  printf("\n");
}

//===- xfrt/xfrt.hpp - Running a compiled object from C++ --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the headers that xfc writes build on: a thin C++17 layer over the C interface, nothing but inline functions.
//
//   byte_lm::Model model;                       // threads, workspace and parameters
//   model.load("weights.safetensors");
//   float loss = model.train({.tokens = tokens, .targets = targets, .learning_rate = 3e-4f});
//
// Errors: xfrt::Error is thrown; a program that is built without exceptions prints its text and aborts.
// Threads: one call at a time on each instance, as for xfrt_context.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_XFRT_HPP
#define XFRT_XFRT_HPP

#include "xfrt/parameters.h"
#include "xfrt/xfrt.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

namespace xfrt {

/// A function of the library failed.
class Error : public std::runtime_error {
public:
  Error(xfrt_status status, const std::string &text) : std::runtime_error(text), code(status) {}
  xfrt_status status() const { return code; }

private:
  xfrt_status code;
};

/// Throws what a failed call said; without exceptions, prints it and aborts.
[[noreturn]] inline void fail(xfrt_status status, const char *text) {
  std::string message = std::string(xfrt_status_name(status)) + ": " + (text ? text : "");
#if defined(__cpp_exceptions)
  throw Error(status, message);
#else
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
#endif
}

/// A tensor of an entry as the program declares it. Sizes that are known at call time only are -1.
struct TensorSpec {
  const char *name; ///< as the user wrote it, UTF-8
  xfrt_dtype dtype;
  xfrt_role role;
  int32_t rank;
  const int64_t *shape; ///< [rank]; null for a scalar
};

/// A model with its threads, workspace and parameters; freed at the end of its life.
class Instance {
public:
  /// `model` outlives the instance. Parameters are zero until they are loaded or written.
  explicit Instance(const xfrt_model &model, const xfrt_options &options = xfrt_options()) {
    xfrt_context *newContext = nullptr;
    if (xfrt_status status = xfrt_create(&model, &options, &newContext))
      fail(status, xfrt_message(nullptr));
    ownContext.reset(newContext);
    xfrt_parameters *newParameters = nullptr;
    if (xfrt_status status = xfrt_parameters_create(&model, &options, &newParameters))
      fail(status, xfrt_message(nullptr));
    ownParameters.reset(newParameters);
  }

  /// Reads a safetensors file; names, types and shapes must be the model's. Every difference is listed in the message.
  void load(const std::string &path, uint32_t contents = XFRT_WEIGHTS) {
    checkStore(xfrt_parameters_load(parameters(), path.c_str(), contents));
    xfrt_forget_parameters(context());
  }

  /// Writes a safetensors file, whole or not at all.
  void save(const std::string &path, uint32_t contents = XFRT_WEIGHTS) {
    check(xfrt_fetch_parameters(context()));
    checkStore(xfrt_parameters_save(parameters(), path.c_str(), contents, nullptr, 0));
  }

  /// The memory of a parameter or state, by its name in the state dict; valid as long as the instance. Where parameters
  /// are held or resident (xfrt_hold), see xfrt_forget_parameters before it is written, xfrt_fetch_parameters before it
  /// is read.
  xfrt_buffer parameter(const std::string &name) {
    xfrt_buffer buffer;
    checkStore(xfrt_parameters_get(parameters(), name.c_str(), &buffer));
    return buffer;
  }

  /// Returns the memory of a state, which has its values until the next call; those written into it before then take
  /// effect.
  xfrt_buffer state(const std::string &name) {
    xfrt_buffer buffer = parameter(name);
    if (buffer.data) {
      check(xfrt_fetch_parameter(context(), buffer.data));
      xfrt_forget_parameter(context(), buffer.data);
    }
    return buffer;
  }

  /// For the functions of xfrt/xfrt.h and xfrt/parameters.h; owned by the instance.
  xfrt_context *context() { return ownContext.get(); }
  xfrt_parameters *parameters() { return ownParameters.get(); }

protected:
  /// Fails with the message of the context.
  void check(xfrt_status status) {
    if (status != XFRT_OK)
      fail(status, xfrt_message(context()));
  }

private:
  struct Release {
    void operator()(xfrt_context *context) const { xfrt_destroy(context); }
    void operator()(xfrt_parameters *parameters) const { xfrt_parameters_destroy(parameters); }
  };

  void checkStore(xfrt_status status) {
    if (status != XFRT_OK)
      fail(status, xfrt_parameters_message(parameters()));
  }

  std::unique_ptr<xfrt_context, Release> ownContext;
  std::unique_ptr<xfrt_parameters, Release> ownParameters;
};

} // namespace xfrt

#endif // XFRT_XFRT_HPP

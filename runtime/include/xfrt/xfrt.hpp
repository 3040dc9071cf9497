//===- xfrt/xfrt.hpp - Running a compiled object from C++ --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The classes that the C++ headers written by xfc build on: a thin C++17 layer over the C interface, nothing but inline
// functions.
//
//   gpt2::Model model;                          // threads, workspace and parameters
//   model.load("weights.safetensors");
//   float loss = model.train({.tokens = tokens, .targets = targets, .learning_rate = 3e-4f});
//
// Errors: xfrt::Error is thrown; a program that is built without exceptions prints its text and aborts.
// Threads: one call at a time on each instance, as for xfrt_context.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_XFRT_HPP
#define XFRT_XFRT_HPP

#include "xfrt/error.hpp"
#include "xfrt/parameters.h"
#include "xfrt/tensor.hpp"
#include "xfrt/xfrt.h"

#include <memory>
#include <string>
#include <vector>

namespace xfrt {

/// A tensor of an entry as the program declares it. A size that is known only in a call is -1 here.
struct TensorSpec {
  const char *name; ///< as the user wrote it, UTF-8
  xfrt_dtype dtype;
  xfrt_role role;
  int32_t rank;
  const int64_t *shape; ///< [rank]; null for a scalar
};

/// The ranks of the running program, opened by a plug-in (xfrt_open_communicator). The destructor closes them.
class Communicator {
public:
  /// `library` is the plug-in's file. Null means MPI.
  explicit Communicator(const char *library = nullptr) {
    if (xfrt_status status = xfrt_open_communicator(library, &table))
      fail(status, xfrt_message(nullptr));
  }
  ~Communicator() { table.close(&table); }
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;

  /// Returns the communicator for xfrt_options::communicator. This object owns it.
  const xfrt_communicator *get() const { return &table; }
  int32_t rank() const { return table.rank; }
  int32_t size() const { return table.size; }

private:
  xfrt_communicator table;
};

/// Returns the ranks of MPI, for xfrt_options::communicator. The first call opens them. The end of the process closes
/// them, and ends MPI unless the program has initialised it.
inline const xfrt_communicator *mpi() {
  static const Communicator communicator;
  return communicator.get();
}

/// Returns NCCL between the GPUs of the ranks of MPI, for xfrt_options::communicator. `device` is the number of this
/// rank's GPU, and must be xfrt_options::device_number. The first call opens NCCL, and the end of the process closes
/// it. A later call with another `device` fails with XFRT_INVALID_ARGUMENT.
inline const xfrt_communicator *nccl(int32_t device) {
  struct Gpus {
    explicit Gpus(int32_t device) {
      if (xfrt_status status = xfrt_open_nccl(mpi(), device, 0, &table))
        fail(status, xfrt_message(nullptr));
    }
    ~Gpus() { table.close(&table); }
    xfrt_communicator table;
  };
  static const Gpus gpus(device);
  if (gpus.table.gpu != device + 1)
    fail(XFRT_INVALID_ARGUMENT, "expected the GPU of the first call");
  return &gpus.table;
}

/// A model with its threads, workspace and parameters. The destructor frees them.
class Instance {
public:
  /// `model` must outlive the instance. Parameters are zero until they are loaded or written.
  explicit Instance(const xfrt_model &model, const xfrt_options &options = xfrt_options()) {
    xfrt_context *newContext = nullptr;
    if (xfrt_status status = xfrt_create(&model, &options, &newContext))
      fail(status, xfrt_message(nullptr));
    ownContext.reset(newContext);
    xfrt_parameters *newParameters = nullptr;
    if (xfrt_status status = xfrt_parameters_create(&model, &options, &newParameters))
      fail(status, xfrt_message(nullptr));
    ownParameters.reset(newParameters);
    if (options.device != XFRT_CPU)
      deviceNumber = options.device_number;
  }

  /// Runs an entry by its name, on tensors (xfrt/tensor.hpp) in the order in which the program declares them. `inputs`
  /// are the entry's arguments without parameters and states, which the instance has. `results` are its results without
  /// those that update an argument. Copies nothing, so tensors must be packed. A result, and an input that the entry
  /// updates, must not be read-only. A loop that must not allocate memory calls the entry's own method, or xfrt_call.
  void call(const std::string &entry, const std::vector<Tensor> &inputs, const std::vector<Tensor> &results);

  /// Reads a safetensors file. Names, types and shapes must be those of the model; the message of a failure lists every
  /// difference.
  void load(const std::string &path, uint32_t contents = XFRT_WEIGHTS) {
    checkStore(xfrt_parameters_load(parameters(), path.c_str(), contents));
    xfrt_forget_parameters(context());
  }

  /// Writes a safetensors file atomically.
  void save(const std::string &path, uint32_t contents = XFRT_WEIGHTS) {
    check(xfrt_fetch_parameters(context()));
    checkStore(xfrt_parameters_save(parameters(), path.c_str(), contents, nullptr, 0));
  }

  /// Returns the memory of a parameter or state, by its name in the state dict. The memory is valid as long as the
  /// instance. If parameters are held or resident (xfrt_hold), writing to it needs xfrt_forget_parameters, and reading
  /// it needs xfrt_fetch_parameters.
  xfrt_buffer parameter(const std::string &name) {
    xfrt_buffer buffer;
    checkStore(xfrt_parameters_get(parameters(), name.c_str(), &buffer));
    return buffer;
  }

  /// Returns the memory of a state. It has the state's values until the next call. Values that the caller writes to it
  /// before the next call are used by that call.
  xfrt_buffer state(const std::string &name) {
    xfrt_buffer buffer = parameter(name);
    if (buffer.data) {
      check(xfrt_fetch_parameter(context(), buffer.data));
      xfrt_forget_parameter(context(), buffer.data);
    }
    return buffer;
  }

  /// Return the handle and the store of the instance, for the functions of xfrt/xfrt.h and xfrt/parameters.h. The
  /// instance owns them.
  xfrt_context *context() { return ownContext.get(); }
  xfrt_parameters *parameters() { return ownParameters.get(); }

protected:
  /// Throws an Error with the message of the context if `status` is not XFRT_OK.
  void check(xfrt_status status) {
    if (status != XFRT_OK)
      fail(status, xfrt_message(context()));
  }

private:
  struct Release {
    void operator()(xfrt_context *context) const { xfrt_destroy(context); }
    void operator()(xfrt_parameters *parameters) const { xfrt_parameters_destroy(parameters); }
  };

  const Tensor &find(const std::string &what, bool isWritten, const std::vector<Tensor> &tensors, size_t index);

  void checkStore(xfrt_status status) {
    if (status != XFRT_OK)
      fail(status, xfrt_parameters_message(parameters()));
  }

  std::unique_ptr<xfrt_context, Release> ownContext;
  std::unique_ptr<xfrt_parameters, Release> ownParameters;
  int32_t deviceNumber = 0;
};

/// Returns tensors[index]. Fails if the entry writes to it and it is read-only, and if it lies in the memory of another
/// GPU, because xfrt_call cannot detect either. `what` names the tensor in messages.
inline const Tensor &Instance::find(const std::string &what, bool isWritten, const std::vector<Tensor> &tensors,
                                    size_t index) {
  const Tensor &tensor = tensors[index];
  if (isWritten && tensor.isReadOnly())
    fail(XFRT_BAD_BUFFER, (what + ": expected memory that may be written, got read-only memory").c_str());
  if (tensor.device() != XFRT_CPU && tensor.deviceNumber() != deviceNumber)
    fail(XFRT_BAD_BUFFER, (what + ": expected memory of GPU " + std::to_string(deviceNumber) + ", got memory of GPU " +
                           std::to_string(tensor.deviceNumber()))
                              .c_str());
  return tensor;
}

/// Binds tensors to the entry's arguments and results, and runs the entry.
inline void Instance::call(const std::string &name, const std::vector<Tensor> &inputs,
                           const std::vector<Tensor> &results) {
  const xfrt_model &model = *xfrt_selected_model(context());
  const int32_t number = xfrt_find_entry(&model, name.c_str());
  const std::string title = "entry '" + name + "': ";
  if (number < 0)
    fail(XFRT_INVALID_ARGUMENT, (title + "expected an entry of the model '" + model.name + "'").c_str());
  const xfrt_entry &entry = model.entries[number];
  std::vector<bool> isUpdated(static_cast<size_t>(entry.argument_count));
  size_t inputCount = 0, resultCount = 0;
  for (int32_t n = 0; n < entry.argument_count; ++n)
    inputCount += entry.arguments[n].role == XFRT_INPUT;
  for (int32_t n = 0; n < entry.result_count; ++n)
    if (entry.results[n].updates < 0)
      ++resultCount;
    else
      isUpdated[static_cast<size_t>(entry.results[n].updates)] = true;
  auto count = [](size_t a, size_t b) { return std::to_string(a) + " inputs and " + std::to_string(b) + " results"; };
  if (inputs.size() != inputCount || results.size() != resultCount)
    fail(XFRT_INVALID_ARGUMENT,
         (title + "expected " + count(inputCount, resultCount) + ", got " + count(inputs.size(), results.size()))
             .c_str());
  std::vector<xfrt_buffer> arguments(isUpdated.size()), written(static_cast<size_t>(entry.result_count));
  size_t next = 0;
  for (size_t n = 0; n < arguments.size(); ++n)
    if (entry.arguments[n].role == XFRT_INPUT)
      arguments[n] = find(title + "argument '" + entry.arguments[n].name + "'", isUpdated[n], inputs, next++).buffer();
  checkStore(xfrt_parameters_bind(parameters(), number, arguments.data(), entry.argument_count));
  next = 0;
  for (size_t n = 0; n < written.size(); ++n) // a result that updates an argument stays null
    if (entry.results[n].updates < 0)
      written[n] = find(title + "result '" + entry.results[n].name + "'", true, results, next++).buffer();
  check(xfrt_call(context(), number, arguments.data(), entry.argument_count, written.data(), entry.result_count));
}

} // namespace xfrt

#endif // XFRT_XFRT_HPP

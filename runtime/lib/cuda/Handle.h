//===- Handle.h - The state of a GPU handle --------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The GPU's part of a handle; the xfrt_context verifies what the caller passes. Like the context, a Handle is one block
// of memory from the allocate hook.
//
//   Call.cpp       implements functions of the library
//   Transfer.cpp   assigns device addresses to arguments and results, copies them, keeps copies of parameters
//   Launch.cpp     runs the entry's kernels
//   Graph.cpp      replays the kernels where frame and addresses have not changed
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_HANDLE_H
#define XFRT_LIB_CUDA_HANDLE_H

#include "../Context.h"
#include "Device.h"
#include "Image.h"

namespace xfrt::cuda {

/// Alignment of staged copies in bytes: tensor maps and wide loads need 16, and cache lines have 128.
constexpr size_t stagedAlignment = 256;

/// Where an argument or result of the call in progress lies on the device.
struct Place {
  enum Kind : int32_t {
    Given,  ///< device memory of the caller
    Staged, ///< a copy for this call, in Handle::staging
    Kept    ///< a parameter's copy that outlives the call
  };
  Kind kind;
  int32_t parameter; ///< Kept only: into Handle::parameters
  Address address;
};

/// The copy of a parameter on the device, shared by all entries that name the parameter.
struct KeptParameter {
  const char *name;
  Block block;
  void *source;  ///< the host's memory that the copy was read from; null where the copy is not valid
  int64_t bytes; ///< size of the values
  bool isNewer;  ///< the copy has updates that the host's memory lacks
};

/// A tensor map with the address, sizes and strides that it was encoded from.
struct EncodedMap {
  TensorMap map;
  Address address;
  int64_t sizes[5], strides[5];
  bool isEncoded;
};

/// The launches of an entry, recorded as a CUDA graph.
struct EntryGraph {
  int64_t *key; ///< addresses and frame of the previous call
  int32_t keySize;
  bool hasKey, isRefused;
  GraphExec exec;
};

/// An entry's part of the arrays of a handle, and its graph.
struct EntryState {
  int32_t firstKernel;   ///< into Handle::kernels
  int32_t firstMap;      ///< into Handle::maps
  int32_t firstArgument; ///< into Handle::parameterOf
  EntryGraph graph;
};

/// The GPU's part of a handle: device, loaded kernels and device memory.
struct Handle {
  Device device;
  Allocator allocator;
  size_t blockBytes = 0;
  int32_t hold = XFRT_READ_PARAMETERS;
  int32_t entryCount = 0, parameterCount = 0;

  Module module = nullptr;
  LoadedKernel *kernels = nullptr;
  EntryState *entries = nullptr;
  EncodedMap *maps = nullptr;
  Block constants, arena, held, staging;
  KeptParameter *parameters = nullptr;
  int32_t *parameterOf = nullptr;     ///< for each argument of each entry: index into parameters, or -1 for inputs
  const void **heldSources = nullptr; ///< as xfrt_context::heldSources

  // State of the call in progress.
  Place *arguments = nullptr, *results = nullptr;
  void **launchParameters = nullptr;
  char *integers = nullptr; ///< host memory for elements to be verified, copied from the device
  size_t integerBytes = 0;
};

/// Creates the GPU's part of a handle, and replaces `model` by the model that the device runs. On success the caller
/// owns *handle and must call destroyHandle. On failure `handle` is null and `model` is unchanged.
xfrt_status createHandle(const xfrt_model *&model, const xfrt_options &options, const Allocator &allocator,
                         Handle *&handle, Message &message);
void destroyHandle(Handle *handle);

/// Allocates device memory for the caller, which any stream may use. `bytes` > 0.
xfrt_status allocate(Handle &handle, size_t bytes, void *&data);
void release(Handle &handle, void *data);

/// Copies `from` to `to`, spans of equal length, after the handle's earlier work, and waits for the copy.
xfrt_status copy(Handle &handle, const Span &from, const Span &to);

/// Implement xfrt_fetch_parameters, xfrt_call after bindBuffers, and xfrt_reserve.
xfrt_status fetch(Handle &handle);
xfrt_status call(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);
xfrt_status reserve(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_HANDLE_H

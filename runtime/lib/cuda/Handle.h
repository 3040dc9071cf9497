//===- Handle.h - What a handle for a GPU holds ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside the xfrt_context, which checks what the caller gives. One block of memory from the allocate hook, as there.
//
//   Call.cpp       what functions of the library do with it
//   Transfer.cpp   gives every argument and result an address on the device, copies in and out, keeps parameters
//   Launch.cpp     runs the entry's kernels
//   Graph.cpp      replays them where nothing but the data has changed
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_HANDLE_H
#define XFRT_LIB_CUDA_HANDLE_H

#include "../Context.h"
#include "Device.h"
#include "Image.h"

namespace xfrt::cuda {

/// What copies begin at: tensor maps and wide loads need 16, and lines of the cache are 128.
constexpr size_t stagedAlignment = 256;

/// Where an argument or result of the call in progress lies on the device.
struct Place {
  enum Kind : int32_t {
    Given,  ///< memory of the device that the caller gave
    Staged, ///< a copy for this call, in Handle::staging
    Kept    ///< a parameter's copy that outlives the call
  };
  Kind kind;
  int32_t parameter; ///< Kept only: into Handle::parameters
  Address address;
};

/// A parameter of the model: its copy on the device, shared by all entries that name it.
struct KeptParameter {
  const char *name;
  Block block;
  void *source;  ///< the host's memory whose values the copy has; null for none
  int64_t bytes; ///< of the values
  bool isNewer;  ///< than the host's memory
};

/// A tensor map with what it was made from.
struct EncodedMap {
  TensorMap map;
  Address address;
  int64_t sizes[5], strides[5];
  bool isEncoded;
};

/// The launches of an entry as the driver replays them.
struct EntryGraph {
  int64_t *key; ///< addresses and frame of the call before
  int32_t keySize;
  bool hasKey, isRefused;
  GraphExec exec;
};

struct EntryState {
  int32_t firstKernel;   ///< into Handle::kernels
  int32_t firstMap;      ///< into Handle::maps
  int32_t firstArgument; ///< into Handle::parameterOf
  EntryGraph graph;
};

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
  int32_t *parameterOf = nullptr;     ///< of each argument of each entry; -1 for inputs
  const void **heldSources = nullptr; ///< as xfrt_context::heldSources

  // Of the call in progress.
  Place *arguments = nullptr, *results = nullptr;
  void **launchParameters = nullptr;
  char *integers = nullptr; ///< elements to be checked, from the device
  size_t integerBytes = 0;
};

/// Makes the GPU's part of a handle. On success `handle` holds what destroyHandle ends, and `model` is what runs.
xfrt_status createHandle(const xfrt_model *&model, const xfrt_options &options, const Allocator &allocator,
                         Handle *&handle, Message &message);
void destroyHandle(Handle *handle);

/// Memory for the caller, which any stream may use; 0 bytes are none.
xfrt_status allocate(Handle &handle, size_t bytes, void *&data);
void release(Handle &handle, void *data);

/// Copies after the handle's earlier work, and waits. The spans are as long as each other.
xfrt_status copy(Handle &handle, const Span &from, const Span &to);

/// xfrt_fetch_parameters, xfrt_call after its buffers are bound, and xfrt_reserve.
xfrt_status fetch(Handle &handle);
xfrt_status call(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);
xfrt_status reserve(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_HANDLE_H

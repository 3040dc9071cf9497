//===- Handle.h - The state of a GPU handle --------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state that a GPU keeps for a handle. Like the xfrt_context, a Handle is one block of memory from the allocate
// hook.
//
//   Device.cpp     the table of functions (Device), and those for memory of callers
//   Create.cpp     creates and destroys a handle
//   Call.cpp       verifies and runs a call
//   Transfer.cpp   assigns device addresses to arguments and results, copies them, keeps copies of parameters
//   Launch.cpp     enqueues the entry's steps
//   Collective.cpp runs collectives, if there are several ranks
//   Graph.cpp      replays the steps of a call whose frame and addresses have not changed
//   Events.cpp     measures the times of steps, for traces and profiles
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_HANDLE_H
#define XFRT_LIB_CUDA_HANDLE_H

#include "../Context.h"
#include "Events.h"
#include "Gpu.h"
#include "Image.h"

namespace xfrt::cuda {

/// Alignment in bytes of staged copies. Tensor maps and wide loads need 16, and cache lines have 128.
constexpr size_t stagedAlignment = 256;

/// Where an argument or result of the call in progress lies on the device.
struct Place {
  enum Kind : int32_t {
    Given,  ///< device memory of the caller
    Staged, ///< a copy for this call, in Handle::staging
    Kept    ///< a parameter's copy that outlives the call
  };
  Kind kind;
  int32_t parameter; ///< Kept only: index into KeptParameters::kept
  Address address;
};

/// A copy of a parameter on the device that is kept from call to call. All entries with a parameter of this name share
/// the copy.
struct KeptParameter {
  const char *name;
  Block block;
  void *source;  ///< the host's memory that the copy was read from; null where the copy is not valid
  int64_t bytes; ///< size of the values
  bool isNewer;  ///< the copy has updates that the host's memory lacks
};

/// The parameters and states of the model, which may have copies on the device.
struct KeptParameters {
  int32_t hold = XFRT_READ_PARAMETERS;
  int32_t count = 0;
  KeptParameter *kept = nullptr; ///< each name once
  int32_t *numbers = nullptr;    ///< for each argument of each entry: index into `kept`, or -1 for inputs
};

/// A TMA tensor map, with the address, sizes and strides (in elements) that it was encoded from.
struct EncodedMap {
  TensorMap map;
  Address address;
  int64_t sizes[5], strides[5];
  bool isEncoded;
};

/// A CUDA graph of the steps of an entry, and the key of the call for which it is valid.
struct EntryGraph {
  int64_t *key; ///< the addresses and the frame of the previous call
  int32_t keySize;
  bool hasKey, isRefused;
  GraphExec exec;
};

/// A growing block of host memory, from the caller's hook or the C library.
struct HostBlock {
  char *data;
  size_t bytes;
};

/// The memory, events and ticket that a collective keeps from call to call.
struct CollectiveState {
  HostBlock send, receive; ///< the buffers on the host, if messages do not reach the GPU
  Block parts;             ///< on the device: parts to each member, then parts from each member
  Block headers;           ///< on the device: headers of messages, in the same order
  HostBlock headerCopies;  ///< on the host: copies of `headers`
  HostBlock numbers;       ///< numbers (uint32_t) of the messages to receive, by member
  Event ready, arrived;    ///< `send` may be sent; all is received. Null if messages have no stream
  int32_t ticket;          ///< the ticket of the messages, while they are under way
  bool isUnderWay;
};

/// The collectives of the model.
struct Collectives {
  int32_t count = 0;
  CollectiveState *states = nullptr;
  Stream stream = nullptr;                  ///< that of messages, beside kernels; null: the handle's own stream
  Array<xfrt_peer_message> sends, receives; ///< the messages of the collective that is being started
};

/// The state of the call in progress.
struct CallState {
  Place *arguments = nullptr, *results = nullptr;
  void **launchParameters = nullptr;
  HostBlock integers = {}; ///< elements to be verified, copied from the device
};

/// The state that a handle keeps for an entry: its graph, and the indices at which the entry's elements begin in the
/// handle's arrays.
struct EntryState {
  int32_t firstKernel;   ///< into Handle::kernels
  int32_t firstMap;      ///< into Handle::maps
  int32_t firstArgument; ///< into KeptParameters::numbers
  EntryGraph graph;
};

/// The GPU's part of a handle: device, loaded kernels and device memory.
struct Handle : DeviceState {
  Gpu device;
  Allocator allocator;
  size_t blockBytes = 0;

  Module module = nullptr;
  LoadedKernel *kernels = nullptr;
  int32_t entryCount = 0;
  EntryState *entries = nullptr;
  EncodedMap *maps = nullptr;
  Block constants, arena, held, staging;
  KeptParameters parameters;
  Collectives collectives;
  StepEvents events; ///< events of steps, if the handle has a trace or profile
  CallState call;
};

inline Handle &handleOf(const xfrt_context &context) { return static_cast<Handle &>(*context.state); }

/// Implement the functions of Device that have the same names.
xfrt_status create(const xfrt_options &options, const Allocator &allocator, const xfrt_model *&model,
                   DeviceState *&state, Message &message);
void destroy(DeviceState *state);
xfrt_status reserve(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);
xfrt_status call(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);
xfrt_status fetch(xfrt_context &context, const void *data);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_HANDLE_H

//===- Device.h - What a handle runs on -------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface between the library and a device. The functions of the library verify what the caller passes. The
// device owns its memory and its copies of parameters, and runs the steps of a call. cpu/ and cuda/ implement the
// interface. Only Devices.cpp names them.
//
// The interface is a table of functions, not an abstract class. The vtable of an abstract class refers to the C++
// runtime, which a program with the static library need not link.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_DEVICE_H
#define XFRT_LIB_DEVICE_H

#include "Memory.h"
#include "Message.h"
#include "Process.h"
#include "observe/Observers.h"

namespace xfrt {

/// Host memory, as an xfrt_device. Buffers may lie there whichever device the handle uses.
constexpr int32_t hostMemory = XFRT_CPU;

/// The memory of a buffer: of an argument or result of the call in progress, or of the source or target of a copy.
struct Span {
  char *data;
  int64_t bytes;
  int32_t device; ///< hostMemory or Device::memory of the handle's device
};

/// The state that a device keeps for one handle. Each kind of device derives a struct from it.
struct DeviceState {
  const char *name = ""; ///< xfrt_device_name; lies in the state or is constant
  int32_t threads = 1;   ///< xfrt_threads
  Process process;       ///< the process that made the state
  Observers observers;
};

/// A kind of device, as a table of functions. There is one constant object for each kind. What belongs to a handle is
/// in its DeviceState.
///
/// Errors: a function that returns a status has described its failure in `message` or, if it takes a handle, in
/// xfrt_context::message. The status is one that the public function of the library documents.
/// Threads: `checkLaunch`, `find` and `create` are thread-safe. All other functions are called by one thread at a time
/// for each handle: Exclusive ensures that, or the caller of the library.
struct Device {
  int32_t memory;          ///< xfrt_device of the memory that `allocate` returns and of the models that the device runs
  const char *memories;    ///< names of the memories that buffers may lie in, for messages
  int64_t bufferAlignment; ///< least alignment, in bytes, of buffers in `memory`; elements may need more
  bool survivesFork;       ///< a child of the process that made a handle can use it
  bool loadsImages;        ///< kernels are in xfrt_model::images, for the architecture in xfrt_model::features

  /// Verifies those fields of a launch that only this kind of device uses, and returns whether they are well-formed.
  /// Called by checkModel, which verifies the other fields itself.
  bool (&checkLaunch)(const xfrt_entry &entry, const xfrt_launch &launch);

  /// Verifies that the device with index `number` can be used. Sets `architecture` as xfrt_find_device does.
  xfrt_status (&find)(int32_t number, int32_t &architecture, Message &message);

  /// Creates the state of a handle. Replaces `model` by the model of its list (xfrt_model::next) that the device runs,
  /// and verifies the tables of that model. On success the caller owns `state` and must call `destroy`. On failure
  /// `model` is unchanged and `state` is null.
  xfrt_status (&create)(const xfrt_options &options, const Allocator &allocator, const xfrt_model *&model,
                        DeviceState *&state, Message &message);

  /// Connects a state to its handle, whose xfrt_context::state is set. Called once, before any function that takes the
  /// handle. Later failures are described in the handle's message, no longer in that of `create`.
  void (&attach)(xfrt_context &context);

  /// Waits for the handle's work, and releases the state and everything that it owns. Ignores failures of the device.
  /// Does not use the handle's message, which may be released already. In a child of the process that made the state,
  /// frees only the memory of this process.
  void (&destroy)(DeviceState *state);

  /// Allocates `bytes` > 0 bytes of the device's memory. The caller owns them and must call `release`. If memory is
  /// exhausted, the function may return XFRT_OK with `data` null. The caller then reports the failure.
  xfrt_status (&allocate)(xfrt_context &context, size_t bytes, void *&data);

  /// Releases memory that `allocate` returned, after waiting for work that may still use it. Ignores failures.
  void (&release)(xfrt_context &context, void *data, size_t bytes);

  /// Copies the bytes of `from` to `to`, after the handle's earlier work, and waits for the copy. The spans do not
  /// overlap and have one length > 0.
  xfrt_status (&copy)(xfrt_context &context, const Span &from, const Span &to);

  /// Makes the device's memory for calls of the entry as large as an evaluated frame requires.
  xfrt_status (&reserve)(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

  /// Runs the entry with the buffers that bindBuffers has bound and an evaluated frame. Verifies overlaps and the
  /// elements of integer arguments, then runs, in order, the steps that are due (isDue). Marks prepacked weights as
  /// filled, or as not filled if the entry updates parameters. Returns before the work is complete only in the cases
  /// that xfrt_call documents.
  xfrt_status (&call)(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

  /// Copies updated parameters back to host memory and waits for the copies (xfrt_fetch_parameters). If `data` is not
  /// null, copies only the parameter at `data`.
  xfrt_status (&fetch)(xfrt_context &context, const void *data);

  /// Invalidates the device's copies of parameters, so that the next call reads them anew. If `data` is not null,
  /// invalidates only the copy of the parameter at `data`. Does not affect prepacked weights; the caller marks these as
  /// not filled by forgetParameters.
  void (&forget)(xfrt_context &context, const void *data);
};

} // namespace xfrt

#endif // XFRT_LIB_DEVICE_H

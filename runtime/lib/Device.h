//===- Device.h - What a handle runs on -------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of the library verify what the caller passes and leave the rest to the handle's device: its memory, its
// copies of parameters, and the steps of a call. cpu/ and cuda/ implement the interface; Devices.cpp alone names
// them.
//
// The interface is a table of functions, not an abstract class: the vtable of a class with pure virtual functions
// refers to the C++ runtime, which a program with the static library need not link.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_DEVICE_H
#define XFRT_LIB_DEVICE_H

#include "Memory.h"
#include "Message.h"

namespace xfrt {

/// The memory that buffers of every device may lie in.
constexpr int32_t hostMemory = XFRT_CPU;

/// Memory of a buffer: that of an argument or result of the call in progress, or a side of a copy.
struct Span {
  char *data;
  int64_t bytes;
  int32_t device; ///< hostMemory or Device::memory of the handle's device
};

/// The state that a device keeps for one handle. Each device derives its own from this struct.
struct DeviceState {
  const char *name = ""; ///< xfrt_device_name; lies in the state or is constant
  int32_t threads = 1;   ///< xfrt_threads
};

/// A kind of device. There is one constant object for each; what belongs to a handle is in its DeviceState.
///
/// Errors: a function that returns a status has described its failure in `message`, or in xfrt_context::message where
/// it takes a handle. It returns one of the statuses that the function of the library which calls it documents.
/// Threads: `checkLaunch`, `find` and `create` are thread-safe. The others are called by one thread at a time for each
/// handle (Exclusive, or the caller's promise).
struct Device {
  int32_t memory;          ///< xfrt_device of the memory that `allocate` returns and of the models that the device runs
  const char *memories;    ///< names of the memories that buffers may lie in, for messages
  int64_t bufferAlignment; ///< least alignment, in bytes, of buffers in `memory`; elements may need more
  bool loadsImages;        ///< kernels are in xfrt_model::images, for the architecture in xfrt_model::features

  /// Returns whether the fields of a launch that only this device uses are well-formed. The others are verified by
  /// checkModel, which calls this function.
  bool (&checkLaunch)(const xfrt_entry &entry, const xfrt_launch &launch);

  /// Verifies that a device of the given number exists. Sets `architecture` as xfrt_find_device does.
  xfrt_status (&find)(int32_t number, int32_t &architecture, Message &message);

  /// Replaces `model` by the model of its list that the device runs, verifies its tables, and creates the state of a
  /// handle for it. On success the caller owns *state and must call `destroy`. On failure `model` is unchanged and
  /// `state` is null.
  xfrt_status (&create)(const xfrt_options &options, const Allocator &allocator, const xfrt_model *&model,
                        DeviceState *&state, Message &message);

  /// Connects a state to its handle, whose xfrt_context::state is set. Called once, before the functions below. Their
  /// failures are described in the handle's message, those before in the message of `create`.
  void (&attach)(xfrt_context &context);

  /// Waits for the handle's work and releases the state with all that it owns. Ignores failures of the device. The
  /// handle's message may be gone.
  void (&destroy)(DeviceState *state);

  /// Allocates `bytes` > 0 bytes in `memory`. The caller owns them and must call `release`. Sets `data` to null where
  /// there is no memory, which the caller reports if the status is XFRT_OK.
  xfrt_status (&allocate)(xfrt_context &context, size_t bytes, void *&data);

  /// Releases memory of `allocate`. Waits for work that may still use it. Ignores failures.
  void (&release)(xfrt_context &context, void *data, size_t bytes);

  /// Copies `from` to `to`, separate spans of equal length > 0, after the handle's earlier work, and waits for the
  /// copy.
  xfrt_status (&copy)(xfrt_context &context, const Span &from, const Span &to);

  /// Makes the memory for calls of the entry large enough for an evaluated frame.
  xfrt_status (&reserve)(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

  /// Runs the entry with the bound buffers (bindBuffers) and an evaluated frame: verifies overlaps and the elements of
  /// integer arguments, then runs the steps that are due (isDue), in order. Marks held forms as filled and, where
  /// the entry updates parameters, as not filled. Returns before the work is complete only where xfrt_call says so.
  xfrt_status (&call)(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

  /// Copies updated parameters back to the host's memory and waits for the copies (xfrt_fetch_parameters).
  xfrt_status (&fetch)(xfrt_context &context);

  /// Invalidates all copies of parameters, so that the next call reads them anew. Held forms are the caller's
  /// (forgetParameters).
  void (&forget)(xfrt_context &context);
};

} // namespace xfrt

#endif // XFRT_LIB_DEVICE_H

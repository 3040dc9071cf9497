//===- Observers.h - The trace and the profile of a handle ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_OBSERVE_OBSERVERS_H
#define XFRT_LIB_OBSERVE_OBSERVERS_H

#include "../Message.h"
#include "../Process.h"
#include "Profile.h"
#include "Trace.h"

namespace xfrt {

/// The trace and the profile of a handle. Each is null unless the environment asks for it (XFRT_TRACE, XFRT_PROFILE).
struct Observers {
  Trace *trace = nullptr;
  Profile *profile = nullptr;
  Process process; ///< the process that created the files

  Observers() = default;
  Observers(const Observers &) = delete;
  Observers &operator=(const Observers &) = delete;
  /// Finishes the trace and the profile. Prints failures on standard error.
  ~Observers();

  explicit operator bool() const { return trace || profile; }

  /// Starts the trace and the profile that XFRT_TRACE and XFRT_PROFILE ask for, in files of this rank. The handle has
  /// `threads` workers, 0 on a GPU; `ranks` may be null. Calls `findPeak` if one of the variables is set. Fails with
  /// XFRT_IO_ERROR if a file cannot be created, and with XFRT_INVALID_ARGUMENT if XFRT_PEAK is not a rate. After a
  /// failure nothing is left to finish.
  xfrt_status start(const xfrt_model &model, const xfrt_communicator *ranks, int32_t threads,
                    Peak (*findPeak)(int32_t threads), Message &message);

  /// Writes the files, and releases the trace and the profile. In a child of the process that started them, releases
  /// them without writing.
  xfrt_status finish(Message &message);
};

} // namespace xfrt

#endif // XFRT_LIB_OBSERVE_OBSERVERS_H

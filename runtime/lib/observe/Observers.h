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

/// What the environment asks to record of a handle. Each is null unless its variable is set.
struct Observers {
  Trace *trace = nullptr;
  Profile *profile = nullptr;
  Process process; ///< whose files they are

  Observers() = default;
  Observers(const Observers &) = delete;
  Observers &operator=(const Observers &) = delete;
  /// Finishes what is left, and says on standard error what fails.
  ~Observers();

  explicit operator bool() const { return trace || profile; }

  /// Starts what XFRT_TRACE and XFRT_PROFILE ask for, of a handle with `threads` workers, none on a GPU, in files of
  /// this rank's own; `ranks` may be null. Calls `findPeak` where one of them is set. Fails with XFRT_IO_ERROR where a
  /// file cannot be created, and with XFRT_INVALID_ARGUMENT for an XFRT_PEAK that is no rate; then nothing is left to
  /// finish.
  xfrt_status start(const xfrt_model &model, const xfrt_communicator *ranks, int32_t threads,
                    Peak (*findPeak)(int32_t threads), Message &message);

  /// Writes the files and releases both. In a child of the process that started them writes nothing.
  xfrt_status finish(Message &message);
};

} // namespace xfrt

#endif // XFRT_LIB_OBSERVE_OBSERVERS_H

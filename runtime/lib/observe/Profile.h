//===- Profile.h - Where the time of calls went -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile of one handle. The environment variable XFRT_PROFILE names the file; "-" is standard output. A handle
// writes it when it is destroyed: how long its calls took, by operation and by place in the user's program. The file is
// JSON if its name ends in ".json", otherwise a table. The first handle of a process writes to the file of this name,
// handle n to NAME.n. Calls that fail do not count. docs/howto/find-lost-speed.md explains the columns.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_OBSERVE_PROFILE_H
#define XFRT_LIB_OBSERVE_PROFILE_H

#include "Peak.h"
#include "RecordFile.h"
#include "xfrt/xfrt.h"

namespace xfrt {

class TextFile;

/// Adds up the times of the steps of one handle's entries. Its memory comes from the C library.
class Profile {
public:
  /// Starts a profile for a handle of `model` with `threads` workers, 0 on a GPU, and creates its file. `rank` becomes
  /// part of the file's name unless it is 0. Sets `profile` to null if XFRT_PROFILE is not set. Returns false, with
  /// errno, if the file cannot be created or memory could not be allocated. The caller releases the profile by finish.
  static bool start(const xfrt_model &model, int32_t rank, int32_t threads, Peak peak, Profile *&profile);

  /// Record the time of a step of an entry (addStep), or of a whole call of an entry (addCall).
  void addStep(const xfrt_entry &entry, int32_t step, int64_t nanoseconds);
  void addCall(const xfrt_entry &entry, int64_t nanoseconds);

  /// Writes the file and releases the profile. Null is ignored.
  static xfrt_status finish(Profile *profile, Message &message);
  /// Releases the profile without writing, in a child of the process that started it: the file belongs to the parent.
  /// Null is ignored.
  static void abandon(Profile *profile);

private:
  struct Time {
    int64_t count, nanoseconds;
  };
  /// The steps of an entry that have one name and one source.
  struct Group {
    const char *name, *source;
    double flop, bytes; ///< sums over all runs; negative if unknown
    Time time;
  };

  Time *timesOf(const xfrt_entry &entry) const;
  int32_t groupSteps(const xfrt_entry &entry, Group *groups) const;
  void writeTable(TextFile &file, const xfrt_entry &entry, const Group *groups, int32_t count) const;
  void writeJson(TextFile &file, const xfrt_entry &entry, const Group *groups, int32_t count) const;
  void write(TextFile &file, Group *groups) const;

  const xfrt_model *model;
  int32_t threads;
  RecordFile file;
  bool isJson;
  Peak peak;
  Time *times; ///< for each entry, the time of its calls and then of each step
};

} // namespace xfrt

#endif // XFRT_LIB_OBSERVE_PROFILE_H

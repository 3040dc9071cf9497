//===- RecordFile.h - The files of traces and profiles ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file of a trace or profile, and its name. Handle 1 of a process writes to NAME, handle n to NAME.n, and rank R >
// 0 to NAME.rankR. In process P, a child of fork, handle 1 writes to NAME.pidP. An incomplete file is called NAME.part.
// A device or a pipe is written in place instead.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_OBSERVE_RECORDFILE_H
#define XFRT_LIB_OBSERVE_RECORDFILE_H

#include "../Message.h"

namespace xfrt {

/// A file that is open until `close` or `abandon`.
struct RecordFile {
  int file = -1;
  char *path = nullptr;    ///< path of the complete file; null: standard output
  bool isReplaced = false; ///< the file has another name until it is complete

  /// Creates the file. Returns false, with errno, if it cannot be created, if memory could not be allocated, or if it
  /// is a pipe that no program reads. Waits two seconds for such a program.
  bool open(const char *name, int32_t rank, int32_t handle);
  /// Uses standard output instead of a file. Returns as `open` does.
  bool openOutput();

  /// Closes the file and gives it its final name. If `isGood` is false, the file is incomplete and errno has the
  /// reason. Removes an incomplete file and fails; `what` names the kind of file in the message.
  xfrt_status close(bool isGood, const char *what, Message &message);
  /// Leaves the file to this process's parent, which opened it.
  void abandon();
};

} // namespace xfrt

#endif // XFRT_LIB_OBSERVE_RECORDFILE_H

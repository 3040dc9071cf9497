//===- RecordFile.h - The files of traces and profiles ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handle 1 of a process writes to NAME, handle n to NAME.n, rank R > 0 to NAME.rankR, and handle 1 of process P, which
// is a child of fork, to NAME.pidP. Until a file is whole it is called NAME.part, unless NAME is a device or a pipe,
// which all write in place.
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

  /// Closes the file, and gives it its name. If not `isGood`, the file is incomplete, with the reason in errno. An
  /// incomplete file is removed and makes the call fail; `what` names it in the message.
  xfrt_status close(bool isGood, const char *what, Message &message);
  /// Leaves the file to this process's parent, which opened it.
  void abandon();
};

} // namespace xfrt

#endif // XFRT_LIB_OBSERVE_RECORDFILE_H

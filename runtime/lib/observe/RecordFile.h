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
  char *path = nullptr;    ///< of the file when it is whole; null: standard output
  bool isReplaced = false; ///< the file has another name until then

  /// Creates the file. Returns false, with errno, where it cannot be created, there is no memory, or it is a pipe that
  /// no program reads; for such a program it waits two seconds.
  bool open(const char *name, int32_t rank, int32_t handle);
  /// Takes standard output in place of a file. Returns as `open`.
  bool openOutput();

  /// Ends the file, which is whole where `isGood`; errno says why it is not. A file that is not whole is removed.
  xfrt_status close(bool isGood, const char *what, Message &message);
  /// Leaves the file to the process that opened it, this one's parent.
  void abandon();
};

} // namespace xfrt

#endif // XFRT_LIB_OBSERVE_RECORDFILE_H

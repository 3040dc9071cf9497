//===- Ranks.h - The processes that run a model together -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_RANKS_H
#define XFRT_TOOLS_RANKS_H

#include "Assignments.h"

namespace xfrt::tools {

/// The ranks that run a model together. If the model is for several ranks, this process is one of them, started by an
/// MPI launcher. Any other model has one rank.
class Ranks {
public:
  /// Messages begin with `tool`, the name of the tool. `tool` and `failure` must outlive the object.
  Ranks(const char *tool, Failure &failure) : tool(tool), failure(failure) {}
  /// Ends MPI. Before that, prints the message of the failure, if it has one, and clears the message. Printing comes
  /// first because the launcher ends all ranks once one rank ends with a failure.
  ~Ranks();
  Ranks(const Ranks &) = delete;
  Ranks &operator=(const Ranks &) = delete;

  /// Opens MPI if the model is for several ranks.
  bool open(const xfrt_model &model);

  bool isOpen() const { return communicator.size > 0; }
  const xfrt_communicator *get() const { return isOpen() ? &communicator : nullptr; }
  int32_t size() const { return isOpen() ? communicator.size : 1; }
  /// Returns whether this is the rank that prints.
  bool isFirst() const { return communicator.rank == 0; }

  /// Replaces {rank} in each of `texts`, which are names of files, by the number of this rank. The number is 0 if there
  /// is only one rank.
  void replaceIn(std::vector<std::string> &texts) const;

  /// Ends the processes of all ranks with the message and the exit code of this rank's failure, because other ranks may
  /// be waiting for this one. Returns only if there is one rank.
  void abort() const;

  // All ranks have to call these, between calls of the model. They end all ranks, with exit code 75, where a rank does
  // not come within 10 minutes.

  /// Returns, on all ranks, the largest of their values. No rank returns before all have called.
  double largest(double value) const;

  /// Returns, on all ranks, whether `isWell` is true on all of them. If not, the first rank that failed keeps its
  /// failure. The other ranks take the exit code of this failure but no message, so that the message is printed once.
  bool agree(bool isWell) const;

  /// Returns, on all ranks, whether a call succeeded (`isWell`) on all of them. If not, every rank that failed keeps
  /// its failure, but drops its message if rank 0 has the same one. Ranks that succeeded take the exit code of the
  /// first failure, as in agree. A rank that has lost another rank returns at once.
  bool agreeOnCall(bool isWell) const;

private:
  [[noreturn]] void endAll(int code, const std::string &why) const;

  const char *tool;
  Failure &failure;
  xfrt_communicator communicator = {};
};

} // namespace xfrt::tools

#endif // XFRT_TOOLS_RANKS_H

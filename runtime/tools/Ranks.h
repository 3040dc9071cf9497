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

/// The ranks of a model for several, of which a launcher of MPI has started this process; one rank of any other model.
class Ranks {
public:
  /// Messages begin with the name of the tool. Both outlive the object.
  Ranks(const char *tool, Failure &failure) : tool(tool), failure(failure) {}
  /// Ends MPI. Before that prints a message that the failure has, and takes it away: where one rank ends with a
  /// failure, a launcher ends the others, which could print nothing more.
  ~Ranks();
  Ranks(const Ranks &) = delete;
  Ranks &operator=(const Ranks &) = delete;

  /// Opens MPI if the model is for several ranks.
  bool open(const xfrt_model &model);

  bool isOpen() const { return communicator.size > 0; }
  const xfrt_communicator *get() const { return isOpen() ? &communicator : nullptr; }
  int32_t size() const { return isOpen() ? communicator.size : 1; }
  /// Whether this rank is the one that prints.
  bool isFirst() const { return communicator.rank == 0; }

  /// Replaces {rank} in each text, the name of a file, by the number of this rank, which is 0 where there is one.
  void replaceIn(std::vector<std::string> &texts) const;

  /// Ends all ranks with the failure of this one, for which the others may be waiting. Returns if there is one rank.
  void abort() const;

  // All ranks have to call these, between calls of the model. They end all ranks, with exit code 75, where a rank does
  // not come within 10 minutes.

  /// Returns the largest of all ranks' values, on all of them. No rank returns before all have called.
  double largest(double value) const;

  /// Returns whether all ranks are well. If not, the first that failed has the message of its failure, and the others
  /// its exit code with an empty message: it is printed once.
  bool agree(bool isWell) const;

  /// Returns whether all ranks are well. If not, each that failed has its message: of a call, which all refuse for what
  /// one of them has found. What the first rank says, no other one repeats.
  /// One that has lost another returns at once.
  bool agreeOnCall(bool isWell) const;

private:
  [[noreturn]] void endAll(int code, const std::string &why) const;

  const char *tool;
  Failure &failure;
  xfrt_communicator communicator = {};
};

} // namespace xfrt::tools

#endif // XFRT_TOOLS_RANKS_H

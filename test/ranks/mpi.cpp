//===- mpi.cpp - Messages between the processes of MPI --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: ranks-mpi PLUGIN|- run|silent|differ|refuse
//
// Runs as one rank, and links no MPI; `-` is the plug-in that the library finds. Rank 0 prints what it found. With
// `silent` the last rank stops to answer, with `differ` it has another plan, with `refuse` it fails by itself.
//
//===----------------------------------------------------------------------===//

#include "lib/ranks/Channel.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace xfrt;

/// Messages longer than a part, and of all lengths around it.
static bool runLengths(const xfrt_communicator &communicator) {
  bool isRight = true;
  int32_t next = (communicator.rank + 1) % communicator.size,
          last = (communicator.rank + communicator.size - 1) % communicator.size;
  for (int64_t bytes : {1, 999, 1000, 1001, 3000, 1000003}) {
    std::vector<char> sent(size_t(bytes), char('a' + communicator.rank)), received(size_t(bytes), '?');
    sent.back() = 'z';
    xfrt_peer_message out = {sent.data(), bytes, next}, in = {received.data(), bytes, last};
    int32_t ticket = -1;
    if (communicator.size == 1)
      continue;
    isRight &= communicator.start(communicator.context, &out, 1, &in, 1, nullptr, &ticket) == XFRT_TRANSPORT_OK &&
               communicator.wait(communicator.context, ticket, 60000) == XFRT_TRANSPORT_OK;
    std::vector<char> expected(size_t(bytes), char('a' + last));
    expected.back() = 'z';
    isRight &= received == expected;
  }
  isRight &= communicator.wait(communicator.context, 12345, 0) == XFRT_TRANSPORT_FAILED;
  isRight &= std::strcmp(communicator.message(communicator.context),
                         "expected a ticket of messages under way, got 12345") == 0;
  if (communicator.rank == 0)
    std::printf("messages of all lengths: %s\n", isRight ? "right" : "wrong");
  return isRight;
}

static int runFailure(const xfrt_communicator &communicator, const std::string &kind) {
  bool isLast = communicator.rank == communicator.size - 1;
  if (kind == "silent" && isLast)
    sleep(600);
  Channel channel(communicator, kind == "silent" ? 1500 : 60000, "entry 'train'");
  Message message;
  xfrt_status own = kind == "refuse" && isLast ? XFRT_OUT_OF_RANGE : XFRT_OK;
  if (own != XFRT_OK)
    message.fail(own, "a rank that refuses");
  xfrt_status status = channel.agree({77, isLast && kind == "differ" ? 63 : 64}, own, message);
  if (communicator.rank == 0)
    std::printf("%s: %s\n", xfrt_status_name(status), message.get());
  std::fflush(stdout);
  if (status == XFRT_RANK_LOST && communicator.rank == 0)
    communicator.abort(communicator.context, 75, "rank 0 ends all ranks");
  if (status == XFRT_RANK_LOST)
    sleep(600); // rank 0 ends this one, too
  return status == XFRT_OK ? 1 : 0;
}

/// A child of a rank leaves the messages to it: it sends none, and closing the communicator ends nothing of the rank's.
static bool runChild(xfrt_communicator &communicator) {
  const pid_t child = fork();
  if (child == 0) {
    char byte = 0;
    int32_t ticket = 0;
    const xfrt_peer_message sent = {&byte, 1, (communicator.rank + 1) % communicator.size};
    const int status = communicator.start(communicator.context, &sent, 1, nullptr, 0, nullptr, &ticket);
    const bool isRight = status == XFRT_TRANSPORT_FAILED &&
                         std::strcmp(communicator.message(communicator.context),
                                     "expected the process that opened the communicator, got a child of it") == 0;
    communicator.close(&communicator);
    _exit(isRight ? 0 : 1);
  }
  int status = 1;
  return waitpid(child, &status, 0) == child && status == 0;
}

int main(int count, char **arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: ranks-mpi PLUGIN|- run|silent|differ|refuse\n");
    return 2;
  }
  xfrt_communicator communicator;
  const char *plugin = std::strcmp(arguments[1], "-") == 0 ? nullptr : arguments[1];
  if (xfrt_status status = xfrt_open_communicator(plugin, &communicator)) {
    std::fprintf(stderr, "%s: %s\n", xfrt_status_name(status), xfrt_message(nullptr));
    return 3;
  }
  std::string kind = arguments[2];
  int code = 0;
  if (kind == "run")
    code = runChild(communicator) && runLengths(communicator) ? 0 : 1;
  else
    code = runFailure(communicator, kind);
  std::fflush(stdout);
  communicator.close(&communicator);
  return code;
}

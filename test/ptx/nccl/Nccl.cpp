//===- Nccl.cpp - NCCL without a network ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libnccl.so.2 for tests: the functions that libxfrt-nccl.so calls, between handles of one process, over the
// simulated driver. Stricter than NCCL: a group happens when its stream comes to it and something waits for that; its
// buffers are read then; a communicator that is destroyed before it is finalized is counted; messages of a pair of
// ranks meet in their order, must have the same bytes, and arrive in turns that a seed draws. A communicator that
// blocks is refused, and so are two ranks on one GPU where NCCL would.
//
// Environment, read for each communicator:
//   XF_SIM_NCCL_SEED=1                of the turns in which messages arrive
//   XF_SIM_NCCL_FAIL=KIND:RANK:N      the N-th group of a rank, counted from 1: `lost` never happens, of `error` the
//                                     rank hears ncclRemoteError, and `finalize` behind it never ends
//   NCCL_MULTI_RANK_GPU_ENABLE=1      ranks may share a GPU
//
//===----------------------------------------------------------------------===//

#include "test/ptx/driver/Simulator.h"

#include <deque>
#include <map>
#include <memory>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <vector>

namespace {

enum Result { success = 0, unhandledCuda = 1, invalidArgument = 4, invalidUsage = 5, remoteError = 6, inProgress = 7 };

struct Id {
  char internal[128];
};

struct Config {
  size_t size;
  unsigned magic, version;
  int blocking;
};

struct Comm;

/// A message that its stream has come to.
struct Message {
  Comm *comm;
  char *data;
  size_t bytes;
  int turns; ///< of polls until it arrives
  bool isDone = false;
};

/// From one rank to another.
struct Way {
  std::deque<std::shared_ptr<Message>> sends, receives;
};

/// All ranks with one id.
struct World {
  int size = 0;
  std::vector<Comm *> comms;
  std::map<std::pair<int, int>, Way> ways;
  uint64_t random = 1;
};

struct Comm {
  World *world;
  int rank;
  void *context; ///< of the driver
  int error = success;
  int groups = 0; ///< so far
  bool isOver = false;
  int polls = -1; ///< until it is finalized; below 0: nobody has asked for that
};

struct Transfer {
  Comm *comm;
  bool isSent;
  char *data;
  size_t bytes;
  int peer;
  void *stream;
};

/// What a stream comes to.
struct Group {
  Comm *comm;
  bool isLost, isPosted = false;
  std::vector<Transfer> transfers;
  std::vector<std::shared_ptr<Message>> messages;
};

/// Everything here is under the driver's lock.
struct Lock {
  Lock() { xfSimLock(); }
  ~Lock() { xfSimUnlock(); }
};

std::map<std::string, std::unique_ptr<World>> worlds;
std::vector<std::unique_ptr<Comm>> comms; // also those that are over: streams may still come to their groups
int ids = 0;
int destroyedEarly = 0; // communicators that nobody had finalized
int aborted = 0;

thread_local int depth = 0;
thread_local std::vector<Transfer> listed;

int say(int result, const char *text) {
  fprintf(stderr, "simulated NCCL: %s\n", text);
  return result;
}

/// Whether the environment wants group number `comm.groups` of a rank to fail in a way.
bool fails(const Comm &comm, const char *kind) {
  const char *text = getenv("XF_SIM_NCCL_FAIL");
  const std::string wanted = std::string(kind) + ":" + std::to_string(comm.rank) + ":" + std::to_string(comm.groups);
  return text && wanted == text;
}

int draw(World &world) { // Knuth's MMIX
  world.random = world.random * 6364136223846793005u + 1442695040888963407u;
  return int(world.random >> 33) % 4;
}

void failBoth(Message &a, Message &b, int error) {
  a.comm->error = a.comm->error ? a.comm->error : error;
  b.comm->error = b.comm->error ? b.comm->error : error;
}

/// Lets messages between two ranks arrive, in their order.
void deliver(Way &way) {
  while (!way.sends.empty() && !way.receives.empty()) {
    Message &sent = *way.sends.front(), &received = *way.receives.front();
    if (sent.comm->isOver || received.comm->isOver || sent.turns-- > 0)
      return;
    if (sent.bytes != received.bytes) {
      fprintf(stderr, "simulated NCCL: rank %d sends %zu bytes, rank %d receives %zu\n", sent.comm->rank, sent.bytes,
              received.comm->rank, received.bytes);
      return failBoth(sent, received, invalidUsage);
    }
    if (xfSimCopy(received.comm->context, received.data, sent.comm->context, sent.data, sent.bytes))
      return failBoth(sent, received, say(unhandledCuda, "a message outside an allocation"));
    sent.isDone = received.isDone = true;
    way.sends.pop_front();
    way.receives.pop_front();
  }
}

void post(Group &group) {
  World &world = *group.comm->world;
  for (const Transfer &transfer : group.transfers) {
    auto message = std::make_shared<Message>(Message{transfer.comm, transfer.data, transfer.bytes, draw(world), false});
    const int rank = group.comm->rank;
    if (transfer.isSent)
      world.ways[{rank, transfer.peer}].sends.push_back(message);
    else
      world.ways[{transfer.peer, rank}].receives.push_back(message);
    group.messages.push_back(std::move(message));
  }
  group.isPosted = true;
}

/// Called when a stream has come to a group, until it returns 0.
int poll(void *user) {
  auto *group = static_cast<Group *>(user);
  bool isDone = group->comm->isOver;
  if (!isDone && !group->isLost) {
    if (!group->isPosted)
      post(*group);
    for (auto &[ranks, way] : group->comm->world->ways)
      if (ranks.first == group->comm->rank || ranks.second == group->comm->rank)
        deliver(way);
    isDone = true;
    for (const auto &message : group->messages)
      isDone &= message->isDone;
  }
  if (isDone)
    delete group;
  return !isDone;
}

int list(const Transfer &transfer, int type) {
  Lock lock;
  if (type != 0 || !transfer.data || transfer.bytes == 0 || transfer.peer < 0 ||
      transfer.peer >= transfer.comm->world->size || transfer.peer == transfer.comm->rank)
    return say(invalidArgument, "expected bytes of another rank");
  if (depth == 0)
    return say(invalidUsage, "expected a group");
  listed.push_back(transfer);
  return success;
}

} // namespace

extern "C" {

const char *ncclGetErrorString(int result) {
  static const char *const texts[] = {"no error",
                                      "unhandled cuda error",
                                      "unhandled system error",
                                      "internal error",
                                      "invalid argument",
                                      "invalid usage",
                                      "remote process exited or there was a network error",
                                      "NCCL operation in progress"};
  return result >= 0 && result <= inProgress ? texts[result] : "unknown result code";
}

int ncclGetUniqueId(Id *id) {
  Lock lock;
  memset(id, 0, sizeof *id);
  snprintf(id->internal, sizeof id->internal, "simulated %d", ++ids);
  return success;
}

int ncclCommInitRankConfig(Comm **made, int size, Id id, int rank, Config *config) {
  Lock lock;
  *made = nullptr;
  if (!config || config->magic != 0xcafebeef || config->size < sizeof(Config) || config->blocking != 0)
    return say(invalidArgument, "expected a configuration of a communicator that does not block");
  if (!xfSimCurrent() || size < 1 || rank < 0 || rank >= size)
    return say(invalidArgument, "expected a current context, and a rank below their number");
  std::unique_ptr<World> &world = worlds[id.internal];
  if (!world) {
    world = std::make_unique<World>();
    world->size = size;
    const char *seed = getenv("XF_SIM_NCCL_SEED");
    world->random = seed ? strtoull(seed, nullptr, 10) : 1;
  }
  const char *shares = getenv("NCCL_MULTI_RANK_GPU_ENABLE");
  for (const Comm *other : world->comms) {
    if (other->rank == rank || world->size != size)
      return say(invalidUsage, "expected each rank once");
    if (other->context == xfSimCurrent() && !(shares && strcmp(shares, "1") == 0))
      return say(invalidUsage, "two ranks on one GPU");
  }
  comms.push_back(std::make_unique<Comm>(Comm{world.get(), rank, xfSimCurrent()}));
  *made = comms.back().get();
  world->comms.push_back(*made);
  return inProgress;
}

int ncclCommGetAsyncError(Comm *comm, int *error) {
  Lock lock;
  if (comm->polls > 0) {
    comm->polls -= !fails(*comm, "finalize");
    *error = inProgress;
    return success;
  }
  *error = comm->error ? comm->error : int(comm->world->comms.size()) < comm->world->size ? inProgress : success;
  return success;
}

int ncclCommAbort(Comm *comm) {
  Lock lock;
  ++aborted;
  comm->isOver = true;
  return success;
}

int ncclCommFinalize(Comm *comm) {
  Lock lock;
  if (comm->isOver || comm->polls >= 0)
    return say(invalidUsage, "expected a communicator to finalize once");
  comm->polls = 3;
  return inProgress;
}

int ncclCommDestroy(Comm *comm) {
  Lock lock;
  destroyedEarly += comm->polls != 0;
  comm->isOver = true;
  return success;
}

int xfSimNcclDestroyedEarly() {
  Lock lock;
  return destroyedEarly;
}

int xfSimNcclAborted() {
  Lock lock;
  return aborted;
}

int ncclSend(const void *data, size_t count, int type, int peer, Comm *comm, void *stream) {
  return list({comm, true, static_cast<char *>(const_cast<void *>(data)), count, peer, stream}, type);
}

int ncclRecv(void *data, size_t count, int type, int peer, Comm *comm, void *stream) {
  return list({comm, false, static_cast<char *>(data), count, peer, stream}, type);
}

int ncclGroupStart() {
  ++depth;
  return success;
}

/// All messages of a group are of one communicator and one stream.
int ncclGroupEnd() {
  Lock lock;
  if (depth == 0)
    return say(invalidUsage, "expected a group");
  if (--depth > 0 || listed.empty())
    return success;
  std::vector<Transfer> transfers;
  transfers.swap(listed);
  Comm *comm = transfers.front().comm;
  for (const Transfer &transfer : transfers)
    if (transfer.comm != comm || transfer.stream != transfers.front().stream)
      return say(invalidUsage, "expected one communicator and one stream");
  if (comm->isOver || comm->error)
    return say(invalidUsage, "expected a communicator that works");
  ++comm->groups;
  if (fails(*comm, "error"))
    comm->error = remoteError;
  auto *group = new Group{comm, fails(*comm, "lost") || comm->error, false, std::move(transfers), {}};
  return xfSimEnqueue(group->transfers.front().stream, poll, group) ? unhandledCuda : success;
}

} // extern "C"

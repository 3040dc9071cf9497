//===- Collective.cpp - What ranks with GPUs send each other --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs collectives of a handle for a GPU. If the transport reaches GPU memory (NCCL) and the driver has events,
// messages run on their own stream. Two events order this stream with the stream of kernels: messages start after the
// steps before `start`, and steps after `wait` start after the messages. Kernels between the two overlap with the
// messages. Without events, messages run on the stream of kernels.
//
// A part that is one run of bytes is sent from where it lies; any other part is packed first. A part is received in
// place if it is one run and the result lies in the arena. Otherwise it is received in a buffer of the handle, and
// copied row by row.
//
// The host waits only at the end of a call, up to the time limit. It then reads the header of each message, which has
// the message's number and says whether its sender has failed (Channel.h).
//
// Sums, exchanges of keys, and all messages of another transport (MPI) pass through host memory. `start` copies the
// operand to the host, for which it waits for the stream; `wait` copies what was received to the device.
//
//===----------------------------------------------------------------------===//

#include "Collective.h"
#include "../Tables.h"
#include "../ranks/Parts.h"

#include <algorithm>
#include <limits.h>
#include <string.h>

using namespace xfrt;
using namespace xfrt::cuda;

namespace {
/// A collective of the call in progress.
struct Collective {
  Collective(xfrt_context &context, const xfrt_collective &row, const int64_t *frame)
      : context(context), row(row),
        state(handleOf(context).collectives.states[&row - context.model->tables->collectives]),
        device(handleOf(context).device), ranks(*context.ranks), group(ranks.groupOf(row)),
        parts(row, frame, group.size) {}

  /// The way in which parts reach other ranks.
  enum Way {
    Nowhere, ///< parts stay on this rank: a slice, or a group of one
    Staged,  ///< through the host, because messages reach no GPU or the host adds parts
    ByGpu
  };
  Way way() const;

  xfrt_status reserve(const xfrt_entry &entry);
  xfrt_status start(Address send, Address receive);
  void join(Address send, Address receive);

  bool sendsInPlace() const { return !parts.splits || parts.sendRuns == 1; }
  bool receivesInPlace(const xfrt_entry &entry) const;
  uint64_t placeBytes() const { return (uint64_t(parts.mostBytes()) + 255) / 256 * 256; }
  Address outgoing(int32_t member) const { return state.parts.address + uint64_t(member) * placeBytes(); }
  Address incoming(int32_t member) const { return outgoing(group.size + member); }
  Address header(int32_t place) const { return state.headers.address + uint64_t(place) * sizeof(uint64_t); }
  uint64_t *headerCopies() const { return reinterpret_cast<uint64_t *>(state.headerCopies.data); }
  uint32_t *numbers() const { return reinterpret_cast<uint32_t *>(state.numbers.data); }
  int64_t headerBytes() const { return group.size * int64_t(sizeof(uint64_t)); }

  void copyRows(Address to, int64_t toPitch, Address from, int64_t fromPitch, int64_t bytes, int64_t rows);
  void list(int32_t member, Address send, Address receive);
  template <typename... Parameters, typename... Arguments>
  void run(const EntryPoint<Parameters...> &function, Arguments... arguments);

  xfrt_context &context;
  const xfrt_collective &row;
  CollectiveState &state;
  Gpu &device;
  Ranks &ranks;
  const Ranks::Group group;
  const Parts parts;
  bool isInPlace = false; ///< messages are received directly into `receive`
};
} // namespace

Collective::Way Collective::way() const {
  if (group.size == 1 || row.kind == XFRT_ALL_SLICE)
    return Nowhere;
  return parts.sums || parts.areKeys || !ranks.messages().reachesGpus() ? Staged : ByGpu;
}

/// Returns whether messages are received directly into the operand `receive`. A result is not received in place: its
/// memory may belong to an argument, which steps before the wait still read.
bool Collective::receivesInPlace(const xfrt_entry &entry) const {
  return parts.receiveRuns == 1 && entry.operands[row.receive].space == XFRT_ARENA;
}

/// Calls a function of the driver, unless this rank has failed. If the function fails, notes that this rank has failed.
template <typename... Parameters, typename... Arguments>
void Collective::run(const EntryPoint<Parameters...> &function, Arguments... arguments) {
  if (ranks.hasFailed())
    return;
  if (xfrt_status status = device.run(function, arguments...))
    ranks.refuse(status);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static xfrt_status grow(xfrt_context &context, HostBlock &block, int64_t wanted) {
  const Allocator &allocator = handleOf(context).allocator;
  if (block.data && size_t(wanted) <= block.bytes)
    return XFRT_OK;
  allocator.release(block.data, block.bytes);
  block.bytes = wanted > 0 ? size_t(wanted) : 1;
  block.data = static_cast<char *>(allocator.allocate(block.bytes));
  if (block.data)
    return XFRT_OK;
  block.bytes = 0;
  return context.message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate %zu bytes for messages of ranks", size_t(wanted));
}

xfrt_status Collective::reserve(const xfrt_entry &entry) {
  if (way() == Staged) {
    if (xfrt_status status = grow(context, state.send, parts.sentBytes()))
      return status;
    return grow(context, state.receive, parts.receivedBytes());
  }
  const bool isPacked = !sendsInPlace() || !receivesInPlace(entry);
  if (xfrt_status status = growBlock(device, state.parts, isPacked ? 2 * size_t(group.size) * placeBytes() + 1 : 0))
    return status;
  if (way() == Nowhere)
    return XFRT_OK;
  if (xfrt_status status = growBlock(device, state.headers, 2 * size_t(headerBytes())))
    return status;
  if (xfrt_status status = grow(context, state.headerCopies, 2 * headerBytes()))
    return status;
  return grow(context, state.numbers, group.size * int64_t(sizeof(uint32_t)));
}

xfrt_status cuda::reserveCollectives(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  for (int32_t i = 0; i < entry.step_count; ++i) {
    if (entry.steps[i].kind != XFRT_COLLECTIVE)
      continue;
    if (handleOf(context).device.isRecording)
      return context.message.fail(XFRT_INVALID_ARGUMENT,
                                  "entry %s: expected a stream that is not recorded, because ranks send each other "
                                  "messages",
                                  Quoted(entry.name).get());
    Collective collective(context, context.model->tables->collectives[entry.steps[i].index], frame);
    if (!collective.parts.areValid())
      return context.message.fail(XFRT_BAD_MODEL, "entry %s: step %d: expected parts of equal sizes",
                                  Quoted(entry.name).get(), i);
    collective.state.isUnderWay = false; // of a call that failed
    if (xfrt_status status = collective.reserve(entry))
      return status;
  }
  return XFRT_OK;
}

xfrt_status cuda::openMessages(Handle &handle) {
  Gpu &device = handle.device;
  const Driver &driver = *device.driver;
  if (!driver.eventCreate || !driver.eventRecord || !driver.eventDestroy || !driver.streamWaitEvent)
    return XFRT_OK;
  if (xfrt_status status = device.run(driver.streamCreate, &handle.collectives.stream, unsigned(nonBlocking))) {
    handle.collectives.stream = nullptr;
    return status;
  }
  for (int32_t n = 0; n < handle.collectives.count; ++n)
    for (Event *event : {&handle.collectives.states[n].ready, &handle.collectives.states[n].arrived})
      if (xfrt_status status = device.run(driver.eventCreate, event, unsigned(disableTiming))) {
        *event = nullptr;
        return status;
      }
  return XFRT_OK;
}

void cuda::closeMessages(Handle &handle) {
  const Driver &driver = *handle.device.driver;
  if (handle.collectives.stream)
    driver.streamSynchronize.pointer(handle.collectives.stream);
  for (int32_t n = 0; n < handle.collectives.count; ++n)
    for (Event event : {handle.collectives.states[n].ready, handle.collectives.states[n].arrived})
      if (event)
        driver.eventDestroy.pointer(event);
  if (handle.collectives.stream)
    driver.streamDestroy.pointer(handle.collectives.stream);
  handle.collectives.stream = nullptr;
}

void cuda::releaseCollectives(Handle &handle) {
  for (int32_t n = 0; n < handle.collectives.count; ++n) {
    const CollectiveState &state = handle.collectives.states[n];
    for (const HostBlock &block : {state.send, state.receive, state.headerCopies, state.numbers})
      handle.allocator.release(block.data, block.bytes);
  }
}

//===----------------------------------------------------------------------===//
// By the GPU
//===----------------------------------------------------------------------===//

/// Copies `rows` rows of `bytes` bytes from `from` to `to`. Rows begin toPitch and fromPitch bytes apart. Splits the
/// copy if a pitch is 2^31 or more, which the driver refuses.
void Collective::copyRows(Address to, int64_t toPitch, Address from, int64_t fromPitch, int64_t bytes, int64_t rows) {
  const Driver &driver = *device.driver;
  if (bytes == 0 || rows == 0)
    return;
  if (rows == 1 || (toPitch == bytes && fromPitch == bytes))
    return run(driver.copyOnDevice, to, from, size_t(bytes * rows), device.stream);
  if (std::max(toPitch, fromPitch) > INT_MAX) {
    for (int64_t n = 0; n < rows; ++n)
      run(driver.copyOnDevice, to + uint64_t(n * toPitch), from + uint64_t(n * fromPitch), size_t(bytes),
          device.stream);
    return;
  }
  RowCopy copy = {};
  copy.fromType = copy.toType = deviceMemory;
  copy.from = from;
  copy.fromPitch = size_t(fromPitch);
  copy.to = to;
  copy.toPitch = size_t(toPitch);
  copy.bytes = size_t(bytes);
  copy.rows = size_t(rows);
  run(driver.copyRows, static_cast<const RowCopy *>(&copy), device.stream);
}

/// Appends the messages that are sent to `member` and received from it to the lists of the handle. In each direction,
/// these are a header and a part.
void Collective::list(int32_t member, Address send, Address receive) {
  Handle &handle = handleOf(context);
  const int32_t peer = ranks.rankOf(row, member);
  const int64_t bytes = parts.sendRuns * parts.sendBytes;
  auto pointer = [](Address address) { return reinterpret_cast<void *>(address); };
  const Address from = !sendsInPlace() ? outgoing(member)
                       : parts.splits  ? send + uint64_t(member * parts.sendBytes)
                                       : send;
  const Address to = isInPlace ? receive + uint64_t(member * parts.receiveBytes) : incoming(member);
  headerCopies()[member] = ranks.messages().makeHeader(peer);
  numbers()[member] = ranks.messages().numberFrom(peer);
  handle.collectives.sends.push_back({pointer(header(member)), int64_t(sizeof(uint64_t)), peer});
  handle.collectives.receives.push_back({pointer(header(group.size + member)), int64_t(sizeof(uint64_t)), peer});
  if (bytes == 0)
    return;
  handle.collectives.sends.push_back({pointer(from), bytes, peer});
  handle.collectives.receives.push_back({pointer(to), bytes, peer});
}

xfrt_status Collective::start(Address send, Address receive) {
  Handle &handle = handleOf(context);
  handle.collectives.sends.clear();
  handle.collectives.receives.clear();
  memset(headerCopies(), 0, 2 * size_t(headerBytes()));
  for (int32_t member = 0; member < group.size; ++member) {
    if (!sendsInPlace())
      copyRows(outgoing(member), parts.sendBytes, send + uint64_t(member * parts.sendBytes),
               parts.sendBytes * group.size, parts.sendBytes, parts.sendRuns);
    if (member != group.own)
      list(member, send, receive);
  }
  // What is sent is there when the handle's stream has come here; the messages' own stream waits for that.
  const Stream stream = handle.collectives.stream ? handle.collectives.stream : device.stream;
  if (handle.collectives.stream) {
    xfrt_status status = device.run(device.driver->eventRecord, state.ready, device.stream);
    if (!status)
      status = device.run(device.driver->streamWaitEvent, stream, state.ready, 0u);
    if (status)
      ranks.refuse(status);
  }
  // Headers of a rank that is worth nothing have to leave, too. The places of those that come are written with them: no
  // message comes from this rank itself.
  const void *const headers = headerCopies();
  if (xfrt_status status =
          device.run(device.driver->copyToDevice, header(0), headers, 2 * size_t(headerBytes()), stream))
    ranks.refuse(status);
  if (xfrt_status status = ranks.messages().startOn(stream, handle.collectives.sends, handle.collectives.receives,
                                                    state.ticket, nameOfCollective(row.kind), context.message))
    return status;
  if (handle.collectives.stream)
    if (xfrt_status status = device.run(device.driver->eventRecord, state.arrived, stream))
      ranks.refuse(status);
  state.isUnderWay = true;
  return XFRT_OK;
}

/// Waits for the messages on the device, and copies the parts to their positions in `receive`. Parts that were received
/// there need no copy.
void Collective::join(Address send, Address receive) {
  if (handleOf(context).collectives.stream)
    run(device.driver->streamWaitEvent, device.stream, state.arrived, 0u);
  for (int32_t member = 0; member < group.size; ++member) {
    if (member != group.own && isInPlace)
      continue;
    const Address own = !sendsInPlace() ? outgoing(member)
                        : parts.splits  ? send + uint64_t(member * parts.sendBytes)
                                        : send;
    copyRows(receive + uint64_t(member * parts.receiveBytes), parts.receiveBytes * group.size,
             member == group.own ? own : incoming(member), parts.receiveBytes, parts.receiveBytes, parts.receiveRuns);
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

xfrt_status cuda::startCollective(xfrt_context &context, const xfrt_entry &entry, const xfrt_collective &row,
                                  const int64_t *frame, Address send, Address receive) {
  Collective collective(context, row, frame);
  Gpu &device = collective.device;
  Doing doing(device, entry, nullptr);
  collective.isInPlace = collective.receivesInPlace(entry);
  if (collective.way() == Collective::Nowhere)
    return XFRT_OK;
  if (collective.way() == Collective::ByGpu)
    return collective.start(send, receive);
  void *const to = collective.state.send.data;
  const auto bytes = size_t(collective.parts.sentBytes());
  if (bytes > 0) {
    collective.run(device.driver->copyToHost, to, send, bytes, device.stream);
    collective.run(device.driver->streamSynchronize, device.stream);
  }
  return context.ranks->start(row, frame, collective.state.send.data, {}, context.message);
}

xfrt_status cuda::waitForCollective(xfrt_context &context, const xfrt_entry &entry, const xfrt_collective &row,
                                    const int64_t *frame, Address send, Address receive) {
  Collective collective(context, row, frame);
  const Parts &parts = collective.parts;
  Gpu &device = collective.device;
  Doing doing(device, entry, nullptr);
  collective.isInPlace = collective.receivesInPlace(entry);
  switch (collective.way()) {
  case Collective::Nowhere: {
    const int64_t step = parts.splits ? collective.group.size : 1, first = parts.splits ? collective.group.own : 0;
    collective.copyRows(receive, parts.sendBytes, send + uint64_t(first * parts.sendBytes), step * parts.sendBytes,
                        parts.sendBytes, parts.sendRuns);
    return XFRT_OK;
  }
  case Collective::ByGpu:
    collective.join(send, receive);
    return XFRT_OK;
  case Collective::Staged:
    break;
  }
  const CollectiveState &state = collective.state;
  if (xfrt_status status = context.ranks->wait(row, frame, state.send.data, {}, state.receive.data, context.message))
    return status;
  const void *const from = state.receive.data;
  if (parts.receivedBytes() > 0)
    collective.run(device.driver->copyToDevice, receive, from, size_t(parts.receivedBytes()), device.stream);
  return XFRT_OK;
}

/// Enqueues a copy of received headers to the host. Host memory that is not pinned makes this copy wait for the stream,
/// without a time limit. So it must be called after the waits that have a time limit.
static void fetchHeaders(xfrt_context &context, const xfrt_collective &row, const CollectiveState &state) {
  Gpu &device = handleOf(context).device;
  const size_t bytes = size_t(context.ranks->groupOf(row).size) * sizeof(uint64_t);
  void *const to = state.headerCopies.data + bytes;
  const Address from = state.headers.address + bytes;
  if (xfrt_status status = device.run(device.driver->copyToHost, to, from, bytes, device.stream))
    context.ranks->refuse(status);
}

/// Verifies the headers of received messages, and notes the failures of other ranks that they state.
static xfrt_status readHeaders(xfrt_context &context, const xfrt_collective &row, const CollectiveState &state) {
  const Ranks::Group group = context.ranks->groupOf(row);
  for (int32_t member = 0; member < group.size; ++member) {
    if (member == group.own)
      continue;
    uint64_t header;
    uint32_t number;
    memcpy(&header, state.headerCopies.data + (group.size + member) * sizeof header, sizeof header);
    memcpy(&number, state.numbers.data + member * sizeof number, sizeof number);
    if (xfrt_status status = context.ranks->messages().readHeader(header, number, context.ranks->rankOf(row, member),
                                                                  nameOfCollective(row.kind), context.message))
      return status;
  }
  return XFRT_OK;
}

xfrt_status cuda::finishCollectives(xfrt_context &context) {
  Handle &handle = handleOf(context);
  bool any = false;
  for (int32_t n = 0; n < handle.collectives.count; ++n) {
    CollectiveState &state = handle.collectives.states[n];
    if (!state.isUnderWay)
      continue;
    any = true;
    const char *const what = nameOfCollective(context.model->tables->collectives[n].kind);
    if (xfrt_status status = context.ranks->messages().waitFor(state.ticket, what, context.message))
      return status;
  }
  for (int32_t n = 0; n < handle.collectives.count && !context.ranks->hasFailed(); ++n)
    if (handle.collectives.states[n].isUnderWay)
      fetchHeaders(context, context.model->tables->collectives[n], handle.collectives.states[n]);
  if (any && !context.ranks->hasFailed())
    if (xfrt_status status = synchronize(handle.device))
      context.ranks->refuse(status);
  for (int32_t n = 0; n < handle.collectives.count && !context.ranks->hasFailed(); ++n) {
    CollectiveState &state = handle.collectives.states[n];
    if (state.isUnderWay)
      if (xfrt_status status = readHeaders(context, context.model->tables->collectives[n], state))
        return status;
  }
  for (int32_t n = 0; n < handle.collectives.count; ++n)
    handle.collectives.states[n].isUnderWay = false;
  return context.ranks->finish(context.message);
}

//===- Launch.cpp - Kernels on a CPU --------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the steps of an entry. A launch resolves its operands to addresses and its scalars to numbers, and runs its
// tiles in a parallel loop. A copy runs as a launch of copyTiles (Copy.h).
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "../Held.h"
#include "../Model.h"
#include "../Tables.h"
#include "Copy.h"
#include "FloatEnvironment.h"

#include <inttypes.h>

using namespace xfrt;
using namespace xfrt::cpu;

namespace {
/// What the workers of one launch share: the kernel, its operands and the scratch memory.
struct Task {
  xfrt_kernel kernel;
  const int64_t *scalars;
  void *const *buffers;
  char *scratch;
  int64_t scratchBytes;
  int32_t threads;
  Trace *trace; ///< the trace that records the tiles; null for none
  const char *name;
  const xfrt_work *work;           ///< the work of the launch, for the trace; may be null
  std::atomic<int64_t> covered{0}; ///< number of tiles that the caller's loop has run
  std::atomic<bool> misused{false};
};
} // namespace

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static void runTiles(void *data, int64_t begin, int64_t end, int32_t worker) {
  auto &task = *static_cast<Task *>(data);
  FloatEnvironment environment;
  int64_t start = task.trace ? Trace::now() : 0;
  task.kernel(task.scalars, task.buffers, begin, end, task.scratch + worker * task.scratchBytes);
  if (task.trace)
    task.trace->addTiles(worker, task.name, task.work, begin, end, start);
}

/// Runs tiles for the caller's parallel loop, and counts them. First verifies the index of the worker, because the
/// address of its scratch memory is computed from the index.
static void runCheckedTiles(void *data, int64_t begin, int64_t end, int32_t worker) {
  auto &task = *static_cast<Task *>(data);
  if (worker < 0 || worker >= task.threads || begin > end) {
    task.misused.store(true);
    return;
  }
  if (begin == end)
    return;
  runTiles(data, begin, end, worker);
  task.covered.fetch_add(end - begin);
}

static xfrt_status runGrid(xfrt_context &context, const xfrt_entry &entry, const char *name, int64_t tiles,
                           Task &task) {
  Handle &handle = handleOf(context);
  task.trace = handle.observers.trace;
  task.name = name;
  int64_t start = handle.observers.trace ? Trace::now() : 0;
  if (handle.parallelFor)
    handle.parallelFor(handle.parallelUser, handle.threads, tiles, runCheckedTiles, &task);
  else
    handle.pool.parallelFor(tiles, runTiles, &task);
  if (handle.observers.trace)
    handle.observers.trace->addSpan(name, task.work, tiles, start);
  if (!handle.parallelFor)
    return XFRT_OK;
  if (!task.misused.load() && task.covered.load() == tiles)
    return XFRT_OK;
  return context.message.fail(XFRT_BAD_HOOK,
                              "entry %s: kernel %s: expected parallel_for to run each of %" PRId64
                              " tiles once on workers below %d",
                              Quoted(entry.name).get(), Quoted(name).get(), tiles, handle.threads);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static void *resolve(const xfrt_context &context, const xfrt_operand &operand, const int64_t *frame) {
  int64_t offset = operand.offset < 0 ? 0 : frame[operand.offset];
  switch (operand.space) {
  case XFRT_ARENA:
    return handleOf(context).workspace + offset;
  case XFRT_CONSTANT: // kernels read it only
    return const_cast<char *>(static_cast<const char *>(context.model->constants)) + offset;
  case XFRT_ARGUMENT:
    return context.arguments[operand.index].data + offset;
  case XFRT_HELD:
    return handleOf(context).held + offset;
  default: // XFRT_RESULT; checkModel knows no other
    return context.results[operand.index].data + offset;
  }
}

static xfrt_status runLaunch(xfrt_context &context, const xfrt_entry &entry, const xfrt_launch &launch,
                             const int64_t *frame, const xfrt_work *work) {
  int64_t tiles = frame[launch.grid];
  if (tiles < 0)
    return context.message.fail(XFRT_BAD_MODEL, "entry %s: kernel %s: expected a grid of tiles, got %" PRId64,
                                Quoted(entry.name).get(), Quoted(launch.name).get(), tiles);
  if (tiles == 0)
    return XFRT_OK;
  for (int32_t i = 0; i < launch.operand_count; ++i)
    context.buffers[i] = resolve(context, entry.operands[launch.first_operand + i], frame);
  for (int32_t i = 0; i < launch.scalar_count; ++i)
    context.scalars[i] = frame[entry.scalars[launch.first_scalar + i]];
  Task task;
  task.work = work;
  task.kernel = launch.kernel;
  task.scalars = context.scalars;
  task.buffers = context.buffers;
  task.scratch = handleOf(context).workspace + alignUp(arenaBytes(entry, frame));
  task.scratchBytes = entry.scratch_bytes;
  task.threads = handleOf(context).threads;
  return runGrid(context, entry, launch.name, tiles, task);
}

static xfrt_status runCopy(xfrt_context &context, const xfrt_entry &entry, const xfrt_copy &copy, const int64_t *frame,
                           const xfrt_work *work) {
  int64_t bytes = frame[copy.bytes];
  if (bytes < 0)
    return context.message.fail(XFRT_BAD_MODEL, "entry %s: copy: expected a number of bytes, got %" PRId64,
                                Quoted(entry.name).get(), bytes);
  void *const buffers[] = {resolve(context, entry.operands[copy.from], frame),
                           resolve(context, entry.operands[copy.to], frame)};
  if (bytes == 0 || buffers[0] == buffers[1])
    return XFRT_OK;
  Task task;
  task.work = work;
  task.kernel = copyTiles;
  task.scalars = &bytes;
  task.buffers = buffers;
  task.scratch = nullptr;
  task.scratchBytes = 0;
  task.threads = handleOf(context).threads;
  return runGrid(context, entry, "copy", (bytes - 1) / copyTileBytes + 1, task);
}

static xfrt_status runCollective(xfrt_context &context, const xfrt_entry &entry, const xfrt_step &step,
                                 const int64_t *frame) {
  const xfrt_collective &row = context.model->tables->collectives[step.index];
  const auto *send = static_cast<const char *>(resolve(context, entry.operands[row.send], frame));
  auto *receive = static_cast<char *>(resolve(context, entry.operands[row.receive], frame));
  SegmentBuffers segments;
  if (row.segment_dtype != 0)
    segments = {resolve(context, entry.operands[row.query_segments], frame),
                resolve(context, entry.operands[row.key_segments], frame)};
  FloatEnvironment environment;
  return step.kind == XFRT_COLLECTIVE ? context.ranks->start(row, frame, send, segments, context.message)
                                      : context.ranks->wait(row, frame, send, segments, receive, context.message);
}

static xfrt_status runStep(xfrt_context &context, const xfrt_entry &entry, int32_t number, const int64_t *frame) {
  const xfrt_step &step = entry.steps[number];
  const xfrt_work *work = handleOf(context).observers.trace ? workOf(*context.model, entry, number) : nullptr;
  switch (step.kind) {
  case XFRT_COPY:
    return runCopy(context, entry, entry.copies[step.index], frame, work);
  case XFRT_LAUNCH:
    return runLaunch(context, entry, entry.launches[step.index], frame, work);
  default: // XFRT_COLLECTIVE and XFRT_WAIT; checkModel knows no other
    return runCollective(context, entry, step, frame);
  }
}

/// Runs the steps that are due, in order. After a failure, runs only collectives, because other ranks wait for the
/// messages of this one.
xfrt_status cpu::runSteps(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  const Handle &handle = handleOf(context);
  xfrt_status failed = XFRT_OK;
  for (int32_t i = 0; i < entry.step_count; ++i) {
    const xfrt_step &step = entry.steps[i];
    if (!isDue(context, entry, step) || (failed && !isCollective(step)))
      continue;
    int64_t start = handle.observers.profile ? Trace::now() : 0;
    xfrt_status status = runStep(context, entry, i, frame);
    if (!status && context.ranks)
      if (xfrt_status lost = context.ranks->look(context.message))
        return lost;
    if (status && (!context.ranks || isCollective(step)))
      return failed ? failed : status;
    if (status) {
      context.ranks->refuse(status);
      failed = status;
      continue;
    }
    if (handle.observers.profile)
      handle.observers.profile->addStep(entry, i, Trace::now() - start);
    noteFilled(context, entry, step);
  }
  return context.ranks ? context.ranks->finish(context.message) : XFRT_OK;
}

//===- State.cpp - Contexts, streams and their work -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/driver/State.h"
#include "test/ptx/Coverage.h"
#include "test/ptx/driver/Simulator.h"
#include "test/ptx/driver/Streams.h"

#include <chrono>
#include <stdarg.h>
#include <stdio.h>

using namespace xf;
using namespace xf::sim;

void sim::say(const char *format, ...) {
  va_list values;
  va_start(values, format);
  fputs("simulated driver: ", stderr);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  va_end(values);
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

static void sayStatistics(const ptx::Launch &launch, const ptx::Statistics &statistics) {
  uint64_t loads = 0, stores = 0;
  for (auto &[opcode, count] : statistics.opcodes) {
    loads += opcode.starts_with("ld.global") ? count : 0;
    stores += opcode.starts_with("st.global") ? count : 0;
  }
  std::string missed;
  if (State::get().settings.machine.cacheBytes)
    missed = ", " + std::to_string(statistics.missedBytes) + " bytes from memory";
  auto number = [](uint64_t n) { return static_cast<unsigned long long>(n); };
  say("kernel %s: %u blocks of %u threads, %llu instructions of warps, %llu global loads, %llu global stores, %llu "
      "bytes "
      "read, %llu bytes written%s",
      launch.kernel.c_str(), launch.grid[0], launch.block[0], number(statistics.warpInstructions), number(loads),
      number(stores), number(statistics.readBytes), number(statistics.writtenBytes), missed.c_str());
}

static Result runLaunch(const ptx::Launch &launch, ptx::Memory &memory, const ptx::Options &options) {
  if (Result result = State::get().count("kernel"))
    return result;
  ptx::Statistics statistics;
  std::vector<ptx::Report> reports = ptx::run(launch, memory, options, &statistics);
  State &state = State::get();
  for (auto &[opcode, count] : statistics.opcodes)
    state.statistics.opcodes[opcode] += count;
  if (state.settings.statistics)
    sayStatistics(launch, statistics);
  for (const ptx::Report &report : reports)
    say("kernel %s: %s", launch.kernel.c_str(), ptx::toString(report, launch.module->name).c_str());
  return reports.empty() ? success : launchFailed;
}

static Result runOperation(const Operation &operation, Context &context, const ptx::Options &options) {
  switch (operation.kind) {
  case Operation::CopyIn:
    return context.memory.write(operation.address, operation.host, operation.bytes) ? success : illegalAddress;
  case Operation::CopyOut:
    if (context.memory.read(operation.address, operation.host, operation.bytes))
      return success;
    say("copy to the host: expected %llu bytes that were written, at 0x%llx", (unsigned long long)operation.bytes,
        (unsigned long long)operation.address);
    return illegalAddress;
  case Operation::CopyOn:
    return context.memory.copy(operation.address, reinterpret_cast<uint64_t>(operation.host), operation.bytes)
               ? success
               : illegalAddress;
  case Operation::CopyRows:
    for (uint64_t n = 0; n < operation.rows; ++n)
      if (!context.memory.copy(operation.address + n * operation.pitch,
                               reinterpret_cast<uint64_t>(operation.host) + n * operation.fromPitch, operation.bytes))
        return illegalAddress;
    return success;
  case Operation::Wait:
    if (Stream *other = findStream(context, operation.event->stream))
      if (operation.event->reached < operation.recorded)
        context.flush(*other);
    return context.error ? context.error : operation.event->reached < operation.recorded ? notReady : success;
  case Operation::Other:
    return operation.poll(operation.host) ? notReady : success;
  case Operation::Free:
    return context.memory.free(operation.address) ? success : illegalAddress;
  case Operation::Record:
    ++operation.event->reached;
    operation.event->nanoseconds = std::chrono::steady_clock::now().time_since_epoch().count();
    return success;
  case Operation::Launch:
    return runLaunch(operation.launch, context.memory, options);
  }
  return success;
}

Result Context::flush(Stream &stream) {
  if (stream.isBusy) // waits for the stream that asks
    return notReady;
  while (!stream.queue.empty() && !error) {
    stream.isBusy = true;
    const Result result = runOperation(stream.queue.front(), *this, State::get().settings.machine);
    stream.isBusy = false;
    if (result == notReady)
      return notReady;
    error = result;
    stream.queue.pop_front();
  }
  if (error)
    stream.queue.clear();
  return error;
}

Result Context::finish(Stream &stream) {
  State &state = State::get();
  Result result = flush(stream);
  while (result == notReady) {
    state.changed.wait_for(state.mutex, std::chrono::milliseconds(1));
    result = flush(stream);
  }
  return result;
}

Result Context::finishAll() {
  for (auto &[stream, owned] : streams)
    finish(*stream);
  return error;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

State &State::get() {
  static State state;
  return state;
}

std::vector<Context *> &State::stack() {
  static thread_local std::vector<Context *> contexts;
  return contexts;
}

State::~State() {
  if (!ptx::appendCoverage(statistics, "driver"))
    say("cannot write to XF_PTX_COVERAGE");
  if (!settings.leaks)
    return;
  for (auto &[device, context] : contexts)
    say("device %d: the primary context is still retained %d times", device, context->retained);
  if (leaks)
    say("%d allocations, modules, streams or graphs were not given back", leaks);
}

Result State::count(const std::string &entryPoint) {
  int number = ++calls[entryPoint];
  for (const Failure &failure : settings.failures)
    if (failure.entryPoint == entryPoint && (failure.call == 0 || failure.call == number))
      return failure.result;
  return success;
}

Call::Call(const char *entryPoint, Kind kind) : kind(kind), result(state.count(entryPoint)), isInjected(result) {
  if (!State::stack().empty())
    context = State::stack().back();
  if (isInjected && context && sim::isSticky(result))
    context->error = result;
  if (isInjected || kind == Free)
    return;
  if (!state.isInitialised)
    result = notInitialized;
  else if (kind != Driver)
    result = !context ? Result(invalidContext) : context->error;
}

//===----------------------------------------------------------------------===//
// Questions of tests
//===----------------------------------------------------------------------===//

void xfSimReset() {
  State &state = State::get();
  std::lock_guard lock(state.mutex);
  state.settings = Settings::fromEnvironment();
  state.calls.clear();
  state.leaks = 0;
}

int xfSimCalls(const char *entryPoint) {
  State &state = State::get();
  std::lock_guard lock(state.mutex);
  return state.calls[entryPoint];
}

int xfSimLeaks() {
  State &state = State::get();
  std::lock_guard lock(state.mutex);
  return state.leaks + int(state.contexts.size());
}

uint64_t xfSimUsedBytes() {
  State &state = State::get();
  std::lock_guard lock(state.mutex);
  uint64_t bytes = 0;
  for (auto &[device, context] : state.contexts)
    bytes += context->memory.used();
  return bytes;
}

int xfSimEnqueue(void *handle, int (*poll)(void *), void *user) {
  State &state = State::get();
  std::lock_guard lock(state.mutex);
  Context *context = State::stack().empty() ? nullptr : State::stack().back();
  Stream *stream = context ? findStream(*context, handle) : nullptr;
  if (!stream)
    return invalidHandle;
  Operation operation{Operation::Other};
  operation.poll = poll;
  operation.host = user;
  return enqueue(*stream, operation);
}

int xfSimCopy(void *toContext, void *to, void *fromContext, const void *from, uint64_t bytes) {
  State &state = State::get();
  std::lock_guard lock(state.mutex);
  auto *target = static_cast<Context *>(toContext), *source = static_cast<Context *>(fromContext);
  if (target == source)
    return !target->memory.copy(reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from), bytes);
  std::vector<char> copy(bytes);
  return !source->memory.read(reinterpret_cast<uint64_t>(from), copy.data(), bytes, /*allowUninitialised=*/true) ||
         !target->memory.write(reinterpret_cast<uint64_t>(to), copy.data(), bytes);
}

void xfSimLock() { State::get().mutex.lock(); }
void xfSimUnlock() {
  State::get().changed.notify_all();
  State::get().mutex.unlock();
}

void *xfSimCurrent() { return State::stack().empty() ? nullptr : State::stack().back(); }

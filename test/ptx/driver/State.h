//===- State.h - Contexts, streams and their work --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_DRIVER_STATE_H
#define XF_TEST_PTX_DRIVER_STATE_H

#include "test/ptx/driver/Settings.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>

namespace xf::sim {

struct Context;

struct Module {
  std::unique_ptr<ptx::Module> code;
};

struct Function {
  Module *module;
  const ptx::Kernel *kernel;
  int sharedBytes = 48 * 1024; ///< dynamic, at most
};

struct Stream;

struct Event {
  Stream *stream = nullptr;      ///< that it was recorded on last; it may be gone
  int64_t nanoseconds = 0;       ///< of the host's clock when the stream came to it; 0: never
  int recorded = 0, reached = 0; ///< how often, and how often its stream has come to it
};

/// Work of a stream, or a node of a graph.
struct Operation {
  enum Kind { CopyIn, CopyOut, CopyOn, CopyRows, Free, Launch, Record, Wait, Other };
  Kind kind;
  uint64_t address = 0;
  void *host = nullptr; ///< or, of a copy on the device, where it comes from; of other work, what `poll` gets
  uint64_t bytes = 0;
  ptx::Launch launch = {};
  Event *event = nullptr;
  int recorded = 0;                            ///< of Wait: that of the event
  uint64_t rows = 1, pitch = 0, fromPitch = 0; ///< of CopyRows
  int (*poll)(void *) = nullptr;               ///< of Other (xfSimEnqueue)
};

struct Stream {
  bool isCapturing = false, isInvalidated = false;
  bool isBusy = false; ///< its work is being done
  std::deque<Operation> queue;
  std::vector<Operation> captured;
};

struct Graph {
  std::vector<Operation> nodes;
};

/// The primary context of a device.
struct Context {
  explicit Context(uint64_t bytes) : memory(bytes) {}

  int retained = 0;
  Result error = success; ///< that it answers for good
  ptx::Memory memory;
  std::set<uint64_t> allocations;
  std::map<Module *, std::unique_ptr<Module>> modules;
  std::map<std::pair<Module *, std::string>, std::unique_ptr<Function>> functions;
  std::map<Stream *, std::unique_ptr<Stream>> streams;
  std::map<Graph *, std::unique_ptr<Graph>> graphs; ///< executable ones too
  std::map<Event *, std::unique_ptr<Event>> events;

  /// Does the work of a stream, as far as it can: notReady where other work is not over.
  Result flush(Stream &stream);
  /// Does all of it, and waits for other work; of all streams.
  Result finish(Stream &stream);
  Result finishAll();
  int left() const { return int(allocations.size() + modules.size() + streams.size() + graphs.size() + events.size()); }
};

/// All of the driver, behind one lock.
struct State {
  std::recursive_mutex mutex;
  std::condition_variable_any changed; ///< other work may go on
  Settings settings = Settings::fromEnvironment();
  bool isInitialised = false;
  std::map<std::string, int> calls;
  ptx::Statistics statistics;                       ///< of all kernels that ran, and of opcodes that were loaded
  std::map<int, std::unique_ptr<Context>> contexts; ///< by device
  int leaks = 0;

  /// Counts a call of `entryPoint`; what the environment wants it to fail with, or success.
  Result count(const std::string &entryPoint);

  ~State();
  static State &get();
  static std::vector<Context *> &stack(); ///< of this thread, the current one last
};

/// One call of an entry point: holds the lock, counts, and answers what the environment wants it to fail with.
class Call {
public:
  enum Kind {
    Free,      ///< needs nothing
    Driver,    ///< needs cuInit
    InContext, ///< needs a current context that works
    Releases   ///< that too, and what it gives back is given back even where the environment makes it fail
  };
  Call(const char *entryPoint, Kind kind);

  /// What stops the call, or success.
  Result failure() const { return kind == Releases && isInjected ? success : result; }
  /// The answer of a call that has done its work.
  Result answer(Result own = success) const { return own ? own : result; }

  State &state = State::get();
  Context *context = nullptr; ///< the current one

private:
  std::lock_guard<std::recursive_mutex> lock{state.mutex};
  Kind kind;
  Result result = success;
  bool isInjected = false;
};

/// A line for whoever reads the test's output.
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

} // namespace xf::sim

#endif // XF_TEST_PTX_DRIVER_STATE_H

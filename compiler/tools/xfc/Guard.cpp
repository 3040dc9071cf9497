//===- Guard.cpp - Work in a child process with limits --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/Guard.h"
#include "compiler/tools/xfc/ScratchFolder.h"
#include "compiler/tools/xfc/options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::xf;

/// The limits of a compilation, in bytes of memory and seconds of processor time. They are far above what programs
/// need, and below what a machine has.
static constexpr rlim_t memoryBytes = rlim_t(8) << 30, processorSeconds = 600;

static void limit(decltype(RLIMIT_AS) resource, rlim_t value) {
  rlimit limits;
  if (getrlimit(resource, &limits) != 0)
    return;
  limits.rlim_cur = limits.rlim_max == RLIM_INFINITY ? value : std::min(value, limits.rlim_max);
  setrlimit(resource, &limits);
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

static constexpr int endingSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static volatile sig_atomic_t guardedGroup = 0, interruptedBy = 0;

static void endGroup(int signal) {
  interruptedBy = signal;
  if (guardedGroup)
    kill(-static_cast<pid_t>(guardedGroup), signal);
}

namespace {
/// Forwards signals to the child's process group as long as the group exists. Signals are blocked until `begin` is
/// called with the id of the group. Signals that this process ignores (nohup) stay ignored.
class Forwarding {
public:
  Forwarding() {
    sigset_t ending;
    sigemptyset(&ending);
    for (int signal : endingSignals)
      sigaddset(&ending, signal);
    sigprocmask(SIG_BLOCK, &ending, &mask);
    for (auto [signal, old] : llvm::zip(endingSignals, before)) {
      sigaction(signal, nullptr, &old);
      if (old.sa_handler == SIG_IGN)
        continue;
      struct sigaction action = {};
      action.sa_handler = endGroup;
      sigaction(signal, &action, nullptr);
    }
  }
  ~Forwarding() { restore(); }
  void begin(pid_t group) {
    guardedGroup = group;
    sigprocmask(SIG_SETMASK, &mask, nullptr);
  }
  /// Stops forwarding. Called when the process group no longer exists. Later signals are only recorded.
  void end() { guardedGroup = 0; }
  /// Restores the former signal handlers and mask. Called in the child, and at the end in this process.
  void restore() {
    for (auto [signal, old] : llvm::zip(endingSignals, before))
      sigaction(signal, &old, nullptr);
    sigprocmask(SIG_SETMASK, &mask, nullptr);
  }

private:
  sigset_t mask;
  struct sigaction before[std::size(endingSignals)] = {};
};
} // namespace

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

[[noreturn]] static void workInChild(function_ref<int()> work, pid_t parent, Forwarding &forwarding) {
  setpgid(0, 0);
  forwarding.restore();
  signal(SIGTTOU, SIG_IGN); // the child left the terminal's group, but may write there
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM); // the child ends with its parent
  if (getppid() != parent)
    _exit(ExitInternal); // the parent ended before prctl
#endif
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
  limit(RLIMIT_AS, memoryBytes);
#endif
  limit(RLIMIT_CPU, processorSeconds);
  limit(RLIMIT_CORE, 0);
  int code = work();
  llvm::outs().flush();
  llvm::errs().flush();
  _exit(code); // static destructors belong to the parent
}

/// Waits for the child, then kills the programs that it started, and waits for these programs, too.
static int waitForAll(pid_t child) {
  siginfo_t info;
  while (waitid(P_PID, child, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  kill(-child, SIGKILL); // the child's id is not reused before waitpid
  int status = 0;
  waitpid(child, &status, 0);
  while (waitpid(-child, nullptr, 0) > 0 || errno == EINTR) { // of its group: those whose parent is gone are ours
  }
  return status;
}

GuardedEnd xf::runGuarded(function_ref<int()> work, bool hasScratch) {
  llvm::outs().flush();
  llvm::errs().flush();
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
  Forwarding forwarding; // signals wait while the folder is made, and end nothing while it is removed
  std::optional<ScratchFolder> scratch;
  if (hasScratch)
    scratch.emplace();
  pid_t parent = getpid(), child = fork();
  if (child < 0) { // no process available: work unguarded rather than not at all
    forwarding.restore();
    return {work()};
  }
  if (child == 0)
    workInChild(work, parent, forwarding);
  setpgid(child, child); // here too: a signal may come before the child has run
  forwarding.begin(child);
  int status = waitForAll(child);
  forwarding.end();
  scratch.reset();
  GuardedEnd end = WIFEXITED(status) ? GuardedEnd{WEXITSTATUS(status)} : GuardedEnd{ExitInternal, WTERMSIG(status)};
  end.interrupted = interruptedBy;
  return end;
}

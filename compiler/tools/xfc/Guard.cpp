//===- Guard.cpp - Work in a child process with limits -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/Guard.h"
#include "compiler/tools/xfc/Options.h"
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

/// Far above what programs need, below what takes a machine down.
static constexpr rlim_t memoryBytes = rlim_t(8) << 30, processorSeconds = 600;

static void limit(decltype(RLIMIT_AS) resource, rlim_t value) {
  rlimit limits;
  if (getrlimit(resource, &limits) != 0)
    return;
  limits.rlim_cur = limits.rlim_max == RLIM_INFINITY ? value : std::min(value, limits.rlim_max);
  setrlimit(resource, &limits);
}

GuardedEnd xf::runGuarded(function_ref<int()> work) {
  llvm::outs().flush();
  llvm::errs().flush();
  pid_t parent = getpid(), child = fork();
  if (child < 0) // no process to be had: work unguarded rather than not at all
    return {work(), 0};
  if (child == 0) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM); // who ends the command ends its work
    if (getppid() != parent)
      _exit(ExitInternal); // it ended before that
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
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? GuardedEnd{WEXITSTATUS(status), 0} : GuardedEnd{ExitInternal, WTERMSIG(status)};
}

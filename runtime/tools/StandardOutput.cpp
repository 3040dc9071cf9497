//===- StandardOutput.cpp - Output with failures detected -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StandardOutput.h"
#include "../support/CommandLine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <string>
#include <unistd.h>

void xfrt::tools::prepareOutput() {
  signal(SIGXFSZ, SIG_IGN);
  // Opens /dev/null in the wrong mode in place of a closed stream, so that reads and writes fail as on a closed one.
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return; // open uses the lowest free descriptor, which is `stream`
}

int xfrt::tools::finishOutput(std::string_view tool, int code) {
  // An earlier failed write is visible only by ferror; its errno is lost.
  errno = 0;
  bool arrived = !ferror(stdout);
  arrived = fflush(stdout) == 0 && arrived;
  arrived = close(STDOUT_FILENO) == 0 && arrived;
  if (arrived)
    return code;
  return report(tool, exitFailure,
                std::string("expected to write standard output: ") + (errno ? strerror(errno) : "a write failed"));
}

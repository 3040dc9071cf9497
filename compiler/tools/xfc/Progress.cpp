//===- Progress.cpp - What a long compilation is doing --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/Progress.h"
#include "llvm/Support/FormatVariadic.h"
#include <unistd.h>

using namespace mlir;
using namespace mlir::xf;

static constexpr char eraseLine[] = "\r\x1b[K";

static void write(StringRef text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); }

Progress::Progress(const StageClock &clock) : clock(clock) {
  if (isatty(STDERR_FILENO))
    thread = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!thread.joinable())
    return;
  {
    std::scoped_lock lock(mutex);
    hasEnded = true;
  }
  ended.notify_one();
  thread.join();
}

void Progress::show() {
  using namespace std::chrono;
  auto began = steady_clock::now();
  bool isShown = false;
  std::unique_lock lock(mutex);
  for (auto delay = milliseconds(1000); !ended.wait_for(lock, delay, [&] { return hasEnded; });
       delay = milliseconds(250)) {
    double seconds = duration<double>(steady_clock::now() - began).count();
    // The cursor goes back to the start, so that an error begins there.
    write(llvm::formatv("{0}xfc: {1}, {2:f1} s\r", eraseLine, clock.stage(), seconds).str());
    isShown = true;
  }
  if (isShown)
    write(eraseLine);
}

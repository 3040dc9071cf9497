//===- Settings.h - What the environment says ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_DRIVER_SETTINGS_H
#define XF_TEST_PTX_DRIVER_SETTINGS_H

#include "test/ptx/Machine.h"

#include <map>
#include <string>
#include <vector>

namespace xf::sim {

using Result = int;

enum Error : Result {
  success = 0,
  invalidValue = 1,
  outOfMemory = 2,
  notInitialized = 3,
  stubLibrary = 34,
  noDevice = 100,
  invalidDevice = 101,
  invalidContext = 201,
  noBinaryForGpu = 209,
  invalidPtx = 218,
  unsupportedPtxVersion = 222,
  invalidHandle = 400,
  illegalState = 401,
  notFound = 500,
  notReady = 600,
  illegalAddress = 700,
  launchFailed = 719,
  notSupported = 801,
  systemDriverMismatch = 803,
  captureUnsupported = 900,
  captureInvalidated = 901
};

/// Errors after which a context answers nothing else.
bool isSticky(Result result);

/// One element of XF_SIM_FAIL.
struct Failure {
  std::string entryPoint;
  int call; ///< 0: every
  Result result;
};

/// What a device has, by its compute capability.
struct Limits {
  int capability;           ///< 90 for 9.0
  int sharedBytes;          ///< of a block that asks for it
  int processorSharedBytes; ///< of a multiprocessor
  int processors;           ///< multiprocessors of a common model
  int registers = 64 << 10; ///< of a multiprocessor, and of a block
};

struct Settings {
  int devices = 1, capability = 90, driver = 12080, processors = 4;
  uint64_t memory = uint64_t(8) << 30;
  bool pools = true, leaks = false, statistics = false;
  std::vector<Failure> failures;
  std::string ptx; ///< a file, in place of every image; empty for none
  ptx::Options machine;

  static Settings fromEnvironment();

  /// Of the newest known capability that is not above `capability`, but for `processors`.
  Limits limits() const;
};

} // namespace xf::sim

#endif // XF_TEST_PTX_DRIVER_SETTINGS_H

//===- Driver.cpp - The CUDA driver, by dlopen ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "../Process.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

using namespace xfrt;
using namespace xfrt::cuda;

/// The oldest supported version of the driver, as cuDriverGetVersion returns it: CUDA 11.0, whose drivers support PTX
/// 7.0 and sm_80.
static constexpr int oldestVersion = 11000;

// One driver for the process. It is never closed, because its threads may outlive the last handle.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Driver theDriver;
static void *library = nullptr;
static bool hasSymbols = false;

/// `user` is the number (Process::number) of the process that opened the driver first. Before that, it is noProcess.
static constexpr int64_t noProcess = -1;
static std::atomic<int64_t> user{noProcess};

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

ErrorText::ErrorText(const Driver &driver, Result result) {
  const char *name = nullptr, *sentence = nullptr;
  driver.getErrorName.pointer(result, &name);
  driver.getErrorString.pointer(result, &sentence);
  if (name && sentence)
    snprintf(text, sizeof(text), "%s (%s)", name, sentence);
  else
    snprintf(text, sizeof(text), "error %d", result);
}

bool cuda::isSticky(Result result) {
  switch (result) {
  case eccUncorrectable:
  case nvlinkUncorrectable:
  case contained:
  case illegalAddress:
  case launchTimeout:
  case contextIsDestroyed:
  case deviceAssert:
  case hardwareStackError:
  case illegalInstruction:
  case misalignedAddress:
  case invalidAddressSpace:
  case invalidPc:
  case launchFailed:
  case tensorMemoryLeak:
  case mpsClientTerminated:
  case unknownError:
    return true;
  default:
    return false;
  }
}

xfrt_status cuda::statusOf(Result result) {
  if (result == 0)
    return XFRT_OK;
  if (result == outOfMemory)
    return XFRT_OUT_OF_MEMORY;
  return isSticky(result) ? XFRT_DEVICE_ERROR : XFRT_DRIVER_ERROR;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

template <typename... Parameters>
static bool find(EntryPoint<Parameters...> &function) {
  void *symbol = dlsym(library, function.name);
  memcpy(&function.pointer, &symbol, sizeof(symbol));
  return symbol;
}

/// Looks up all functions of the driver. Returns the name of a required function that the library lacks, or null if it
/// has all.
static const char *findAll() {
#define XFRT_CUDA_FIND(member, symbol, ...)                                                                            \
  if (!find(theDriver.member))                                                                                         \
    return symbol;
  XFRT_CUDA_REQUIRED(XFRT_CUDA_FIND)
#undef XFRT_CUDA_FIND
#define XFRT_CUDA_FIND(member, symbol, ...) find(theDriver.member);
  XFRT_CUDA_OPTIONAL(XFRT_CUDA_FIND)
#undef XFRT_CUDA_FIND
  return nullptr;
}

static xfrt_status openLibrary(Message &message) {
  if (!library)
    library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return message.fail(XFRT_NO_DRIVER, "no CUDA driver: %s", reason ? reason : "cannot open libcuda.so.1");
  }
  if (const char *missing = hasSymbols ? nullptr : findAll())
    return message.fail(XFRT_OLD_DRIVER, "expected a CUDA driver of version 11.0 or later, got one without %s",
                        missing);
  hasSymbols = true;
  return XFRT_OK;
}

/// Calls cuInit and translates its error to a status. The errors of cuInit mean other things than those of other
/// functions: most mean that there is no usable driver.
static xfrt_status initialise(Message &message) {
  Result result = theDriver.init.pointer(0);
  if (result == 0)
    return XFRT_OK;
  xfrt_status status = result == noDeviceError                ? XFRT_NO_DEVICE
                       : result == systemDriverMismatch       ? XFRT_OLD_DRIVER
                       : result == compatNotSupportedOnDevice ? XFRT_OLD_DRIVER
                                                              : XFRT_NO_DRIVER;
  return message.fail(status, "the CUDA driver does not start: cuInit: %s", ErrorText(theDriver, result).get());
}

static xfrt_status checkVersion(Message &message) {
  int version = 0;
  if (Result result = theDriver.driverGetVersion.pointer(&version))
    return message.fail(XFRT_NO_DRIVER, "the CUDA driver does not start: cuDriverGetVersion: %s",
                        ErrorText(theDriver, result).get());
  if (version < oldestVersion)
    return message.fail(XFRT_OLD_DRIVER, "expected a CUDA driver of version 11.0 or later, got %d.%d", version / 1000,
                        version % 1000 / 10);
  return XFRT_OK;
}

/// Fails in a child (fork) of a process that has opened the driver, or was opening it. The driver works only in the
/// process that started it.
static xfrt_status checkProcess(Message &message) {
  int64_t first = noProcess;
  if (user.compare_exchange_strong(first, Process().number()) || first == Process().number())
    return XFRT_OK;
  return message.fail(XFRT_NO_DRIVER,
                      "the CUDA driver does not work in a child of fork whose parent has used it: start "
                      "the process anew, or fork before the first handle on a GPU");
}

xfrt_status cuda::openDriver(const Driver *&driver, Message &message) {
  if (xfrt_status status = checkProcess(message))
    return status;
  pthread_mutex_lock(&mutex);
  xfrt_status status = openLibrary(message);
  if (!status)
    status = initialise(message);
  if (!status)
    status = checkVersion(message);
  if (!library)
    user.store(noProcess);
  pthread_mutex_unlock(&mutex);
  driver = status ? nullptr : &theDriver;
  return status;
}

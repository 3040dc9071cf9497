//===- Ranges.cpp - What profilers show beside kernels --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranges.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

using namespace xfrt::cuda;

// NVTX's functions; null where there are none. The library stays open, because other threads may be in it.
static int (*pushRange)(const char *name) = nullptr;
static int (*popRange)() = nullptr;

static void openLibrary() {
  void *library = dlopen("libnvtx3interop.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    library = dlopen("libnvToolsExt.so.1", RTLD_NOW | RTLD_LOCAL);
  void *push = library ? dlsym(library, "nvtxRangePushA") : nullptr;
  void *pop = library ? dlsym(library, "nvtxRangePop") : nullptr;
  if (!push || !pop)
    return;
  memcpy(&popRange, &pop, sizeof(pop));
  memcpy(&pushRange, &push, sizeof(push));
}

Range::Range(const char *name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, openLibrary);
  if (pushRange)
    pushRange(name);
}

Range::~Range() {
  if (popRange)
    popRange();
}

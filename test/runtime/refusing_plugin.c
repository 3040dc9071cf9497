//===- refusing_plugin.c - A transport that does not start -------------*- C -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xfrt/communicator.h"

#include <stdio.h>

int xfrt_make_communicator(xfrt_communicator *communicator, int32_t version, char *why, int32_t why_bytes) {
  (void)communicator;
  snprintf(why, (size_t)why_bytes, "no network for version %d", (int)version);
  return XFRT_TRANSPORT_FAILED;
}

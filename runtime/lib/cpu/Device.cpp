//===- Device.cpp - The CPU as a device -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Handle.h"

#include <string.h>

using namespace xfrt;
using namespace xfrt::cpu;

static bool checkLaunch(const xfrt_entry &, const xfrt_launch &launch) { return launch.kernel; }

static xfrt_status find(int32_t, int32_t &architecture, Message &) {
  architecture = 0;
  return XFRT_OK;
}

/// Does nothing, because every function describes its failures in the message of the handle that it takes.
static void attach(xfrt_context &) {}

static xfrt_status allocate(xfrt_context &context, size_t bytes, void *&data) {
  data = context.allocator.allocate(bytes);
  return XFRT_OK;
}

static void release(xfrt_context &context, void *data, size_t bytes) { context.allocator.release(data, bytes); }

static xfrt_status copy(xfrt_context &, const Span &from, const Span &to) {
  memcpy(to.data, from.data, size_t(from.bytes));
  return XFRT_OK;
}

/// Do nothing, because the CPU has no copies of parameters: calls read and update them in host memory itself.
static xfrt_status fetch(xfrt_context &, const void *) { return XFRT_OK; }
static void forget(xfrt_context &, const void *) {}

const Device cpu::implementation = {
    .memory = hostMemory,
    .memories = "the host",
    .bufferAlignment = 1,
    .survivesFork = true,
    .loadsImages = false,
    .checkLaunch = checkLaunch,
    .find = find,
    .create = create,
    .attach = attach,
    .destroy = destroy,
    .allocate = allocate,
    .release = release,
    .copy = copy,
    .reserve = reserve,
    .call = call,
    .fetch = fetch,
    .forget = forget,
};

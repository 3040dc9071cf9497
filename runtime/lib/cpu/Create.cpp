//===- Create.cpp - Making and ending CPU handles -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Affinity.h"
#include "Handle.h"
#include "Model.h"
#include "MultiplyAdds.h"

#include <cstdlib>
#include <new>

using namespace xfrt;
using namespace xfrt::cpu;

/// Allocates one block with a handle and the data of its threads. On failure returns null and sets `message`.
static Handle *allocateHandle(const Allocator &allocator, int32_t poolThreads, Message &message) {
  size_t bytes = alignUp(sizeof(Handle)) + ThreadPool::storageBytes(poolThreads);
  void *block = allocator.allocate(bytes);
  if (!block) {
    message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate a handle of %zu bytes", bytes);
    return nullptr;
  }
  auto *handle = new (block) Handle;
  handle->allocator = allocator;
  handle->blockBytes = bytes;
  return handle;
}

/// Releases the block of a handle, but not its workspace and prepacked weights. The handle's threads must have ended.
static void releaseBlock(Handle *handle) {
  Allocator allocator = handle->allocator;
  size_t bytes = handle->blockBytes;
  handle->~Handle();
  allocator.release(handle, bytes);
}

xfrt_status cpu::create(const xfrt_options &options, const Allocator &allocator, const xfrt_model *&model,
                        DeviceState *&state, Message &message) {
  const xfrt_model *selected = model;
  if (xfrt_status status = selectModel(selected, message))
    return status;
  int32_t threads = resolveThreads(options.threads);
  int32_t poolThreads = options.parallel_for ? 1 : threads;
  const char *cpus = getenv("XFRT_AFFINITY");
  if (cpus && countCpus(cpus) == 0)
    return message.fail(XFRT_INVALID_ARGUMENT,
                        "expected XFRT_AFFINITY to be a list of CPUs that this process may use, as in 0-3,8, got '%s'",
                        cpus);
  Handle *handle = allocateHandle(allocator, poolThreads, message);
  if (!handle)
    return XFRT_OUT_OF_MEMORY;
  handle->name = "CPU";
  handle->threads = threads;
  handle->parallelFor = options.parallel_for;
  handle->parallelUser = options.parallel_user;
  handle->workspace = static_cast<char *>(options.workspace);
  handle->workspaceBytes = options.workspace ? options.workspace_bytes : 0;
  handle->ownsWorkspace = !options.workspace;
  if (!handle->pool.start(poolThreads, reinterpret_cast<char *>(handle) + alignUp(sizeof(Handle)), cpus)) {
    releaseBlock(handle);
    return message.fail(XFRT_OUT_OF_MEMORY, "cannot start %d threads", poolThreads - 1);
  }
  if (xfrt_status status = handle->observers.start(*selected, options.communicator, threads, findPeak, message)) {
    handle->pool.stop();
    releaseBlock(handle);
    return status;
  }
  state = handle;
  model = selected;
  return XFRT_OK;
}

void cpu::destroy(DeviceState *state) {
  auto *handle = static_cast<Handle *>(state);
  if (handle->process.isAncestor())
    handle->pool.forgetWorkers();
  handle->pool.stop();
  if (handle->ownsWorkspace)
    handle->allocator.release(handle->workspace, handle->workspaceBytes);
  handle->allocator.release(handle->held, handle->heldBytes);
  releaseBlock(handle);
}

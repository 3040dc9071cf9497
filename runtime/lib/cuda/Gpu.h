//===- Gpu.h - A GPU, its context and a stream ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_GPU_H
#define XFRT_LIB_CUDA_GPU_H

#include "Driver.h"

namespace xfrt::cuda {

/// A GPU with its primary context and a stream. A handle calls the driver through this class, which translates failures
/// to statuses.
struct Gpu {
  const Driver *driver = nullptr;
  Message *message = nullptr; ///< where failures are described

  DeviceNumber number = 0;
  int capability = 0;    ///< compute capability: 10 x major + minor
  int processors = 0;    ///< number of multiprocessors
  int sharedBytes = 0;   ///< the most shared memory of a block
  char name[128] = "";   ///< empty where the driver reports no name
  bool hasPools = false; ///< memory is allocated and released in the order of the stream
  Context context = nullptr;
  Stream stream = nullptr;
  bool ownsStream = false;
  bool isRecording = false; ///< the caller records the stream as a CUDA graph: no waits, allocations or copies
                            ///< from and to the host

  // The entry and launch in progress, for messages; null where no work is in progress.
  const xfrt_entry *entry = nullptr;
  const xfrt_launch *launch = nullptr;

  // The failure by which the context was lost, and the function that reported it; 0 and null while the context is
  // valid.
  Result lost = 0;
  const char *lostIn = nullptr;

  /// Calls a function of the driver. Translates its result to a status, and sets the message on failure.
  template <typename... Parameters, typename... Arguments>
  xfrt_status run(const EntryPoint<Parameters...> &function, Arguments... arguments) {
    Result result = function.pointer(arguments...);
    return result == 0 ? XFRT_OK : fail(result, function.name);
  }

  /// Sets the message for a failed function of the driver and returns its status. Marks the context as lost after a
  /// sticky error.
  xfrt_status fail(Result result, const char *function);

  /// Fails with XFRT_INVALID_ARGUMENT. Called if the caller records the stream as a CUDA graph, and the requested work
  /// cannot be part of a graph.
  xfrt_status failRecording();

  /// Returns XFRT_DEVICE_ERROR where the context is lost, otherwise XFRT_OK.
  xfrt_status checkAlive();
};

/// Sets `device` to the GPU with index `number` and reads its properties. Creates no context.
xfrt_status findGpu(Gpu &device, int32_t number);

/// Retains the GPU's primary context, and uses the caller's stream or, where `stream` is null, creates one. closeGpu
/// must be called even after a failure.
xfrt_status openGpu(Gpu &device, void *stream);

/// Undoes openGpu, as far as openGpu has succeeded: destroys the stream that the handle owns, if any, and releases the
/// primary context.
void closeGpu(Gpu &device);

/// Waits for all work on the device's stream.
inline xfrt_status synchronize(Gpu &device) { return device.run(device.driver->streamSynchronize, device.stream); }

/// Waits for copies that may still read or write host memory, after a failure. Ignores further failures. Does nothing
/// while the caller records the stream.
inline void drain(Gpu &device) {
  if (!device.isRecording)
    device.driver->streamSynchronize.pointer(device.stream);
}

/// Sets device.isRecording to whether the caller is recording its stream as a CUDA graph.
void noteRecording(Gpu &device);

/// An RAII guard that makes the device's context current for its lifetime and then restores the caller's context.
class Current {
public:
  explicit Current(Gpu &device) : device(device), status(device.run(device.driver->pushCurrent, device.context)) {}
  ~Current() {
    Context popped;
    if (status == XFRT_OK)
      device.driver->popCurrent.pointer(&popped);
  }
  Current(const Current &) = delete;
  Current &operator=(const Current &) = delete;

  Gpu &device;
  const xfrt_status status;
};

/// An RAII guard. During its lifetime, failure messages name an entry and, if `launch` is not null, this launch of the
/// entry.
class Doing {
public:
  Doing(Gpu &device, const xfrt_entry &entry, const xfrt_launch *launch)
      : device(device), oldEntry(device.entry), oldLaunch(device.launch) {
    device.entry = &entry;
    device.launch = launch;
  }
  ~Doing() {
    device.entry = oldEntry;
    device.launch = oldLaunch;
  }
  Doing(const Doing &) = delete;
  Doing &operator=(const Doing &) = delete;

private:
  Gpu &device;
  const xfrt_entry *oldEntry;
  const xfrt_launch *oldLaunch;
};

/// A block of device memory that can grow. It is used by work on the device's stream only.
struct Block {
  Address address = 0;
  size_t bytes = 0;
};

/// Grows the block to at least `bytes` bytes. A block that grows loses its contents. A block that is already large
/// enough is unchanged.
xfrt_status growBlock(Gpu &device, Block &block, size_t bytes);
void releaseBlock(Gpu &device, Block &block);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_GPU_H

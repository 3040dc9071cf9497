//===- Device.h - One handle's place on a GPU ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_DEVICE_H
#define XFRT_LIB_CUDA_DEVICE_H

#include "Driver.h"

namespace xfrt::cuda {

/// A device with its primary context and a stream; every call of the driver for a handle goes through it, so that
/// failures become statuses in one place.
struct Device {
  const Driver *driver = nullptr;
  Message *message = nullptr; ///< where failures are described

  DeviceNumber number = 0;
  int capability = 0; ///< 10 x major + minor
  int processors = 0;
  int sharedBytes = 0;   ///< that a block may have
  char name[128] = "";   ///< empty where the driver does not say
  bool hasPools = false; ///< memory is given and taken in the order of the stream
  Context context = nullptr;
  Stream stream = nullptr;
  bool ownsStream = false;
  bool isRecording = false; ///< the caller records the stream as a graph of its own: nothing may wait, copy or allocate

  // What is being done, for messages; null for what does not apply.
  const xfrt_entry *entry = nullptr;
  const xfrt_launch *launch = nullptr;

  // The failure after which the context is lost; 0 for none.
  Result lost = 0;
  const char *lostIn = nullptr;

  /// Calls a function of the driver.
  template <typename... Parameters, typename... Arguments>
  xfrt_status run(const EntryPoint<Parameters...> &function, Arguments... arguments) {
    Result result = function.pointer(arguments...);
    return result == 0 ? XFRT_OK : fail(result, function.name);
  }

  /// The status for a failed function, with a text that names it.
  xfrt_status fail(Result result, const char *function);

  /// For what cannot be part of a caller's graph.
  xfrt_status failRecording();

  /// XFRT_DEVICE_ERROR where the context is lost.
  xfrt_status checkAlive();
};

/// Finds the device and its properties; it has no context yet.
xfrt_status findDevice(Device &device, int32_t number);

/// Retains the primary context, makes it current and creates a stream where the caller has none. closeDevice undoes as
/// much as was done, and leaves no context current.
xfrt_status openDevice(Device &device, void *stream);
void closeDevice(Device &device);

/// Waits for all work on the stream.
inline xfrt_status synchronize(Device &device) { return device.run(device.driver->streamSynchronize, device.stream); }

/// After a failure: waits for copies that may still read or write the host's memory.
inline void drain(Device &device) {
  if (!device.isRecording)
    device.driver->streamSynchronize.pointer(device.stream);
}

/// Asks whether the caller records its stream.
void noteRecording(Device &device);

/// Makes the device's context current for a function of the library; the caller's own is current again afterwards.
class Current {
public:
  explicit Current(Device &device) : device(device), status(device.run(device.driver->pushCurrent, device.context)) {}
  ~Current() {
    Context popped;
    if (status == XFRT_OK)
      device.driver->popCurrent.pointer(&popped);
  }
  Current(const Current &) = delete;
  Current &operator=(const Current &) = delete;

  Device &device;
  const xfrt_status status;
};

/// Names an entry, and a launch of it or null, in the messages of failures while it lives.
class Doing {
public:
  Doing(Device &device, const xfrt_entry &entry, const xfrt_launch *launch)
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
  Device &device;
  const xfrt_entry *oldEntry;
  const xfrt_launch *oldLaunch;
};

/// Device memory that grows and is used on the device's stream only.
struct Block {
  Address address = 0;
  size_t bytes = 0;
};

/// At least `bytes` bytes; what was there is lost when the block grows.
xfrt_status growBlock(Device &device, Block &block, size_t bytes);
void releaseBlock(Device &device, Block &block);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_DEVICE_H

//===- xf/device.h - Devices that run programs -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DEVICE_H
#define XF_DEVICE_H

#include "xf/error.h"

namespace xf {

/// Device that runs the calls of an executable: cpu(), cuda() or cuda_or_cpu().
struct Device {
  enum class Kind { cpu, cuda, cuda_or_cpu };
  Kind kind = Kind::cpu;
  /// Number of the GPU, as the driver counts the GPUs.
  int number = 0;

  bool operator==(const Device &) const = default;
};

/// Returns the CPU; calls use CompileOptions::threads threads.
constexpr Device cpu() { return {}; }
/// Returns an NVIDIA GPU of sm_80 or later. Program::compile throws DeviceError where the GPU is missing.
constexpr Device cuda(int number = 0) { return {Device::Kind::cuda, number}; }
/// Returns the same GPU with the CPU as fallback: the CPU runs the program where the GPU is missing or cannot run the
/// kernels, and Executable::fallback then gives the reason.
constexpr Device cuda_or_cpu(int number = 0) { return {Device::Kind::cuda_or_cpu, number}; }

/// Result of looking for a device before a program is compiled for it.
struct DeviceStatus {
  /// "ok", or the reason why the device is unavailable, by its name in the C interface: "no_driver", "old_driver",
  /// "no_device", "driver_error", or "wrong_architecture" for a GPU older than sm_80.
  std::string status = "ok";
  /// The reason as one line of text; empty for "ok".
  std::string reason;
  /// Architecture of the GPU, such as "sm_90" for compute capability 9.0; empty for a CPU and where no GPU was found.
  std::string architecture;

  bool available() const { return status == "ok"; }
};

/// Looks for a device; for cuda_or_cpu(), looks for the GPU. Throws Error for a negative device number.
DeviceStatus device_status(const Device &device, Here here = Here::current());

/// Reports that a GPU is missing or has failed. A program that can run on the CPU instead catches DeviceError or
/// compiles for cuda_or_cpu().
class DeviceError : public Error {
public:
  DeviceError(std::string status, const std::string &message, Here here)
      : Error(message, here), name(std::move(status)) {}

  /// Returns a name as in DeviceStatus::status, or "jit_failed" or "device_error". After "device_error" every further
  /// call of the executable fails, and the program must be compiled again.
  const std::string &status() const noexcept { return name; }

private:
  std::string name;
};

} // namespace xf

#endif // XF_DEVICE_H

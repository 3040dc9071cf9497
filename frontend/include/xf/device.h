//===- xf/device.h - Where programs run -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DEVICE_H
#define XF_DEVICE_H

#include "xf/error.h"

namespace xf {

/// Where the calls of an executable run: cpu(), cuda() or cuda_or_cpu().
struct Device {
  enum class Kind { cpu, cuda, cuda_or_cpu };
  Kind kind = Kind::cpu;
  /// Of the GPU, as the driver counts them.
  int number = 0;

  bool operator==(const Device &) const = default;
};

/// The CPU, on the threads of CompileOptions.
constexpr Device cpu() { return {}; }
/// An NVIDIA GPU of sm_80 or later. Where it is missing, compiling throws DeviceError.
constexpr Device cuda(int number = 0) { return {Device::Kind::cuda, number}; }
/// The same GPU where it is there and takes the kernels, else the CPU; Executable::fallback then says why.
constexpr Device cuda_or_cpu(int number = 0) { return {Device::Kind::cuda_or_cpu, number}; }

/// What is known of a device before a program is compiled for it.
struct DeviceStatus {
  /// "ok", or why it is missing, by the names of the C interface: "no_driver", "old_driver", "no_device",
  /// "driver_error"; "wrong_architecture" for a GPU that is too old.
  std::string status = "ok";
  /// The same in one line; empty for "ok".
  std::string reason;
  /// What the GPU runs, "sm_90" of compute capability 9.0; empty of a CPU and where none was found.
  std::string architecture;

  bool available() const { return status == "ok"; }
};

/// Looks for a device. Of cuda_or_cpu() it is the GPU that is looked for.
DeviceStatus device_status(const Device &device, Here here = Here::current());

/// A GPU that is missing or fails. A program that can do without it catches this one, or asks for cuda_or_cpu().
class DeviceError : public Error {
public:
  DeviceError(std::string status, const std::string &message, Here here)
      : Error(message, here), name(std::move(status)) {}

  /// As DeviceStatus::status; also "jit_failed" and "device_error". After the latter every call fails: compile anew.
  const std::string &status() const noexcept { return name; }

private:
  std::string name;
};

} // namespace xf

#endif // XF_DEVICE_H

//===- xf/device.h - Devices and ranks that run programs -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DEVICE_H
#define XF_DEVICE_H

#include "xf/error.h"

#include <cstdint>
#include <memory>
#include <string>

struct xfrt_communicator;

namespace xf {

/// Device that runs the calls of an executable; made by cpu(), cuda() or cuda_or_cpu().
struct Device {
  enum class Kind { cpu, cuda, cuda_or_cpu };
  Kind kind = Kind::cpu;
  /// Index of the GPU among those that the CUDA driver lists, from 0.
  int number = 0;

  bool operator==(const Device &) const = default;
};

/// Returns the CPU, on which calls use CompileOptions::threads threads.
constexpr Device cpu() { return {}; }
/// Returns the NVIDIA GPU with index `number`. Program::compile throws DeviceError where that GPU is missing or older
/// than sm_80.
constexpr Device cuda(int number = 0) { return {Device::Kind::cuda, number}; }
/// Returns the NVIDIA GPU with index `number`, with the CPU as fallback. The CPU runs the program if the GPU is missing
/// or cannot run the kernels. Executable::fallback then gives the reason.
constexpr Device cuda_or_cpu(int number = 0) { return {Device::Kind::cuda_or_cpu, number}; }

/// Whether a device is available, as device_status reports it.
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

/// Returns whether a device can run programs, without compiling one. For cuda_or_cpu(), reports on the GPU. Throws
/// Error for a negative device number.
DeviceStatus device_status(const Device &device, Here here = Here::current());

/// Error of a GPU that is missing or has failed. A program that can also run on the CPU catches DeviceError or compiles
/// for cuda_or_cpu().
class DeviceError : public Error {
public:
  DeviceError(std::string status, const std::string &message, Here here)
      : Error(message, here), name(std::move(status)) {}

  /// Returns the name of the reason: one of the values of DeviceStatus::status, or "jit_failed" or "device_error".
  /// After "device_error" every further call of the executable fails, and the program must be compiled again.
  const std::string &status() const noexcept { return name; }

private:
  std::string name;
};

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

/// The processes that run a program together, and the number of this one. Copies share one connection. The connection
/// closes when the last copy is destroyed, and the last executable that was compiled for it.
class Ranks {
public:
  /// Makes the ranks of a program that this process runs alone: one rank.
  Ranks() = default;
  explicit Ranks(std::shared_ptr<const xfrt_communicator> communicator) : connection(std::move(communicator)) {}

  /// The number of this process, from 0.
  int rank() const;
  int size() const;

  /// Returns, on all ranks, the `number` that rank 0 passes. All ranks must call it, between calls of executables.
  /// Throws Error where the connection fails. If no number arrives for 10 minutes, ends all ranks with exit code 75.
  int64_t first(int64_t number, Here here = Here::current()) const;

  /// Ends the processes of all ranks, because other ranks may be waiting for this one. Prints `why` to stderr. The exit
  /// code is `code` if the connection can pass a code to other ranks. Ranks other than 0 first wait a second, so that
  /// only rank 0 prints if all ranks fail for the same reason.
  [[noreturn]] void abort(int code, const std::string &why) const;

  /// Returns the connection that calls of executables use (xfrt/communicator.h), or null for one rank.
  const std::shared_ptr<const xfrt_communicator> &communicator() const { return connection; }

private:
  std::shared_ptr<const xfrt_communicator> connection;
};

/// Returns the MPI ranks that mpirun has started, connected by a plug-in beside this library (libxfrt-mpi.so). A
/// process that mpirun did not start is one rank. Throws Error, which names what is missing, where there is no plug-in
/// or no MPI.
Ranks mpi(Here here = Here::current());

} // namespace xf

#endif // XF_DEVICE_H

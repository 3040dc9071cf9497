//===- xf/executable.h - A program compiled in this process -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_EXECUTABLE_H
#define XF_EXECUTABLE_H

#include "xf/device.h"
#include "xf/safetensors.h"

namespace xf {

/// Options for compiling and running a program.
struct CompileOptions {
  /// Target CPU, as in xfc --mcpu.
  std::string cpu = "native";
  /// Optimisation level, 0 to 3.
  unsigned opt_level = 2;
  /// Number of threads of every call; 0: one for each CPU that the process may use. Results do not depend on the
  /// number.
  int threads = 0;
  /// Device that runs the calls.
  Device device = {};
  /// GPU architectures for which the object holds kernels besides those for the CPU, as in xfc --gpu-arch. Empty: the
  /// architecture of `device`, or no GPU kernels where that device is a CPU or missing.
  std::vector<std::string> gpus = {};
  /// Precision of products of f32 matrices on GPUs, as in xfc --f32-products: "exact", "tf32" or "bf16x3".
  std::string f32_products = "exact";
};

/// Inputs or results of an entry, by name.
using Arrays = std::map<std::string, Array>;

namespace detail {
struct ExecutableData;
}

/// A compiled program with its kernels, the values of its parameters and the optimiser's state. Copies are handles of
/// the same model. At most one call may run at a time.
///
/// On a GPU, every call copies its inputs to the GPU and its results back; parameters and state stay on the GPU from
/// the first call on. state_dict and optimizer_state copy parameters and state back into host memory. Values that are
/// written into these arrays before the next call take effect in that call, as on a CPU. After that call the arrays are
/// out of date until state_dict or optimizer_state is called again.
class Executable {
public:
  explicit Executable(std::shared_ptr<detail::ExecutableData> contents) : contents(std::move(contents)) {}

  /// Runs an entry. `inputs` holds every input by its name. Results that update a parameter or state are written in
  /// place; all other results are returned by name. Shapes, element types and ranges are checked before anything runs.
  /// Throws Error, or DeviceError where a GPU fails.
  Arrays call(const std::string &entry, const Arrays &inputs, Here here = Here::current()) const;

  /// Returns the parameters by name. The arrays are views of the model's own memory, which lives as long as one of the
  /// arrays does.
  StateDict state_dict(Here here = Here::current()) const;
  /// Returns the optimiser's state by name, in the model's own memory; the state is initialised to zero.
  StateDict optimizer_state(Here here = Here::current()) const;
  /// Copies values into the parameters, and into optimiser state where `values` has names of it. Throws Error, with one
  /// message that lists all differences, unless all parameters are present and all names, shapes and element types
  /// match; nothing has changed then.
  void load_state_dict(const StateDict &values, Here here = Here::current()) const;

  /// Returns the number of floating-point operations of one call of a static entry, as xf-bench counts them, or 0 where
  /// the number is unknown.
  double flop(const std::string &entry, Here here = Here::current()) const;
  /// Returns the number of threads that calls use.
  int threads() const;
  /// Returns the device that runs the calls: cpu() or cuda(NUMBER).
  Device device() const;
  /// Returns the reason, in one line, why the CPU runs a program that was compiled for cuda_or_cpu(); empty where there
  /// was no fallback.
  const std::string &fallback() const;

  /// Returns the bytes of the object file that runs. They equal the output of xfc --name=PROGRAM for the file that
  /// Program::save wrote, with --target=cuda --gpu-arch=.. where the object holds kernels for GPUs.
  std::span<const std::byte> object() const;

private:
  std::shared_ptr<detail::ExecutableData> contents;
};

} // namespace xf

#endif // XF_EXECUTABLE_H

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

/// How a program is compiled and run.
struct CompileOptions {
  /// What the code is for, as in xfc --mcpu.
  std::string cpu = "native";
  /// 0 to 3.
  unsigned opt_level = 2;
  /// Threads of every call; 0: one for each CPU that the process may use. Results do not depend on it.
  int threads = 0;
  /// Where calls run.
  Device device = {};
  /// GPUs to hold kernels for beside the CPU's, as in xfc --gpu-arch; empty: the one that `device` names, and none
  /// where that is missing.
  std::vector<std::string> gpus = {};
  /// How those kernels multiply matrices of f32, as in xfc --f32-products: "exact", "tf32" or "bf16x3".
  std::string f32_products = "exact";
};

/// Inputs or results by name.
using Arrays = std::map<std::string, Array>;

namespace detail {
struct ExecutableData;
}

/// Kernels, and the values of the parameters and the optimiser's state. A handle: copies run the same model. One call
/// at a time.
///
/// On a GPU, inputs are copied there and results back in every call; parameters and state stay there from the first
/// call on. state_dict and optimizer_state bring their values back; what is written into the arrays before the next
/// call counts, as on a CPU, and from then on the arrays are old until one of the two is called again.
class Executable {
public:
  explicit Executable(std::shared_ptr<detail::ExecutableData> contents) : contents(std::move(contents)) {}

  /// Runs an entry. `inputs` holds every input by its name; results that replace a parameter or state do so in place,
  /// the others come back. Shapes, element types and ranges are checked before anything runs; throws Error, and
  /// DeviceError where a GPU fails.
  Arrays call(const std::string &entry, const Arrays &inputs, Here here = Here::current()) const;

  /// Parameters by name. The arrays are the model's own memory, as long as they live.
  StateDict state_dict(Here here = Here::current()) const;
  /// State of the optimiser by name; zero at first.
  StateDict optimizer_state(Here here = Here::current()) const;
  /// Copies values over parameters (and state, where there are such names). All parameters must be there; one message
  /// lists every difference, and then nothing has changed.
  void load_state_dict(const StateDict &values, Here here = Here::current()) const;

  /// Floating-point operations of a call of a static entry, as xf-bench counts them; 0 where they are not known.
  double flop(const std::string &entry, Here here = Here::current()) const;
  /// Threads that calls use.
  int threads() const;
  /// Where calls run: cpu() or cuda(NUMBER).
  Device device() const;
  /// Why the CPU runs what was compiled for cuda_or_cpu(), in one line; empty otherwise.
  const std::string &fallback() const;

  /// The object file that runs: byte for byte what xfc --name=PROGRAM writes for the file that Program::save wrote,
  /// with
  /// --target=cuda --gpu-arch=.. where it holds kernels for GPUs.
  std::span<const std::byte> object() const;

private:
  std::shared_ptr<detail::ExecutableData> contents;
};

} // namespace xf

#endif // XF_EXECUTABLE_H

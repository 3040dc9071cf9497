//===- xf/executable.h - A program compiled in this process -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_EXECUTABLE_H
#define XF_EXECUTABLE_H

#include "xf/device.h"
#include "xf/module.h"
#include "xf/safetensors.h"

namespace xf {

/// The order in which the ranks of a mesh add numbers. `ranks`: each rank adds its own terms, then the ranks add these
/// sums. So results depend on the number of ranks. `keys`: terms are added in slices that do not depend on the number
/// of ranks. So results have the bits of the same program with one rank along each axis. The price is that each rank
/// computes d_k and d_v of all keys.
enum class Order { ranks, keys };

/// Options for compiling and running a program.
struct CompileOptions {
  /// Target CPU, as in xfc --mcpu.
  std::string cpu = "native";
  /// Optimisation level of the compiler, 0 to 3.
  unsigned opt_level = 2;
  /// Number of threads that each call uses; 0: as many as the process has CPUs. Results do not depend on this number.
  int threads = 0;
  /// Device that runs the calls.
  Device device = {};
  /// GPU architectures for which the object has kernels, as in xfc --gpu-arch. The object always has kernels for the
  /// CPU, too. Empty: the architecture of `device`, or no GPU kernels if `device` is the CPU or a GPU that is missing.
  std::vector<std::string> gpus = {};
  /// Arithmetic of f32 matrix products on GPUs, as in xfc --f32-products: "exact" (f32), "tf32", or "bf16x3" (each f32
  /// number is split into a sum of two bf16 numbers, and three products of bf16 replace one of f32).
  std::string f32_products = "exact";
  /// Whether calls on a CPU keep a copy of the weights from call to call, in the order that products read fastest. The
  /// product of one row and a matrix of 4096 x 4096 then takes about 0.7 of the time, and weights take twice the
  /// memory. Arrays of state_dict are then out of date after a call, as on a GPU.
  bool hold_parameters = false;
  /// The ranks that run a program with a mesh, as many as the mesh has. This process is one of them.
  Ranks ranks = {};
  /// The order in which ranks add, as in xfc --rank-order. `keys` is for programs with a mesh, on CPUs.
  Order order = Order::ranks;
  /// Whether it is an error if ranks of a mesh gather an operand, or if all of them compute the same op, as in xfc
  /// --error-on-reshard. If false, the compiler reports a remark instead.
  bool error_on_reshard = false;
  /// Whether rank 0 of a program with a mesh prints Executable::remarks to stderr when it has compiled it.
  bool print_remarks = true;
};

/// Inputs or results of an entry, by name.
using Arrays = std::map<std::string, Array>;

/// Inputs of a call. They are given by name, as {{"ids", ids}, {"learning_rate", 3e-4f}}, or without names in the order
/// of the entry's inputs, as {ids, rate}. A single input may also be a number, such as 1.f.
class Inputs {
public:
  Inputs() = default;
  Inputs(const Arrays &arrays) : named(arrays) {}
  Inputs(std::initializer_list<Arrays::value_type> arrays) : named(arrays) {}
  Inputs(std::initializer_list<Array> arrays) : ordered(arrays) {}
  template <std::convertible_to<Array> Input>
  Inputs(const Input &input) : ordered{Array(input)} {}

  /// Inputs given by name, and inputs given in order. At least one of the two is empty.
  Arrays named;
  std::vector<Array> ordered;
};

namespace detail {
struct ExecutableData;
}

/// A compiled program with its kernels, the values of its parameters, the optimiser's state and the program's states.
/// Copies share one model. At most one call may run at a time.
///
/// The executable of a program with a mesh is one rank. It takes and returns its shares of inputs and results, and
/// keeps its shares of parameters and states. All ranks must call the same entries in the same order.
///
/// On a GPU, every call copies its inputs to the GPU and its results back; parameters and state stay in GPU memory from
/// the first call on. state_dict and optimizer_state copy parameters and state back into host memory. Values that are
/// written into these arrays before the next call take effect in that call, as on a CPU. After that call the arrays are
/// out of date until state_dict or optimizer_state is called again.
class Executable {
public:
  explicit Executable(std::shared_ptr<detail::ExecutableData> contents) : contents(std::move(contents)) {}

  /// Runs an entry and returns its results by name. `inputs` holds every input. A result that updates a parameter or
  /// state is written in place instead of returned. Names, shapes, element types and ranges are checked before anything
  /// runs. Throws Error where they do not fit, and DeviceError where a GPU fails.
  Arrays call(const std::string &entry, const Inputs &inputs, Here here = Here::current()) const;
  /// Runs an entry and returns its only result, as in `Array logits = run("logits", ids)`. If the entry does not return
  /// exactly one result, throws Error before anything runs. Throws what call throws.
  Array operator()(const std::string &entry, const Inputs &inputs, Here here = Here::current()) const;

  /// Returns the parameters by name, without the states of the program. The arrays are views of the model's own memory,
  /// which lives as long as the executable or one of the arrays. Throws DeviceError where a GPU fails.
  StateDict state_dict(Here here = Here::current()) const;
  /// Returns the optimiser's state by name (see xf/optim.h), as views of the model's own memory. Before the first
  /// training step the state is zero, except masters that start from unrounded values. Throws DeviceError where a GPU
  /// fails.
  StateDict optimizer_state(Here here = Here::current()) const;
  /// Returns a state of the program (Program::state), as a view of the model's own memory. Values that are written into
  /// it before the next call take effect in that call. On a GPU, the array is out of date after that call. Copies no
  /// other state and no parameter. Throws Error for an unknown name, and DeviceError where a GPU fails.
  Array state(const std::string &name, Here here = Here::current()) const;
  /// Returns whether the program has a state named `name`.
  bool has_state(const std::string &name) const;
  /// Returns all states of the program by name, as state() does. To save them with the parameters, add them to the
  /// values of state_dict(). load_state_dict loads them, too.
  StateDict states(Here here = Here::current()) const;
  /// Sets a state of the program. Throws what state() throws, and Error for another shape or element type.
  void set_state(const std::string &name, const Array &value, Here here = Here::current()) const;
  /// Sets a state of the program to zero, or empties a cache (xf/nn/cache.h). Throws what state() throws.
  void reset(const std::string &name, Here here = Here::current()) const;

  /// Returns the states of the program and the caches that an entry reads or updates, by the names that reset() takes.
  /// Throws Error for an unknown entry.
  std::vector<std::string> states_of(const std::string &entry, Here here = Here::current()) const;
  /// Returns those states of states_of() that the entry updates. What its next call computes depends on them. Throws
  /// Error for an unknown entry.
  std::vector<std::string> updates_of(const std::string &entry, Here here = Here::current()) const;

  /// Return the inputs (inputs) and the results (results) of an entry, each with its named sizes and their ranges.
  /// Results that update a parameter or state are left out. Throw Error for an unknown name.
  std::vector<TensorSpec> inputs(const std::string &entry, Here here = Here::current()) const;
  std::vector<TensorSpec> results(const std::string &entry, Here here = Here::current()) const;

  /// Copies `values` into the parameters, the optimiser's states and the program's states that have their names. A
  /// parameter that several modules share may be given under any of its names. Throws Error for the differences that
  /// `options` do not allow, with one message that lists all of them. Then nothing has changed.
  LoadReport load_state_dict(const StateDict &values, LoadOptions options = {}, Here here = Here::current()) const;

  /// Gathers the shares of all ranks into whole values, such as those of state_dict and optimizer_state. Rank 0 gets
  /// the whole values, other ranks get nothing. A program of one rank gets `values`. All ranks must call this function
  /// together, with the same names. load_state_dict takes whole values, so a file of them fits any number of ranks.
  /// Throws Error where the connection fails.
  StateDict gather(const StateDict &values, Here here = Here::current()) const;

  /// Returns the number of floating-point operations of one call of an entry with static shapes, as xf-bench counts
  /// them. Counts no operations of an attention whose pairs are known only at a call (segments, tables, symbols).
  /// Returns 0 where the number is unknown.
  double flop(const std::string &entry, Here here = Here::current()) const;
  /// Returns the number of threads that calls use.
  int threads() const;
  /// Returns the device that runs the calls: cpu() or cuda(n).
  Device device() const;
  /// Returns the reason, in one line, why the CPU runs a program that was compiled for cuda_or_cpu(). Returns an empty
  /// text where the CPU does not replace a GPU.
  const std::string &fallback() const;

  /// Returns the remarks of the compiler, one line of text each. They tell which operands ranks gather, with their
  /// bytes, which ops every rank computes, and which queries see no key. The same remark occurs at most once for a line
  /// of the program.
  const std::vector<std::string> &remarks() const;

  /// Returns the bytes of the compiled object file. xfc --name=PROGRAM writes the same bytes when it compiles the file
  /// that Program::save writes. Where the object holds kernels for GPUs, xfc needs the options --target=cuda
  /// --gpu-arch=ARCHITECTURES as well.
  std::span<const std::byte> object() const;

private:
  std::shared_ptr<detail::ExecutableData> contents;
};

} // namespace xf

#endif // XF_EXECUTABLE_H

//===- NativeProgram.cpp - A program on handles of every kind -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sweep/NativeProgram.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::sweep;
using reference::Tensor;
using reference::Tensors;
using xftest::Array;

namespace {
/// What memory of a handle holds before it is written.
enum class Contents { Nans, Random };
} // namespace

/// Fills memory with NaN of every type, or with bytes of no meaning; they are the same in every run.
static void fill(void *memory, size_t bytes, Contents contents) {
  memset(memory, 0xff, bytes);
  uint64_t state = 0x9e3779b97f4a7c15;
  for (size_t n = 0; contents == Contents::Random && n + sizeof state <= bytes; n += sizeof state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    memcpy(static_cast<char *>(memory) + n, &state, sizeof state);
  }
}

/// Has a handle allocate memory with such contents.
template <Contents contents>
static void setMemory(xfrt_options &options) {
  options.allocate = [](void *, size_t bytes, size_t alignment) {
    void *memory = aligned_alloc(alignment, llvm::alignTo(bytes, alignment));
    if (memory)
      fill(memory, bytes, contents);
    return memory;
  };
  options.release = [](void *, void *memory, size_t) { free(memory); };
}

LogicalResult NativeProgram::open(const xfrt_options &options) {
  xfrt_context *handle = nullptr;
  if (xfrt_create(&program->model(), &options, &handle) != XFRT_OK) {
    llvm::errs() << xfrt_message(nullptr) << "\n";
    return failure();
  }
  handles.emplace_back(handle);
  return success();
}

FailureOr<NativeProgram> NativeProgram::compile(ModuleOp module, const CompileOptions &given) {
  CompileOptions options = given;
  options.modelName = "sweep";
  if (!options.gpus.empty())
    options.optLevel = 0; // of code for the CPU, of which only the computation of sizes runs
  NativeProgram made;
  made.program = xftest::CompiledProgram::create(module, options);
  if (!made.program)
    return failure();
  xfrt_options gpu{}, single{}, several{};
  gpu.device = XFRT_CUDA;
  single.threads = 1;
  several.threads = 3;
  setMemory<Contents::Nans>(single);
  setMemory<Contents::Random>(several);
  several.hold_parameters = XFRT_HOLD_PARAMETERS;
  if (made.program->runsOnGpu() ? failed(made.open(gpu)) : failed(made.open(single)) || failed(made.open(several)))
    return failure();
  return made;
}

FailureOr<Tensors> NativeProgram::call(StringRef name, ArrayRef<Tensor> arguments, ArrayRef<Tensor> like) const {
  std::vector<Array> first;
  for (const auto &handle : handles) {
    xfrt_forget_parameters(handle.get()); // another call's may have lain at the same address
    FailureOr<std::vector<Array>> results = program->call(handle.get(), program->find(name), arguments, like);
    if (failed(results))
      return failure();
    if (first.empty())
      first = *results;
    for (auto [one, other] : llvm::zip_equal(first, *results))
      if (one.bytes != other.bytes) {
        llvm::errs() << name << ": expected the same bits on one thread and on three, whatever memory holds before\n";
        return failure();
      }
  }
  return Tensors(llvm::map_range(first, [](const Array &array) { return array.toTensor(); }));
}

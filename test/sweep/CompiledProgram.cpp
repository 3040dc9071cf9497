//===- CompiledProgram.cpp - A program compiled into this process ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sweep/CompiledProgram.h"
#include "test/reference/Signature.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::sweep;
using reference::Tensors;
using ToolTensor = xfrt::tools::Tensor;
using RefTensor = reference::Tensor;

static constexpr StringLiteral modelName = "sweep";

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

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

CompiledProgram::Context CompiledProgram::createContext(const xfrt_model *model, const xfrt_options &options) {
  xfrt_context *context = nullptr;
  if (xfrt_create(model, &options, &context) != XFRT_OK)
    llvm::errs() << xfrt_message(nullptr) << "\n";
  return Context(context);
}

CompiledProgram::CompiledProgram(std::unique_ptr<llvm::orc::LLJIT> code, const xfrt_model *model, bool onGpu)
    : code(std::move(code)), model(model) {
  xfrt_options gpu{}, single{}, several{};
  gpu.device = XFRT_CUDA;
  single.threads = 1;
  several.threads = 3;
  setMemory<Contents::Nans>(single);
  setMemory<Contents::Random>(several);
  several.hold_parameters = XFRT_HOLD_PARAMETERS;
  if (onGpu) {
    contexts.push_back(createContext(model, gpu));
    return;
  }
  contexts.push_back(createContext(model, single));
  contexts.push_back(createContext(model, several));
}
CompiledProgram::CompiledProgram(CompiledProgram &&) = default;
CompiledProgram::~CompiledProgram() = default;

FailureOr<CompiledProgram> CompiledProgram::compile(ModuleOp module, const CompileOptions &given) {
  CompileOptions options = given;
  options.modelName = modelName;
  if (!options.gpus.empty())
    options.optLevel = 0; // of code for the CPU, of which only the computation of sizes runs
  FailureOr<Compiled> compiled = xf::compile(module, options);
  if (failed(compiled))
    return failure();
  auto fail = [&](llvm::Error error) -> FailureOr<CompiledProgram> {
    return module.emitError("expected an object that loads: ") << llvm::toString(std::move(error));
  };
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return fail(jit.takeError());
  if (llvm::Error error = (*jit)->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(compiled->bytes, modelName)))
    return fail(std::move(error));
  auto model = (*jit)->lookup(("xfrt_model_" + modelName).str());
  if (!model)
    return fail(model.takeError());
  CompiledProgram program(std::move(*jit), model->toPtr<const xfrt_model *>(), !options.gpus.empty());
  if (!llvm::all_of(program.contexts, [](const Context &context) { return context != nullptr; }))
    return failure();
  return program;
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

/// Memory for a tensor in the type that the entry declares, filled with its elements.
static FailureOr<ToolTensor> toMemory(const RefTensor &tensor, const xfrt_tensor &declared) {
  ToolTensor memory;
  std::string error;
  if (!memory.allocate(declared.dtype, {tensor.shape.begin(), tensor.shape.end()}, error)) {
    llvm::errs() << error << "\n";
    return failure();
  }
  for (int64_t n = 0; n < tensor.size(); ++n)
    tensor.isReal() ? memory.setReal(n, tensor.reals[n]) : memory.setInteger(n, tensor.integers[n]);
  return memory;
}

FailureOr<SmallVector<ToolTensor>> CompiledProgram::toMemory(ArrayRef<RefTensor> tensors, const xfrt_tensor *declared) {
  SmallVector<ToolTensor> memory;
  for (auto [number, tensor] : llvm::enumerate(tensors)) {
    FailureOr<ToolTensor> one = ::toMemory(tensor, declared[number]);
    if (failed(one))
      return failure();
    memory.push_back(std::move(*one));
  }
  return memory;
}

static SmallVector<xfrt_buffer> buffersOf(MutableArrayRef<ToolTensor> tensors) {
  return llvm::map_to_vector(tensors, [](ToolTensor &tensor) { return tensor.buffer(); });
}

const xfrt_entry &CompiledProgram::entry(StringRef name) const {
  int32_t index = xfrt_find_entry(model, name.str().c_str());
  assert(index >= 0 && "expected an entry for every function");
  return model->entries[index];
}

FailureOr<Tensors> CompiledProgram::call(StringRef name, ArrayRef<RefTensor> arguments,
                                         ArrayRef<RefTensor> results) const {
  const xfrt_entry &entry = this->entry(name);
  int32_t index = &entry - model->entries;
  FailureOr<SmallVector<ToolTensor>> given = toMemory(arguments, entry.arguments);
  SmallVector<SmallVector<ToolTensor>, 2> outputs;
  for (const Context &owned : contexts) {
    xfrt_context *context = owned.get();
    FailureOr<SmallVector<ToolTensor>> output = toMemory(results, entry.results);
    if (failed(given) || failed(output))
      return failure();
    xfrt_forget_parameters(context); // another call's may have lain at the same address
    SmallVector<xfrt_buffer> in = buffersOf(*given), out = buffersOf(*output);
    if (xfrt_call(context, index, in.data(), in.size(), out.data(), out.size()) != XFRT_OK) {
      llvm::errs() << xfrt_message(context) << "\n";
      return failure();
    }
    outputs.push_back(std::move(*output));
  }
  Tensors values;
  for (auto [number, shape] : llvm::enumerate(results)) {
    ToolTensor &first = outputs.front()[number];
    for (SmallVector<ToolTensor> &others : outputs)
      if (memcmp(first.data(), others[number].data(), first.bytes()) != 0) {
        llvm::errs() << name << ": expected the same bits on one thread and on three, whatever memory holds before\n";
        return failure();
      }
    values.push_back(reference::toReference(first, shape.elementType));
  }
  return values;
}

//===- CompiledProgram.cpp - Programs compiled and run in process ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/support/CompiledProgram.h"
#include "mlir/Parser/Parser.h"
#include "test/reference/Signature.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace xftest;

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static int64_t elementBytes(Type type) { return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8); }

static xfrt_dtype dtypeOf(Type type) {
  if (type.isF32())
    return XFRT_F32;
  if (type.isF64())
    return XFRT_F64;
  if (type.isF16())
    return XFRT_F16;
  if (type.isBF16())
    return XFRT_BF16;
  return type.isInteger(32) ? XFRT_I32 : type.isInteger(64) ? XFRT_I64 : XFRT_BOOL;
}

static Type typeOf(int32_t dtype, MLIRContext *context) {
  Builder b(context);
  Type types[] = {b.getF32Type(), b.getF64Type(), b.getF16Type(), b.getBF16Type(),
                  b.getI32Type(), b.getI64Type(), b.getI1Type()};
  return types[dtype];
}

xfrt::tools::Tensor xftest::memoryOf(const Tensor &tensor, int32_t dtype) {
  xfrt::tools::Tensor memory;
  std::string error;
  if (!memory.allocate(dtype, {tensor.shape.begin(), tensor.shape.end()}, error))
    llvm::report_fatal_error(Twine(error), /*gen_crash_diag=*/false);
  for (int64_t n = 0; n < tensor.size(); ++n)
    tensor.isReal() ? memory.setReal(n, tensor.reals[n]) : memory.setInteger(n, tensor.integers[n]);
  return memory;
}

Array Array::uninitialized(Type elementType, ArrayRef<int64_t> shape) {
  int64_t count = mlir::xf::reference::count(shape);
  return {elementType, SmallVector<int64_t>(shape), std::vector<char>(count * elementBytes(elementType), '\xff')};
}

Array Array::of(const Tensor &tensor, Type elementType) {
  xfrt::tools::Tensor memory = memoryOf(tensor, dtypeOf(elementType));
  return {elementType, tensor.shape, std::vector<char>(memory.data(), memory.data() + memory.bytes())};
}

Tensor Array::toTensor() const {
  xfrt::tools::Tensor memory;
  std::string error;
  if (!memory.allocate(dtypeOf(elementType), {shape.begin(), shape.end()}, error))
    llvm::report_fatal_error(Twine(error), /*gen_crash_diag=*/false);
  llvm::copy(bytes, memory.data());
  return mlir::xf::reference::toReference(memory, elementType);
}

StringRef Array::row(int64_t n) const {
  int64_t length = (shape.empty() ? 1 : shape.back()) * elementBytes(elementType);
  return StringRef(bytes.data() + n * length, length);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static void require(bool condition, const char *what) {
  if (!condition)
    llvm::report_fatal_error(Twine(what) + ": " + xfrt_message(nullptr), /*gen_crash_diag=*/false);
}

std::unique_ptr<CompiledProgram> CompiledProgram::parse(StringRef text, MLIRContext &context) {
  auto program = std::make_unique<CompiledProgram>();
  program->written = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  return program->written ? std::move(program) : nullptr;
}

std::unique_ptr<CompiledProgram> CompiledProgram::create(StringRef text, MLIRContext &context,
                                                         const mlir::xf::CompileOptions &options) {
  std::unique_ptr<CompiledProgram> program = parse(text, context);
  return program ? create(*program->written, options) : nullptr;
}

std::unique_ptr<CompiledProgram> CompiledProgram::create(ModuleOp written, const mlir::xf::CompileOptions &options) {
  auto program = std::make_unique<CompiledProgram>();
  program->written = written.clone();
  OwningOpRef<ModuleOp> module = written.clone();
  FailureOr<mlir::xf::Compiled> compiled = mlir::xf::compile(*module, options);
  if (failed(compiled))
    return nullptr;
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  program->jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
  llvm::cantFail(program->jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(compiled->bytes, "program")));
  auto address = llvm::cantFail(program->jit->lookup("xfrt_model_" + options.modelName));
  program->compiled = address.toPtr<const xfrt_model *>();
  program->onGpu = !options.gpus.empty();
  return program;
}

int CompiledProgram::find(StringRef name) const {
  int32_t number = xfrt_find_entry(compiled, name.str().c_str());
  assert(number >= 0 && "expected an entry for every function");
  return number;
}

func::FuncOp CompiledProgram::function() const { return *written.get().getOps<func::FuncOp>().begin(); }

static xfrt_buffer bufferOf(Array &array) {
  return {array.bytes.data(),
          dtypeOf(array.elementType),
          static_cast<int32_t>(array.shape.size()),
          array.shape.data(),
          nullptr,
          XFRT_CPU};
}

namespace {
/// Arguments and results of a call as they lie in memory.
struct Call {
  std::vector<Array> inputs, results;
  SmallVector<int64_t> symbols;

  Call(const xfrt_entry &entry, ArrayRef<Tensor> arguments, MLIRContext *context, ArrayRef<Tensor> like = {});
  xfrt_status run(const xfrt_entry &entry, int number, xfrt_context *handle);
};
} // namespace

Call::Call(const xfrt_entry &entry, ArrayRef<Tensor> arguments, MLIRContext *context, ArrayRef<Tensor> like)
    : symbols(entry.symbol_count) {
  for (auto [n, argument] : llvm::enumerate(arguments)) {
    inputs.push_back(Array::of(argument, typeOf(entry.arguments[n].dtype, context)));
    for (int32_t d = 0; d < entry.arguments[n].rank; ++d)
      if (int32_t symbol = entry.arguments[n].dims[d].symbol; symbol >= 0)
        symbols[symbol] = argument.shape[d];
  }
  xfrt_derive_symbols(&entry, symbols.data());
  for (int32_t n = 0; n < entry.result_count; ++n) {
    SmallVector<int64_t> shape;
    for (int32_t d = 0; d < entry.results[n].rank; ++d) {
      const xfrt_dim &dim = entry.results[n].dims[d];
      shape.push_back(dim.symbol < 0 ? dim.size : symbols[dim.symbol]);
    }
    results.push_back(
        Array::uninitialized(typeOf(entry.results[n].dtype, context), like.empty() ? shape : like[n].shape));
  }
}

xfrt_status Call::run(const xfrt_entry &entry, int number, xfrt_context *handle) {
  std::vector<xfrt_buffer> inputBuffers, resultBuffers;
  llvm::transform(inputs, std::back_inserter(inputBuffers), bufferOf);
  llvm::transform(results, std::back_inserter(resultBuffers), bufferOf);
  for (int32_t n = 0; n < entry.result_count; ++n)
    if (entry.results[n].updates >= 0) // written into the argument
      resultBuffers[n].data = nullptr;
  xfrt_status status =
      xfrt_call(handle, number, inputBuffers.data(), entry.argument_count, resultBuffers.data(), entry.result_count);
  for (int32_t n = 0; n < entry.result_count; ++n)
    if (int32_t updated = entry.results[n].updates; updated >= 0)
      results[n] = inputs[updated];
  return status;
}

FailureOr<std::vector<Array>> CompiledProgram::call(xfrt_context *handle, int number, ArrayRef<Tensor> arguments,
                                                    ArrayRef<Tensor> like) const {
  const xfrt_entry &entry = compiled->entries[number];
  Call call(entry, arguments, written.get().getContext(), like);
  if (call.run(entry, number, handle) == XFRT_OK)
    return std::move(call.results);
  llvm::errs() << xfrt_message(handle) << "\n";
  return failure();
}

std::vector<Array> CompiledProgram::call(ArrayRef<Tensor> arguments, int threads, int number,
                                         const xfrt_communicator *communicator) const {
  return callInTurn(Tensors(arguments), threads, number, communicator).front();
}

std::vector<std::vector<Array>> CompiledProgram::callInTurn(ArrayRef<Tensors> calls, int threads, int number,
                                                            const xfrt_communicator *communicator) const {
  const xfrt_entry &entry = compiled->entries[number];
  std::vector<Call> made;
  size_t most = 0;
  for (const Tensors &arguments : calls) {
    made.emplace_back(entry, arguments, written.get().getContext());
    size_t bytes = 0;
    require(xfrt_workspace_size(compiled, number, made.back().symbols.data(), entry.symbol_count, threads, &bytes) ==
                XFRT_OK,
            "the size of the workspace");
    most = std::max(most, bytes);
  }
  std::vector<char> memory(most + 64);
  xfrt_options options{};
  options.threads = threads;
  options.workspace = reinterpret_cast<void *>(llvm::alignTo(reinterpret_cast<uintptr_t>(memory.data()), 64));
  options.workspace_bytes = most;
  options.device = onGpu ? XFRT_CUDA : XFRT_CPU;
  options.communicator = communicator;
  options.device_number = communicator && communicator->gpu > 0 ? communicator->gpu - 1 : 0;
  xfrt_context *context = nullptr;
  require(xfrt_create(compiled, &options, &context) == XFRT_OK, "making a handle");
  std::vector<std::vector<Array>> results;
  for (Call &call : made) {
    llvm::fill(memory, '\xff');
    if (call.run(entry, number, context) != XFRT_OK)
      llvm::report_fatal_error(Twine("a call: ") + xfrt_message(context), /*gen_crash_diag=*/false);
    results.push_back(std::move(call.results));
  }
  xfrt_destroy(context);
  return results;
}

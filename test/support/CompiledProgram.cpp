//===- CompiledProgram.cpp - Programs compiled and run in process ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/support/CompiledProgram.h"
#include "mlir/Parser/Parser.h"
#include "runtime/tools/Rounding.h"
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

template <typename Stored, typename From, typename Convert>
static void store(std::vector<char> &bytes, const std::vector<From> &values, Convert convert) {
  for (auto [n, value] : llvm::enumerate(values)) {
    Stored stored = convert(value);
    std::memcpy(bytes.data() + n * sizeof(Stored), &stored, sizeof(Stored));
  }
}

template <typename Stored, typename To, typename Convert>
static void load(const std::vector<char> &bytes, std::vector<To> &values, Convert convert) {
  for (auto [n, value] : llvm::enumerate(values)) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + n * sizeof(Stored), sizeof(Stored));
    value = convert(stored);
  }
}

template <typename T>
static T same(T value) {
  return value;
}

Array Array::uninitialized(Type elementType, ArrayRef<int64_t> shape) {
  int64_t count = mlir::xf::reference::count(shape);
  return {elementType, SmallVector<int64_t>(shape), std::vector<char>(count * elementBytes(elementType), '\xff')};
}

Array Array::of(const Tensor &tensor) {
  Array array = uninitialized(tensor.elementType, tensor.shape);
  using namespace xfrt::tools;
  switch (dtypeOf(tensor.elementType)) {
  case XFRT_F32:
    store<float>(array.bytes, tensor.reals, same<double>);
    break;
  case XFRT_F64:
    store<double>(array.bytes, tensor.reals, same<double>);
    break;
  case XFRT_F16:
    store<uint16_t>(array.bytes, tensor.reals, Float16::round);
    break;
  case XFRT_BF16:
    store<uint16_t>(array.bytes, tensor.reals, BFloat16::round);
    break;
  case XFRT_I32:
    store<int32_t>(array.bytes, tensor.integers, same<int64_t>);
    break;
  case XFRT_I64:
    store<int64_t>(array.bytes, tensor.integers, same<int64_t>);
    break;
  case XFRT_BOOL:
    store<char>(array.bytes, tensor.integers, [](int64_t value) { return value != 0; });
    break;
  }
  return array;
}

Tensor Array::toTensor() const {
  Tensor tensor = Tensor::zeros(elementType, shape);
  using namespace xfrt::tools;
  switch (dtypeOf(elementType)) {
  case XFRT_F32:
    load<float>(bytes, tensor.reals, same<float>);
    break;
  case XFRT_F64:
    load<double>(bytes, tensor.reals, same<double>);
    break;
  case XFRT_F16:
    load<uint16_t>(bytes, tensor.reals, Float16::widen);
    break;
  case XFRT_BF16:
    load<uint16_t>(bytes, tensor.reals, BFloat16::widen);
    break;
  case XFRT_I32:
    load<int32_t>(bytes, tensor.integers, same<int32_t>);
    break;
  case XFRT_I64:
    load<int64_t>(bytes, tensor.integers, same<int64_t>);
    break;
  case XFRT_BOOL:
    load<char>(bytes, tensor.integers, [](char value) { return value != 0; });
    break;
  }
  return tensor;
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
  if (!program)
    return nullptr;
  OwningOpRef<ModuleOp> module = program->written->clone();
  FailureOr<mlir::xf::Compiled> compiled = mlir::xf::compile(*module, options);
  if (failed(compiled))
    return nullptr;
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  program->jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
  llvm::cantFail(program->jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(compiled->bytes, "program")));
  auto address = llvm::cantFail(program->jit->lookup("xfrt_model_" + options.modelName));
  program->model = address.toPtr<const xfrt_model *>();
  program->onGpu = !options.gpus.empty();
  return program;
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

static Type typeOf(int32_t dtype, MLIRContext *context) {
  Builder b(context);
  Type types[] = {b.getF32Type(), b.getF64Type(), b.getF16Type(), b.getBF16Type(),
                  b.getI32Type(), b.getI64Type(), b.getI1Type()};
  return types[dtype];
}

namespace {
/// Arguments and results of a call as they lie in memory.
struct Call {
  std::vector<Array> inputs, results;
  SmallVector<int64_t> symbols;

  Call(const xfrt_entry &entry, ArrayRef<Tensor> arguments, MLIRContext *context);
  xfrt_status run(const xfrt_entry &entry, int number, xfrt_context *handle);
};
} // namespace

Call::Call(const xfrt_entry &entry, ArrayRef<Tensor> arguments, MLIRContext *context) : symbols(entry.symbol_count) {
  for (auto [n, argument] : llvm::enumerate(arguments)) {
    inputs.push_back(Array::of(argument));
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
    results.push_back(Array::uninitialized(typeOf(entry.results[n].dtype, context), shape));
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

std::vector<Array> CompiledProgram::call(ArrayRef<Tensor> arguments, int threads, int number,
                                         const xfrt_communicator *communicator) const {
  return callInTurn(Tensors(arguments), threads, number, communicator).front();
}

std::vector<std::vector<Array>> CompiledProgram::callInTurn(ArrayRef<Tensors> calls, int threads, int number,
                                                            const xfrt_communicator *communicator) const {
  const xfrt_entry &entry = model->entries[number];
  std::vector<Call> made;
  size_t most = 0;
  for (const Tensors &arguments : calls) {
    made.emplace_back(entry, arguments, written.get().getContext());
    size_t bytes = 0;
    require(xfrt_workspace_size(model, number, made.back().symbols.data(), entry.symbol_count, threads, &bytes) ==
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
  require(xfrt_create(model, &options, &context) == XFRT_OK, "making a handle");
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

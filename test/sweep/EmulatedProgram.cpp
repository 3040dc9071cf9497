//===- EmulatedProgram.cpp - A program that an emulator runs --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sweep/EmulatedProgram.h"
#include "runtime/tools/Npy.h"
#include "test/reference/Signature.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::sweep;
using ToolTensor = xfrt::tools::Tensor;

/// Runs a program with the words of a command, and what follows them. Fails after a message on stderr.
static LogicalResult runCommand(StringRef command, ArrayRef<std::string> more) {
  SmallVector<StringRef> words;
  command.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  llvm::append_range(words, more);
  auto program = llvm::sys::findProgramByName(words.front());
  if (!program)
    program = llvm::sys::findProgramByName(words.front(), {XF_LLVM_TOOLS});
  std::string error;
  if (program && llvm::sys::ExecuteAndWait(*program, words, std::nullopt, {}, 0, 0, &error) == 0)
    return success();
  llvm::errs() << "expected '" << llvm::join(words, " ")
               << "' to succeed: " << (program ? error : program.getError().message()) << "\n";
  return failure();
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

EmulatedProgram::EmulatedProgram(EmulatedProgram &&other)
    : declared(std::move(other.declared)), command(std::move(other.command)), folder(std::move(other.folder)) {
  other.folder.clear(); // which is removed once
}
EmulatedProgram::~EmulatedProgram() {
  if (!folder.empty())
    llvm::sys::fs::remove_directories(folder);
}

std::string EmulatedProgram::pathOf(const Twine &name) const {
  SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

FailureOr<EmulatedProgram> EmulatedProgram::compile(ModuleOp module, const CompileOptions &given, StringRef command) {
  CompileOptions options = given, here = given;
  here.cpu = "native";
  here.optLevel = 0;
  FailureOr<NativeProgram> declared = NativeProgram::compile(module, here);
  options.emit = EmitKind::Shared;
  FailureOr<Compiled> compiled = xf::compile(module, options);
  if (failed(declared) || failed(compiled))
    return failure();
  EmulatedProgram program(std::move(*declared), command);
  if (llvm::sys::fs::createUniqueDirectory("xf-sweep", program.folder))
    return failure();
  std::error_code error;
  llvm::raw_fd_ostream(program.pathOf("model.o"), error) << compiled->bytes;
  if (error || failed(runCommand("ld.lld -shared -o", {program.pathOf("model.so"), program.pathOf("model.o")})))
    return failure();
  return program;
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

LogicalResult EmulatedProgram::start(const xfrt_entry &entry, unsigned threads) const {
  SmallVector<std::string> words = {pathOf("model.so"), std::string("--entry=") + entry.name,
                                    "--threads=" + std::to_string(threads)};
  for (const xfrt_tensor &argument : ArrayRef(entry.arguments, entry.argument_count))
    words.push_back(std::string("--input=") + argument.name + "=@" + pathOf(Twine(argument.name) + ".npy"));
  for (const xfrt_tensor &result : ArrayRef(entry.results, entry.result_count))
    words.push_back(std::string("--output=") + result.name + "=@" + pathOf(Twine(result.name) + ".out.npy"));
  return runCommand(command, words);
}

FailureOr<reference::Tensors> EmulatedProgram::call(StringRef name, ArrayRef<reference::Tensor> arguments,
                                                    ArrayRef<reference::Tensor> like) const {
  const xfrt_entry &entry = declared.entry(name);
  std::string error;
  for (auto [declared, argument] : llvm::zip_equal(ArrayRef(entry.arguments, entry.argument_count), arguments))
    if (!writeNpy(pathOf(Twine(declared.name) + ".npy"), xftest::memoryOf(argument, declared.dtype), error))
      return llvm::errs() << error << "\n", failure();
  reference::Tensors values;
  for (unsigned threads : {1, 3}) {
    if (failed(start(entry, threads)))
      return failure();
    for (auto [number, result] : llvm::enumerate(ArrayRef(entry.results, entry.result_count))) {
      ToolTensor tensor;
      if (!readNpy(pathOf(Twine(result.name) + ".out.npy"), result.dtype, tensor, error))
        return llvm::errs() << error << "\n", failure();
      reference::Tensor value = reference::toReference(tensor, like[number].elementType);
      if (threads == 1)
        values.push_back(std::move(value));
      else if (memcmp(values[number].reals.data(), value.reals.data(), value.reals.size() * sizeof(double)) != 0 ||
               values[number].integers != value.integers)
        return llvm::errs() << name << ": expected the same bits on one thread and on three\n", failure();
    }
  }
  return values;
}

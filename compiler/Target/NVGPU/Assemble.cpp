//===- Assemble.cpp - From PTX to machine code ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs ptxas, and reads its log (-v) for signs of slow kernels. For a fast kernel, the numbers of the third line are 0
// and the last line is absent:
//
//   ptxas info    : Compiling entry function 'attend' for 'sm_90a'
//   ptxas info    : Function properties for attend
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : (C7512) Potential Performance Loss: wgmma.mma_async instructions are serialized due to ..
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Assemble.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::xf;

std::string xf::nvgpu::findPtxas() {
  if (const char *named = std::getenv("XF_PTXAS"))
    return named;
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  SmallString<128> toolkit;
  if (const char *home = std::getenv("CUDA_HOME"))
    toolkit = home;
  llvm::sys::path::append(toolkit, "bin");
  auto found = llvm::sys::findProgramByName("ptxas", {toolkit, "/usr/local/cuda/bin"});
  return found ? *found : "";
}

//===----------------------------------------------------------------------===//
// The log of ptxas
//===----------------------------------------------------------------------===//

/// Returns whether a line of ptxas's log reports a stack frame or spills of more than 0 bytes.
static bool usesLocalMemory(StringRef line) {
  if (!line.contains("bytes stack frame"))
    return false;
  return llvm::any_of(llvm::split(line, ','), [](StringRef part) { return !part.trim().starts_with("0 "); });
}

static void emitRemarks(ModuleOp module, StringRef log, const Machine &machine) {
  StringRef kernel;
  auto remark = [&](StringRef text) {
    Operation *at = kernel.empty() ? nullptr : module.lookupSymbol(kernel);
    emitRemark(at ? at->getLoc() : module.getLoc())
        << "kernel " << kernel << " for " << machine.cpu << ": " << text.trim();
  };
  for (StringRef line : llvm::split(log, '\n')) {
    auto [before, name] = line.split("Compiling entry function '");
    if (!name.empty())
      kernel = name.split('\'').first;
    if (usesLocalMemory(line))
      remark(line);
    else if (size_t note = line.find("(C75"); note != StringRef::npos)
      remark(line.drop_front(note));
  }
}

/// Returns the first line of ptxas's log that reports an error. If no line does, returns the log's first line.
static StringRef firstError(StringRef log) {
  for (StringRef line : llvm::split(log, '\n'))
    if (line.contains("error") || line.contains("fatal"))
      return line.trim();
  return log.split('\n').first.trim();
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

namespace {
/// The temporary files of one run of ptxas. The destructor removes them.
struct Scratch {
  SmallString<128> ptx, cubin, log;

  ~Scratch() {
    for (const auto &path : {ptx, cubin, log})
      if (!path.empty())
        llvm::sys::fs::remove(path);
  }
  std::error_code create(StringRef text) {
    int descriptor = -1;
    for (auto [path, suffix] : {std::pair(&cubin, "cubin"), std::pair(&log, "log")})
      if (std::error_code code = llvm::sys::fs::createTemporaryFile("xf", suffix, *path))
        return code;
    if (std::error_code code = llvm::sys::fs::createTemporaryFile("xf", "ptx", descriptor, ptx))
      return code;
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << text;
    os.flush();
    std::error_code code = os.error();
    os.clear_error();
    return code;
  }
};
} // namespace

static std::string contents(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

FailureOr<std::string> xf::nvgpu::assemble(ModuleOp module, StringRef ptx, const Machine &machine, StringRef ptxas) {
  Scratch scratch;
  if (std::error_code code = scratch.create(ptx))
    return module.emitError("expected to write PTX for ptxas: ") << code.message();
  std::string architecture = "-arch=" + machine.cpu, error;
  std::optional<StringRef> streams[] = {StringRef(""), StringRef(scratch.log), StringRef(scratch.log)};
  int status = llvm::sys::ExecuteAndWait(ptxas, {ptxas, "-v", architecture, scratch.ptx, "-o", scratch.cubin},
                                         std::nullopt, streams, 0, 0, &error);
  std::string log = contents(scratch.log), cubin = contents(scratch.cubin);
  if (status != 0 || cubin.empty())
    return module.emitError("expected '")
           << ptxas << "' to assemble the kernels for " << machine.cpu << ", got exit code " << status << ": "
           << (error.empty() ? firstError(log) : StringRef(error));
  emitRemarks(module, log, machine);
  return cubin;
}

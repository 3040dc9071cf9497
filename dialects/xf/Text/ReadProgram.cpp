//===- ReadProgram.cpp - Reading a program for the parser -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Text/ReadProgram.h"
#include "dialects/xf/Text/PrintableLines.h"
#include "dialects/xf/Text/ScanSource.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::xf;

using Buffer = std::unique_ptr<llvm::MemoryBuffer>;

/// Reads standard input to its end. Stops when it has read more bytes than a program may have, because the input may be
/// endless.
static llvm::Expected<Buffer> readStream(llvm::sys::fs::file_t stream, StringRef name) {
  SmallVector<char, 0> bytes;
  constexpr size_t chunk = 1 << 16;
  while (bytes.size() <= maxSourceBytes) {
    size_t before = bytes.size();
    bytes.resize_for_overwrite(before + chunk);
    auto got = llvm::sys::fs::readNativeFile(stream, MutableArrayRef(bytes).drop_front(before));
    if (!got)
      return got.takeError();
    bytes.truncate(before + *got);
    if (*got == 0)
      break;
  }
  return llvm::MemoryBuffer::getMemBufferCopy(StringRef(bytes.data(), bytes.size()), name);
}

static llvm::Expected<Buffer> read(StringRef path) {
  if (path == "-")
    return readStream(llvm::sys::fs::getStdinHandle(), "<stdin>");
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status) &&
      (status.type() == llvm::sys::fs::file_type::character_file || llvm::sys::fs::is_directory(status)))
    return llvm::createStringError("it is no file");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError(buffer.getError().message());
  return std::move(*buffer);
}

/// Returns whether MLIR's reader returns at all, with or without an error. Some damaged files end the process instead:
/// a wrong length makes the reader allocate more memory than the machine has.
static bool survivesReader(llvm::MemoryBufferRef bytecode, const DialectRegistry &registry) {
  llvm::CrashRecoveryContext::Enable();
  bool survives = llvm::CrashRecoveryContext().RunSafely([&] {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); }); // said when it is read again
    Block ops;
    ParserConfig config(&context, /*verifyAfterParse=*/false);
    (void)readBytecodeFile(bytecode, &ops, config);
  });
  llvm::CrashRecoveryContext::Disable();
  return survives;
}

FailureOr<Buffer> xf::readProgram(StringRef tool, StringRef path, const DialectRegistry &registry) {
  llvm::Expected<Buffer> buffer = read(path);
  PrintableLines messages(llvm::errs());
  if (!buffer) {
    messages << tool << ": error: expected to read '" << path << "': " << llvm::toString(buffer.takeError()) << "\n";
    return failure();
  }
  StringRef bytes = (*buffer)->getBuffer();
  const llvm::MemoryBufferRef contents = (*buffer)->getMemBufferRef();
  if (auto problem = isBytecode(contents) ? scanBytecode(bytes) : scanSource(bytes)) {
    messages << path << ":" << problem->line << ":" << problem->column << ": error: " << problem->message << "\n";
    return failure();
  }
  if (isBytecode(contents) && !survivesReader(contents, registry)) {
    messages << tool << ": error: expected bytecode of a program, got damaged bytes in '" << path << "'\n";
    return failure();
  }
  return std::move(*buffer);
}

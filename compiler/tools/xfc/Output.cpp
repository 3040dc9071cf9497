//===- Output.cpp - Writing files whole or not at all -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/Output.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::xf;

/// Removes its file unless it was moved to its place.
using Temporary = SmallString<256>;

static LogicalResult writeTemporary(StringRef path, StringRef bytes, Temporary &temporary, std::string &error) {
  int descriptor;
  if (std::error_code code = llvm::sys::fs::createUniqueFile(path + ".%%%%%%.tmp", descriptor, temporary)) {
    error = ("expected to write '" + path + "': " + code.message()).str();
    return failure();
  }
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << bytes;
  os.close();
  if (!os.has_error())
    return success();
  error = ("expected to write '" + path + "': " + os.error().message()).str();
  os.clear_error();
  llvm::sys::fs::remove(temporary);
  return failure();
}

static LogicalResult moveInto(const Temporary &temporary, StringRef path, std::string &error) {
  // createUniqueFile makes files private; an output has the permissions of any other new file.
  llvm::sys::fs::setPermissions(temporary, static_cast<llvm::sys::fs::perms>(0666 & ~llvm::sys::fs::getUmask()));
  std::error_code code = llvm::sys::fs::rename(temporary, path);
  if (!code)
    return success();
  error = ("expected to write '" + path + "': " + code.message()).str();
  llvm::sys::fs::remove(temporary);
  return failure();
}

LogicalResult xf::writeWhole(StringRef path, StringRef bytes, std::string &error) {
  if (path.empty() || path == "-") {
    llvm::outs() << bytes;
    llvm::outs().flush();
    return success();
  }
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path)) { // /dev/null, a pipe: written in place
    if (llvm::sys::fs::is_directory(path)) {
      error = ("expected to write '" + path + "': it is a folder").str();
      return failure();
    }
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    if (!code)
      os << bytes;
    return success(!code);
  }
  Temporary temporary;
  if (failed(writeTemporary(path, bytes, temporary, error)))
    return failure();
  return moveInto(temporary, path, error);
}

static std::optional<std::string> findProgram(ArrayRef<StringRef> names) {
  for (StringRef name : names) {
    if (auto program = llvm::sys::findProgramByName(name))
      return *program;
    if (auto program = llvm::sys::findProgramByName(name, {XF_LLVM_TOOLS}))
      return *program;
  }
  return std::nullopt;
}

LogicalResult xf::linkShared(StringRef object, StringRef path, std::string &error) {
  std::optional<std::string> linker = findProgram({"ld.lld-22", "ld.lld", "ld", "cc"});
  if (!linker) {
    error = "expected a linker (ld.lld, ld or cc) on PATH, got none";
    return failure();
  }
  Temporary input, output;
  if (failed(writeTemporary(path, object, input, error)))
    return failure();
  llvm::scope_exit removeInput([&] { llvm::sys::fs::remove(input); });
  if (failed(writeTemporary(path, "", output, error)))
    return failure();
  std::optional<StringRef> quiet[] = {std::nullopt, StringRef(""), std::nullopt};
  int status = llvm::sys::ExecuteAndWait(*linker, {*linker, "-shared", "-o", output, input}, std::nullopt, quiet, 0, 0, &error);
  if (status != 0) {
    error = "expected " + *linker + " to link '" + path.str() + "', got exit code " + std::to_string(status) + " " + error;
    llvm::sys::fs::remove(output);
    return failure();
  }
  return moveInto(output, path, error);
}

LogicalResult xf::archive(StringRef object, StringRef name, StringRef path, std::string &error) {
  SmallVector<llvm::NewArchiveMember, 1> members;
  members.emplace_back(llvm::MemoryBufferRef(object, name));
  auto buffer = llvm::writeArchiveToBuffer(members, llvm::SymtabWritingMode::NormalSymtab, llvm::object::Archive::K_GNU,
                                           /*Deterministic=*/true, /*Thin=*/false);
  if (!buffer) {
    error = llvm::toString(buffer.takeError());
    return failure();
  }
  return writeWhole(path, (*buffer)->getBuffer(), error);
}

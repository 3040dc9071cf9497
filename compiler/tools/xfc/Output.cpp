//===- Output.cpp - Writing files whole or not at all ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/Output.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace mlir;
using namespace mlir::xf;

using Path = SmallString<256>;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static LogicalResult cannotWrite(StringRef path, const Twine &reason, std::string &error) {
  error = ("expected to write '" + path + "': " + reason).str();
  return failure();
}

/// Writes `bytes` to `os`. If some bytes could not be written, fails and stores the reason in `error`. Then also clears
/// the error of `os`, because destroying a stream with an error ends the process.
static LogicalResult writeTo(llvm::raw_fd_ostream &os, StringRef path, StringRef bytes, std::string &error) {
  os << bytes;
  os.flush();
  if (!os.has_error())
    return success();
  std::string reason = os.error().message();
  os.clear_error();
  return cannotWrite(path, reason, error);
}

/// Makes LLVM remove the file `path` if a signal ends the process. This makes LLVM handle all such signals, even those
/// that were ignored before. So sets these to be ignored again.
static void removeOnSignal(StringRef path) {
  constexpr int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
  struct sigaction before[std::size(signals)];
  for (auto [signal, old] : llvm::zip(signals, before))
    sigaction(signal, nullptr, &old);
  llvm::sys::RemoveFileOnSignal(path);
  for (auto [signal, old] : llvm::zip(signals, before))
    if (old.sa_handler == SIG_IGN)
      sigaction(signal, &old, nullptr);
}

/// Writes a new file `prefix`-PROCESS-NUMBER.tmp and stores its path in `temporary`. Does not use createUniqueFile,
/// because that would replace every % in the user's path.
static LogicalResult writeTemporary(StringRef prefix, StringRef bytes, Path &temporary, std::string &error) {
  int descriptor = -1;
  auto code = std::make_error_code(std::errc::file_exists);
  for (unsigned number = 0; number < 100 && code == std::errc::file_exists; ++number) {
    Path candidate(prefix);
    candidate += ("-" + Twine(llvm::sys::Process::getProcessId()) + "-" + Twine(number) + ".tmp").str();
    removeOnSignal(candidate); // before the file exists: no signal leaves it behind
    code = llvm::sys::fs::openFileForWrite(candidate, descriptor, llvm::sys::fs::CD_CreateNew);
    if (code)
      llvm::sys::DontRemoveFileOnSignal(candidate);
    else
      temporary = candidate;
  }
  if (code)
    return cannotWrite(prefix, code.message(), error);
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  return writeTo(os, prefix, bytes, error);
}

LogicalResult xf::finishOutput(std::string &error) { return writeTo(llvm::outs(), "standard output", "", error); }

static bool isStandardOutput(StringRef path) {
  return path.empty() || path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

/// Returns whether `path` names an open file of this process, such as /dev/fd/3. Output must be written to this file,
/// even if it is regular, and not to a new file that replaces it.
static bool isOpenFile(StringRef path) {
  return isStandardOutput(path) || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/self/fd/");
}

bool xf::isWrittenInPlace(StringRef path) {
  return isOpenFile(path) || (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path));
}

static LogicalResult writeInPlace(StringRef path, StringRef bytes, std::string &error) {
  if (isStandardOutput(path))
    return writeTo(llvm::outs(), "standard output", bytes, error);
  if (llvm::sys::fs::is_directory(path))
    return cannotWrite(path, "it is a folder", error);
  std::error_code code;
  llvm::raw_fd_ostream os(path, code, llvm::sys::fs::CD_OpenExisting, llvm::sys::fs::FA_Write,
                          llvm::sys::fs::OF_Append); // what others wrote to an open file stays
  return code ? cannotWrite(path, code.message(), error) : writeTo(os, path, bytes, error);
}

/// Returns the path of the file to which the symbolic link `path` leads, so that output replaces this file and not the
/// link. Returns `path` itself if it is no link.
static Path behindLinks(StringRef path) {
  Path real;
  return llvm::sys::fs::real_path(path, real) ? Path(path) : real;
}

LogicalResult xf::writeWhole(ArrayRef<OutputFile> files, std::string &error) {
  SmallVector<Path, 2> targets, temporaries(files.size());
  for (const OutputFile &file : files)
    targets.push_back(behindLinks(file.path));
  llvm::scope_exit removeTemporaries([&] {
    for (const Path &temporary : temporaries)
      if (!temporary.empty()) {
        llvm::sys::fs::remove(temporary);
        llvm::sys::DontRemoveFileOnSignal(temporary);
      }
  });
  for (auto [file, target, temporary] : llvm::zip(files, targets, temporaries))
    if (failed(isWrittenInPlace(file.path) ? writeInPlace(file.path, file.bytes, error)
                                           : writeTemporary(target, file.bytes, temporary, error)))
      return failure();
  for (auto [target, temporary] : llvm::zip(targets, temporaries)) {
    if (temporary.empty())
      continue;
    if (std::error_code code = llvm::sys::fs::rename(temporary, target))
      return cannotWrite(target, code.message(), error);
    llvm::sys::DontRemoveFileOnSignal(temporary);
    temporary.clear();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

static std::optional<std::string> findProgram(ArrayRef<StringRef> names) {
  for (StringRef name : names) {
    if (auto program = llvm::sys::findProgramByName(name))
      return *program;
    if (auto program = llvm::sys::findProgramByName(name, {XF_LLVM_TOOLS}))
      return *program;
  }
  return std::nullopt;
}

LogicalResult xf::linkShared(StringRef object, std::string &bytes, std::string &error) {
  std::optional<std::string> linker = findProgram({"ld.lld-22", "ld.lld", "ld", "cc"});
  if (!linker) {
    error = "expected a linker (ld.lld, ld or cc) on PATH, got none";
    return failure();
  }
  Path folder, input, output;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
  llvm::sys::path::append(folder, "xfc");
  llvm::scope_exit removeFiles([&] {
    for (const Path &file : {input, output})
      if (!file.empty())
        llvm::sys::fs::remove(file);
  });
  if (failed(writeTemporary(folder, object, input, error)) || failed(writeTemporary(folder, "", output, error)))
    return failure();
  std::optional<StringRef> quiet[] = {std::nullopt, StringRef(""), std::nullopt};
  int status = llvm::sys::ExecuteAndWait(*linker, {*linker, "-shared", "-z", "now", "-o", output, input}, std::nullopt,
                                         quiet, 0, 0, &error);
  auto linked = llvm::MemoryBuffer::getFile(output);
  if (status != 0 || !linked) {
    error = "expected " + *linker + " to link, got exit code " + std::to_string(status) + " " + error;
    return failure();
  }
  bytes = (*linked)->getBuffer();
  return success();
}

LogicalResult xf::archive(StringRef object, StringRef name, std::string &bytes, std::string &error) {
  SmallVector<llvm::NewArchiveMember, 1> members;
  members.emplace_back(llvm::MemoryBufferRef(object, name));
  auto buffer = llvm::writeArchiveToBuffer(members, llvm::SymtabWritingMode::NormalSymtab, llvm::object::Archive::K_GNU,
                                           /*Deterministic=*/true, /*Thin=*/false);
  if (!buffer) {
    error = llvm::toString(buffer.takeError());
    return failure();
  }
  bytes = (*buffer)->getBuffer();
  return success();
}

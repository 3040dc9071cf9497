//===- File.cpp - Files that are read or replaced as a whole --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "File.h"

#include <algorithm>
#include <errno.h>
#include <fcntl.h>
#include <memory>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace xfrt;

/// Maximum size in bytes of one read or write. Linux transfers at most 2 GiB at once, and 1 GiB is as fast.
static constexpr int64_t pieceBytes = int64_t(1) << 30;

/// Maximum number of bytes that the name of a temporary file takes from the name of its target. A file name has at most
/// 255 bytes.
static constexpr size_t longestOwner = 200;

static std::string because(const std::string &what) { return what + ": " + strerror(errno); }

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

InputFile::~InputFile() {
  if (descriptor >= 0)
    close(descriptor);
}

bool InputFile::open(const std::string &path, std::string &error) {
  // Without O_NONBLOCK, opening a pipe without a writer would block forever.
  descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat info;
  if (descriptor < 0 || fstat(descriptor, &info) != 0) {
    error = because("cannot open '" + path + "'");
    return false;
  }
  if (!S_ISREG(info.st_mode)) {
    error = "cannot open '" + path + "': expected a regular file";
    return false;
  }
  fileSize = info.st_size;
  modified = info.st_mtim;
  return true;
}

bool InputFile::read(int64_t offset, void *data, int64_t bytes, std::string &error) const {
  auto *position = static_cast<char *>(data);
  while (bytes > 0) {
    ssize_t got = pread(descriptor, position, std::min(bytes, pieceBytes), offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0) {
      error = got < 0 ? because("cannot read") : "cannot read: the file ends at byte " + std::to_string(offset);
      return false;
    }
    position += got;
    offset += got;
    bytes -= got;
  }
  return true;
}

bool InputFile::checkUnchanged(std::string &error) const {
  struct stat info;
  if (fstat(descriptor, &info) == 0 && info.st_size == fileSize && info.st_mtim.tv_sec == modified.tv_sec &&
      info.st_mtim.tv_nsec == modified.tv_nsec)
    return true;
  error = "the file changed while it was read";
  return false;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Returns the path with its symbolic links resolved, or `path` itself where no file exists.
static std::string followLinks(const std::string &path) {
  std::unique_ptr<char, decltype(&free)> resolved(realpath(path.c_str(), nullptr), free);
  return resolved ? resolved.get() : path;
}

/// Returns eight random letters and digits for the name of a temporary file, so that no other process can guess it.
static std::string randomLetters() {
  uint64_t bits = 0;
  if (getrandom(&bits, sizeof(bits), GRND_NONBLOCK) !=
      sizeof(bits)) { // a kernel without getrandom, or one without entropy yet
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    bits = uint64_t(now.tv_nsec) * 0x9E3779B97F4A7C15 + uint64_t(getpid());
  }
  std::string letters;
  for (int i = 0; i < 8; ++i, bits /= 36)
    letters += "0123456789abcdefghijklmnopqrstuvwxyz"[bits % 36];
  return letters;
}

/// Creates a new file whose name is `prefix` followed by random letters, and opens it for writing. Sets `path` to the
/// name. Returns the file's descriptor, or -1 on failure. `mode` are the permissions, from which the kernel clears the
/// bits of the umask. This function cannot clear them, because a process can read its umask only by setting it, for all
/// threads.
static int createUnique(const std::string &prefix, mode_t mode, std::string &path) {
  int descriptor;
  do {
    path = prefix + randomLetters();
    descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (descriptor < 0 && (errno == EEXIST || errno == EINTR));
  return descriptor;
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (descriptor < 0)
    return;
  close(descriptor);
  unlink(temporary.c_str());
  descriptor = -1;
}

bool OutputFile::fail(const char *action, std::string &error) {
  error = because(std::string("cannot ") + action + " '" + target + "'");
  discard();
  return false;
}

bool OutputFile::create(const std::string &path, std::string &error) {
  target = path;
  struct stat info;
  bool exists = stat(path.c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode)) {
    error = "cannot write '" + path + "': expected a regular file or none";
    return false;
  }
  if (!exists && errno != ENOENT)
    return fail("write", error);
  std::string resolved = followLinks(path);
  size_t slash = resolved.rfind('/');
  std::string place = slash == std::string::npos ? "" : resolved.substr(0, slash + 1);
  folder = place.empty() ? "." : place;
  std::string prefix = place + "." + resolved.substr(place.size(), longestOwner) + ".xfrt-";
  descriptor = createUnique(prefix, exists ? 0600 : 0666, temporary);
  if (descriptor < 0 || (exists && fchmod(descriptor, info.st_mode & 07777) != 0))
    return fail("write", error);
  target = resolved;
  return true;
}

bool OutputFile::write(const void *data, int64_t bytes, std::string &error) {
  auto *position = static_cast<const char *>(data);
  while (bytes > 0) {
    ssize_t written = ::write(descriptor, position, std::min(bytes, pieceBytes));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return fail("write", error);
    position += written;
    bytes -= written;
  }
  return true;
}

/// Syncs the temporary file, renames it to the target and syncs the folder. Returns false if the new file may not be
/// durable. Does not retry a failed fsync. The kernel may have dropped the pages, and a second fsync then succeeds
/// without writing them.
bool OutputFile::commit(std::string &error) {
  if (fsync(descriptor) != 0)
    return fail("write", error);
  if (rename(temporary.c_str(), target.c_str()) != 0)
    return fail("write", error);
  int closed = close(descriptor);
  descriptor = -1;
  int parent = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool durable = closed == 0 && parent >= 0 && fsync(parent) == 0;
  if (!durable)
    error = because("cannot make the name of '" + target + "' durable");
  if (parent >= 0)
    close(parent);
  return durable;
}

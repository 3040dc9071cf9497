//===- AtomicFile.cpp - Files that are written whole or not at all -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AtomicFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace xf::detail;

[[noreturn]] static void fail(const char *what, const std::string &path) {
  throw FileError(std::string("expected to ") + what + " '" + path + "', got '" + std::strerror(errno) + "'");
}

namespace {
/// A file descriptor that closes itself.
class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }
  int get() const { return number; }
  /// Closes and says whether that worked: some file systems report a full device only now.
  bool close() { return ::close(std::exchange(number, -1)) == 0; }

private:
  int number;
};

/// Removes the new file unless it took its place.
class Temporary {
public:
  explicit Temporary(std::string path) : path(std::move(path)) {}
  Temporary(const Temporary &) = delete;
  Temporary &operator=(const Temporary &) = delete;
  ~Temporary() {
    if (!kept)
      ::unlink(path.c_str());
  }
  void keep() { kept = true; }
  const std::string path;

private:
  bool kept = false;
};
} // namespace

static bool writeAll(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    bytes = bytes.subspan(written);
  }
  return true;
}

void xf::detail::writeAtomically(const std::string &path, std::span<const std::byte> bytes) {
  std::string name = path + ".XXXXXX";
  Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (file.get() < 0)
    fail("write", path);
  Temporary temporary(name);
  mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(file.get(), 0666 & ~mask) != 0 || !writeAll(file.get(), bytes) || ::fsync(file.get()) != 0 ||
      !file.close())
    fail("write", path);
  if (::rename(name.c_str(), path.c_str()) != 0)
    fail("replace", path);
  temporary.keep();
  std::string folder = std::filesystem::path(path).parent_path().string();
  Descriptor directory(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0)
    ::fsync(directory.get()); // not all file systems can; the rename is atomic without it
}

std::vector<std::byte> xf::detail::readFile(const std::string &path, size_t limit) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0)
    fail("read", path);
  if (!S_ISREG(status.st_mode))
    throw FileError("expected a regular file, got '" + path + "'");
  if (static_cast<uint64_t>(status.st_size) > limit)
    throw FileError("expected at most " + std::to_string(limit) + " bytes in '" + path + "', got " +
                    std::to_string(status.st_size));
  std::vector<std::byte> bytes(status.st_size);
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t count = ::pread(file.get(), bytes.data() + done, bytes.size() - done, done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      fail("read", path);
    if (count == 0)
      throw FileError("expected " + std::to_string(bytes.size()) + " bytes in '" + path + "', got " +
                      std::to_string(done));
    done += count;
  }
  return bytes;
}

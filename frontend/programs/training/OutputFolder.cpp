//===- OutputFolder.cpp - A locked output folder -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFolder.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/file.h>
#include <unistd.h>

using namespace xf;
using namespace xf::programs;
namespace fs = std::filesystem;

static std::runtime_error unwritable(const fs::path &path, const std::string &why) {
  return std::runtime_error("expected a folder that can be written, got '" + path.string() + "': " + why);
}

static std::runtime_error occupied(const fs::path &path, int lock) {
  char owner[32] = "";
  ssize_t bytes = pread(lock, owner, sizeof(owner) - 1, 0); // best effort: the number may not be there yet
  std::string process = bytes > 0 ? " (process " + std::string(owner, strspn(owner, "0123456789")) + ")" : "";
  return std::runtime_error("expected an output folder that no other run uses, got '" + path.string() + "'" + process +
                            "; wait for it or use another --output");
}

/// Removes the temporary files that an earlier run left in a folder. The name of such a file begins with the name of an
/// output file of this program, so files of other programs remain.
static void removeUnfinished(const fs::path &folder) {
  std::error_code ignored; // a temporary file that remains does no harm
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, ignored)) {
    std::string name = entry.path().filename();
    for (const char *owner :
         {".checkpoint-", ".config.json.", ".weights.safetensors.", ".pattern.svg.", ".pattern.png."})
      if (name.starts_with(owner) && name.find(".xfrt-") != std::string::npos)
        fs::remove(entry.path(), ignored);
  }
}

OutputFolder::OutputFolder(const fs::path &path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw unwritable(path, error.message());
  descriptor = open((path / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor < 0)
    throw unwritable(path, std::strerror(errno));
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    std::runtime_error occupation = occupied(path, descriptor);
    close(descriptor);
    throw occupation;
  }
  std::string owner = std::to_string(getpid()) + "\n";
  if (ftruncate(descriptor, 0) != 0 || write(descriptor, owner.data(), owner.size()) < 0) {
    std::runtime_error failure = unwritable(path, std::strerror(errno));
    close(descriptor);
    throw failure;
  }
  removeUnfinished(path);
}

OutputFolder::~OutputFolder() { close(descriptor); }

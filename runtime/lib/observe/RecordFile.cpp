//===- RecordFile.cpp - The files of traces and profiles ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordFile.h"
#include "../Process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace xfrt;

static constexpr char partSuffix[] = ".part";

/// Returns the path of a file: `name`, then .rankR for a rank R > 0, .pidP in a child of fork, .n for handle n > 1, and
/// `suffix`. Returns null if memory could not be allocated. The caller frees the path.
static char *pathOf(const char *name, int32_t rank, int32_t handle, const char *suffix) {
  char ofRank[24] = "", ofProcess[32] = "", ofHandle[16] = "";
  if (rank > 0)
    snprintf(ofRank, sizeof ofRank, ".rank%" PRId32, rank);
  if (Process().number() > 0)
    snprintf(ofProcess, sizeof ofProcess, ".pid%ld", long(getpid()));
  if (handle > 1)
    snprintf(ofHandle, sizeof ofHandle, ".%" PRId32, handle);
  const size_t bytes = strlen(name) + strlen(ofRank) + strlen(ofProcess) + strlen(ofHandle) + strlen(suffix) + 1;
  auto *path = static_cast<char *>(malloc(bytes));
  if (path)
    snprintf(path, bytes, "%s%s%s%s%s", name, ofRank, ofProcess, ofHandle, suffix);
  return path;
}

/// Opens a file for writing. If it is a pipe that no program reads, tries again for two seconds and then fails. Never
/// blocks, because to open such a pipe may block for ever.
static int openForWriting(const char *path) {
  constexpr useconds_t pause = 20000;
  constexpr int attempts = 100;
  int file = -1;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file >= 0 || errno != ENXIO)
      break;
    usleep(pause);
  }
  if (file >= 0)
    fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK); // writes wait for the reader
  return file;
}

bool RecordFile::open(const char *name, int32_t rank, int32_t handle) {
  struct stat found;
  isReplaced = stat(name, &found) != 0 || S_ISREG(found.st_mode);
  if (!isReplaced) { // one device or pipe for all
    rank = 0;
    handle = 1;
  }
  path = pathOf(name, rank, handle, "");
  char *part = pathOf(name, rank, handle, partSuffix);
  file = path && part ? openForWriting(isReplaced ? part : path) : -1;
  const int error = errno;
  free(part);
  if (file < 0)
    abandon();
  errno = error;
  return file >= 0;
}

bool RecordFile::openOutput() { return (file = dup(STDOUT_FILENO)) >= 0; }

xfrt_status RecordFile::close(bool isGood, const char *what, Message &message) {
  int error = isGood ? 0 : errno;
  if (::close(file) != 0 && error == 0)
    error = errno;
  const size_t bytes = isReplaced ? strlen(path) + sizeof partSuffix : 0;
  auto *part = isReplaced ? static_cast<char *>(malloc(bytes)) : nullptr;
  if (isReplaced && !part)
    error = ENOMEM;
  if (part) {
    snprintf(part, bytes, "%s%s", path, partSuffix);
    if (error == 0 && rename(part, path) != 0)
      error = errno;
    if (error != 0)
      unlink(part);
    free(part);
  }
  xfrt_status status = XFRT_OK;
  if (error != 0)
    status = message.fail(XFRT_IO_ERROR, "expected to write the %s, %s: %s", what,
                          path ? Quoted(path).get() : "standard output", strerror(error));
  free(path);
  *this = {};
  return status;
}

void RecordFile::abandon() {
  if (file >= 0)
    ::close(file);
  free(path);
  *this = {};
}

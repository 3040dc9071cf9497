//===- safetensors_io.cpp - Files that fail, change or are no files -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This program stands in front of the C library's pread, write, fsync and rename, so that they can be made to fail, and
// of umask, which is for the application alone.
//
//===----------------------------------------------------------------------===//

#include "WeightFile.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <functional>
#include <sys/stat.h>

namespace {

/// What the next calls do instead of their work; null: nothing.
struct Faults {
  std::function<ssize_t(size_t &bytes)> pread; ///< returns 0 to go on with `bytes`, or -1 with errno
  std::function<ssize_t(size_t &bytes)> write;
  std::function<int()> fsync, rename;
} faults;
std::string renamed; ///< from which name
int umaskCalls = 0;

template <typename Function>
Function *real(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

int failWith(int code) {
  errno = code;
  return -1;
}

} // namespace

extern "C" ssize_t pread(int file, void *data, size_t bytes, off_t offset) {
  if (faults.pread && faults.pread(bytes) != 0)
    return -1;
  return real<ssize_t(int, void *, size_t, off_t)>("pread")(file, data, bytes, offset);
}

extern "C" ssize_t write(int file, const void *data, size_t bytes) {
  if (faults.write && faults.write(bytes) != 0)
    return -1;
  return real<ssize_t(int, const void *, size_t)>("write")(file, data, bytes);
}

extern "C" int fsync(int file) { return faults.fsync && faults.fsync() != 0 ? -1 : real<int(int)>("fsync")(file); }

extern "C" mode_t umask(mode_t mask) noexcept {
  ++umaskCalls;
  return real<mode_t(mode_t)>("umask")(mask);
}

extern "C" int rename(const char *from, const char *to) noexcept {
  renamed = from;
  return faults.rename && faults.rename() != 0 ? -1 : real<int(const char *, const char *)>("rename")(from, to);
}

using namespace weights;

namespace {

class SafetensorsIo : public WeightFile {
protected:
  void TearDown() override {
    faults = {};
    WeightFile::TearDown();
  }
  xfrt_status save(uint32_t contents = XFRT_WEIGHTS) {
    return xfrt_parameters_save(store, path().c_str(), contents, nullptr, 0);
  }
  /// The only thing in the folder is the file with the old contents.
  void expectUntouched(const std::string &old) {
    EXPECT_EQ(read(), old);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  }
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

TEST_F(SafetensorsIo, A31_TruncatedWhileReading) {
  write(assemble(goodHeader));
  int calls = 0;
  faults.pread = [&](size_t &) -> ssize_t {
    if (++calls == 3) // length, header, then the first tensor
      EXPECT_EQ(truncate(path().c_str(), 100), 0);
    return 0;
  };
  EXPECT_EQ(load(), XFRT_IO_ERROR);
  EXPECT_NE(message().find("the file ends at byte"), std::string::npos) << message();
}

TEST_F(SafetensorsIo, A32_ReplacedWhileReadingGivesTheOldFile) {
  write(assemble(goodHeader));
  write(assemble(goodHeader, std::string(28, 9)), "other");
  int calls = 0;
  faults.pread = [&](size_t &) -> ssize_t {
    if (++calls == 2)
      std::filesystem::rename(path("other"), path());
    return 0;
  };
  EXPECT_EQ(load(), XFRT_OK) << message();
  EXPECT_EQ(bytesOf("w"), std::string(24, 1));
}

TEST_F(SafetensorsIo, A32_OverwrittenWhileReading) {
  write(assemble(goodHeader));
  int calls = 0;
  faults.pread = [&](size_t &) -> ssize_t {
    timespec times[2] = {{0, UTIME_OMIT}, {12345, 0}};
    if (++calls == 3)
      EXPECT_EQ(utimensat(AT_FDCWD, path().c_str(), times, 0), 0);
    return 0;
  };
  EXPECT_EQ(load(), XFRT_IO_ERROR);
  EXPECT_NE(message().find("the file changed while it was read"), std::string::npos) << message();
}

TEST_F(SafetensorsIo, A33_ThingsThatAreNoFiles) {
  auto refuse = [&](const char *name, const char *part) {
    EXPECT_EQ(xfrt_parameters_load(store, name, XFRT_WEIGHTS), XFRT_IO_ERROR) << name;
    EXPECT_NE(message().find(part), std::string::npos) << message();
  };
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  ASSERT_EQ(symlink("loop", path("loop").c_str()), 0);
  refuse(path("pipe").c_str(), "expected a regular file");
  refuse(folder.c_str(), "expected a regular file");
  refuse("/dev/zero", "expected a regular file");
  refuse(path("loop").c_str(), "Too many levels of symbolic links");
  refuse(path("missing").c_str(), "No such file or directory");
  refuse("", "No such file or directory");
}

TEST_F(SafetensorsIo, A33_NoPermission) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may read everything";
  write(assemble(goodHeader));
  ASSERT_EQ(chmod(path().c_str(), 0), 0);
  EXPECT_EQ(load(), XFRT_IO_ERROR);
  EXPECT_NE(message().find("Permission denied"), std::string::npos) << message();
}

TEST_F(SafetensorsIo, A34_OverFourGigabytes) {
  // A hole of 5 GiB stands before the model's tensors.
  const std::string hole = std::to_string(5368709120), end = std::to_string(5368709120 + 24),
                    last = std::to_string(5368709120 + 28);
  std::string header = R"({"hole":{"dtype":"U8","shape":[)" + hole + R"(],"data_offsets":[0,)" + hole +
                       R"(]},"w":{"dtype":"F32","shape":[2,3],"data_offsets":[)" + hole + "," + end +
                       R"(]},"b":{"dtype":"BOOL","shape":[4],"data_offsets":[)" + end + "," + last + "]}}";
  write(assemble(header, ""));
  off_t begin = off_t(8 + header.size()) + 5368709120;
  ASSERT_EQ(truncate(path().c_str(), begin), 0) << "the folder's file system must allow sparse files";
  std::ofstream(path(), std::ios::binary | std::ios::app) << goodData;
  EXPECT_EQ(load(XFRT_WEIGHTS | XFRT_ALLOW_EXTRA), XFRT_OK) << message();
  EXPECT_EQ(bytesOf("w"), std::string(24, 1));
}

TEST_F(SafetensorsIo, A35_ShortReadsAndInterrupts) {
  write(assemble(goodHeader));
  int calls = 0;
  faults.pread = [&](size_t &bytes) -> ssize_t {
    bytes = std::min<size_t>(bytes, 5);
    return ++calls % 2 ? failWith(EINTR) : 0;
  };
  EXPECT_EQ(load(), XFRT_OK) << message();
  EXPECT_EQ(bytesOf("w"), std::string(24, 1));
}

TEST_F(SafetensorsIo, A35_ReadErrors) {
  write(assemble(goodHeader));
  for (int failing = 1; failing <= 4; ++failing) {
    int calls = 0;
    faults.pread = [&](size_t &) -> ssize_t { return ++calls == failing ? failWith(EIO) : 0; };
    EXPECT_EQ(load(), XFRT_IO_ERROR);
    EXPECT_NE(message().find("Input/output error"), std::string::npos) << message();
  }
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

TEST_F(SafetensorsIo, SavedFilesLoadAgain) {
  const char *metadata[] = {"step", "12", "note", "\"quoted\"\n\u00fc"};
  memcpy(buffer("w").data, "abcdefghijklmnopqrstuvwx", 24);
  memcpy(buffer("m").data, "0123456789abcdef", 16);
  ASSERT_EQ(xfrt_parameters_save(store, path().c_str(), XFRT_WEIGHTS | XFRT_STATES, metadata, 2), XFRT_OK) << message();
  std::string first = read();
  memset(buffer("w").data, 0, 24);
  memset(buffer("m").data, 0, 16);
  ASSERT_EQ(load(XFRT_WEIGHTS | XFRT_STATES), XFRT_OK) << message();
  EXPECT_EQ(bytesOf("w"), "abcdefghijklmnopqrstuvwx");
  EXPECT_EQ(bytesOf("m"), "0123456789abcdef");
  EXPECT_STREQ(xfrt_parameters_metadata(store, "note"), metadata[3]);
  ASSERT_EQ(xfrt_parameters_save(store, path().c_str(), XFRT_WEIGHTS | XFRT_STATES, metadata, 2), XFRT_OK);
  EXPECT_EQ(read(), first) << "equal values give equal bytes";
  EXPECT_EQ(first.find("0123456789abcdef") % 64, 0u) << "data begins aligned, largest elements first";
}

TEST_F(SafetensorsIo, StatesAreNoDifferenceWhenWeightsAreLoaded) {
  ASSERT_EQ(save(XFRT_WEIGHTS | XFRT_STATES), XFRT_OK) << message();
  EXPECT_EQ(load(XFRT_WEIGHTS), XFRT_OK) << message();
}

TEST_F(SafetensorsIo, MetadataMustBeTextWithDifferentKeys) {
  const char *twice[] = {"a", "1", "a", "2"}, *binary[] = {"a", "\xff"};
  EXPECT_EQ(xfrt_parameters_save(store, path().c_str(), XFRT_WEIGHTS, twice, 2), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(xfrt_parameters_save(store, path().c_str(), XFRT_WEIGHTS, binary, 1), XFRT_INVALID_ARGUMENT);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(SafetensorsIo, FullDiskLeavesTheOldFile) {
  write("old");
  for (int failing = 1; failing <= 3; ++failing) { // the header, and two tensors
    int calls = 0;
    faults.write = [&](size_t &) -> ssize_t { return ++calls == failing ? failWith(ENOSPC) : 0; };
    EXPECT_EQ(save(), XFRT_IO_ERROR);
    EXPECT_NE(message().find("No space left on device"), std::string::npos) << message();
    expectUntouched("old");
  }
}

TEST_F(SafetensorsIo, FailedSyncLeavesTheOldFile) {
  write("old");
  faults.fsync = [] { return failWith(EIO); };
  EXPECT_EQ(save(), XFRT_IO_ERROR);
  EXPECT_NE(message().find("Input/output error"), std::string::npos) << message();
  expectUntouched("old");
}

TEST_F(SafetensorsIo, FailedRenameLeavesTheOldFile) {
  write("old");
  faults.rename = [] { return failWith(EROFS); };
  EXPECT_EQ(save(), XFRT_IO_ERROR);
  EXPECT_NE(message().find("Read-only file system"), std::string::npos) << message();
  expectUntouched("old");
}

TEST_F(SafetensorsIo, FailedSyncOfTheFolderIsReported) {
  int calls = 0;
  faults.fsync = [&] { return ++calls == 2 ? failWith(EIO) : 0; };
  EXPECT_EQ(save(), XFRT_IO_ERROR);
  EXPECT_NE(message().find("durable"), std::string::npos) << message();
}

TEST_F(SafetensorsIo, ShortWritesAndInterrupts) {
  int calls = 0;
  faults.write = [&](size_t &bytes) -> ssize_t {
    bytes = std::min<size_t>(bytes, 3);
    return ++calls % 2 ? failWith(EINTR) : 0;
  };
  EXPECT_EQ(save(), XFRT_OK) << message();
  faults = {};
  EXPECT_EQ(load(), XFRT_OK) << message();
}

TEST_F(SafetensorsIo, TargetsThatAreNoFilesAreRefused) {
  EXPECT_EQ(xfrt_parameters_save(store, folder.c_str(), XFRT_WEIGHTS, nullptr, 0), XFRT_IO_ERROR);
  EXPECT_NE(message().find("expected a regular file or none"), std::string::npos) << message();
  EXPECT_EQ(xfrt_parameters_save(store, "/dev/null", XFRT_WEIGHTS, nullptr, 0), XFRT_IO_ERROR);
  EXPECT_EQ(xfrt_parameters_save(store, path("none/weights").c_str(), XFRT_WEIGHTS, nullptr, 0), XFRT_IO_ERROR);
  EXPECT_NE(message().find("No such file or directory"), std::string::npos) << message();
}

TEST_F(SafetensorsIo, LinksAreFollowedAndPermissionsKept) {
  write("old", "real");
  ASSERT_EQ(chmod(path("real").c_str(), 0640), 0);
  ASSERT_EQ(symlink("real", path().c_str()), 0);
  ASSERT_EQ(save(), XFRT_OK) << message();
  struct stat info;
  ASSERT_EQ(lstat(path().c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  ASSERT_EQ(stat(path("real").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
  EXPECT_EQ(load(), XFRT_OK) << message();
}

TEST_F(SafetensorsIo, NewFilesHaveWhatTheUmaskLeavesAndItIsNotTouched) {
  mode_t before = umask(027);
  umaskCalls = 0;
  EXPECT_EQ(save(), XFRT_OK) << message();
  EXPECT_EQ(umaskCalls, 0) << "other threads create files meanwhile";
  umask(before);
  struct stat info;
  ASSERT_EQ(stat(path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
}

TEST_F(SafetensorsIo, TemporaryFilesSayWhoseTheyAre) {
  ASSERT_EQ(save(), XFRT_OK) << message();
  EXPECT_EQ(renamed.substr(0, renamed.rfind('-')), path(".weights.xfrt"));
  const std::string longest(255, 'n');
  EXPECT_EQ(xfrt_parameters_save(store, path(longest).c_str(), XFRT_WEIGHTS, nullptr, 0), XFRT_OK) << message();
  EXPECT_TRUE(std::filesystem::exists(path(longest)));
}

} // namespace

//===- communicator.cpp - Handles with ranks, and plug-ins ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace testmodel;

namespace {

/// A table whose functions nobody calls.
xfrt_communicator makeTable(int32_t rank, int32_t size) {
  xfrt_communicator table{};
  table.version = XFRT_COMMUNICATOR_VERSION;
  table.rank = rank;
  table.size = size;
  table.start = [](void *, const xfrt_peer_message *, int32_t, const xfrt_peer_message *, int32_t, void *, int32_t *) {
    return int(XFRT_TRANSPORT_FAILED);
  };
  table.wait = [](void *, int32_t, int64_t) { return int(XFRT_TRANSPORT_FAILED); };
  table.abort = [](void *, int, const char *) {};
  table.message = [](void *) { return ""; };
  table.close = [](xfrt_communicator *) {};
  return table;
}

std::string refusal(xfrt_status expected, const xfrt_communicator &table, int64_t timeout = 0) {
  xfrt_options options{};
  options.threads = 1;
  options.communicator = &table;
  options.timeout_ms = timeout;
  Handle handle(options);
  EXPECT_EQ(handle.status, expected);
  return xfrt_message(nullptr);
}

TEST(Communicator, OfOneRankChangesNothing) {
  xfrt_communicator table = makeTable(0, 1);
  refusal(XFRT_OK, table);
}

TEST(Communicator, OfAnotherVersion) {
  xfrt_communicator table{}; // nothing behind the number may be looked at
  table.version = XFRT_COMMUNICATOR_VERSION + 1;
  EXPECT_EQ(refusal(XFRT_ABI_MISMATCH, table), "expected a communicator of version " +
                                                   std::to_string(XFRT_COMMUNICATOR_VERSION) + ", got version " +
                                                   std::to_string(XFRT_COMMUNICATOR_VERSION + 1));
}

TEST(Communicator, RanksOutOfRange) {
  EXPECT_EQ(refusal(XFRT_INVALID_ARGUMENT, makeTable(4, 4)),
            "expected a rank of the communicator below its size, got rank 4 of 4");
  EXPECT_EQ(refusal(XFRT_INVALID_ARGUMENT, makeTable(-1, 4)),
            "expected a rank of the communicator below its size, got rank -1 of 4");
  EXPECT_EQ(refusal(XFRT_INVALID_ARGUMENT, makeTable(0, 0)),
            "expected a rank of the communicator below its size, got rank 0 of 0");
}

TEST(Communicator, WithoutAFunction) {
  for (int missing = 0; missing < 5; ++missing) {
    xfrt_communicator table = makeTable(0, 1);
    (missing == 0   ? reinterpret_cast<void *&>(table.start)
     : missing == 1 ? reinterpret_cast<void *&>(table.wait)
     : missing == 2 ? reinterpret_cast<void *&>(table.abort)
     : missing == 3 ? reinterpret_cast<void *&>(table.message)
                    : reinterpret_cast<void *&>(table.close)) = nullptr;
    EXPECT_EQ(refusal(XFRT_INVALID_ARGUMENT, table), "expected all functions of the communicator, got a null pointer");
  }
}

TEST(Communicator, NegativeTimeout) {
  EXPECT_EQ(refusal(XFRT_INVALID_ARGUMENT, makeTable(0, 1), -1), "expected a timeout of at least 0 ms, got -1");
}

/// Every rank would run the whole program, and nobody would notice.
TEST(Communicator, OfMoreRanksThanTheModelHasShares) {
  EXPECT_EQ(refusal(XFRT_BAD_MODEL, makeTable(1, 4)),
            "model 'test': expected shares for the 4 ranks of the communicator, got a model of one rank");
}

std::string openFailure(const char *library, xfrt_status expected) {
  xfrt_communicator table = makeTable(2, 3);
  EXPECT_EQ(xfrt_open_communicator(library, &table), expected);
  EXPECT_EQ(table.start, nullptr); // nothing of before is left
  return xfrt_message(nullptr);
}

TEST(Plugin, ThatIsNotThere) {
  std::string message = openFailure("./no-such-plugin.so", XFRT_NO_TRANSPORT);
  EXPECT_EQ(message.find("no plug-in: ./no-such-plugin.so: cannot open shared object file"), 0u) << message;
}

/// Of a plug-in beside the library that cannot be opened the reason is said, not that there is no other one.
TEST(Plugin, ThatCannotBeOpened) {
  Dl_info library;
  ASSERT_NE(dladdr(reinterpret_cast<void *>(&xfrt_open_communicator), &library), 0);
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "xf-broken-plugin";
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(library.dli_fname, folder / "libxfrt.so",
                             std::filesystem::copy_options::overwrite_existing);
  for (const char *name : {"libxfrt-mpi.so", "libxfrt-mpi-abi.so"})
    std::ofstream(folder / name) << std::string(100, 'x');
  void *copy = dlopen((folder / "libxfrt.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(copy, nullptr) << dlerror();
  auto open = reinterpret_cast<decltype(&xfrt_open_communicator)>(dlsym(copy, "xfrt_open_communicator"));
  auto text = reinterpret_cast<decltype(&xfrt_message)>(dlsym(copy, "xfrt_message"));
  xfrt_communicator table;
  EXPECT_EQ(open(nullptr, &table), XFRT_NO_TRANSPORT);
  const std::string message = text(nullptr), expected = (folder / "libxfrt-mpi.so").string() + ": invalid ELF header";
  EXPECT_NE(message.find(expected), std::string::npos) << message;
  dlclose(copy);
  std::filesystem::remove_all(folder);
}

TEST(Plugin, OfSomethingElse) {
  EXPECT_EQ(openFailure("libm.so.6", XFRT_NO_TRANSPORT), "'libm.so.6': expected a plug-in with xfrt_make_communicator");
}

TEST(Plugin, ThatDoesNotStart) {
  EXPECT_EQ(openFailure(XF_REFUSING_PLUGIN, XFRT_TRANSPORT_ERROR),
            "'" XF_REFUSING_PLUGIN "': no network for version " + std::to_string(XFRT_COMMUNICATOR_VERSION));
}

TEST(Plugin, NeedsAPlace) {
  EXPECT_EQ(xfrt_open_communicator(nullptr, nullptr), XFRT_INVALID_ARGUMENT);
  EXPECT_STREQ(xfrt_message(nullptr), "expected a place for the communicator, got a null pointer");
}

} // namespace

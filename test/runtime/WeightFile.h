//===- WeightFile.h - Files of weights, good and bad -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model that has the tensors w (f32[2x3] parameter), b (i1[4] parameter) and m (f64[2] state), and functions that put
// any bytes at all into a file and try to load them.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_RUNTIME_WEIGHTFILE_H
#define XF_TEST_RUNTIME_WEIGHTFILE_H

#include "TestModel.h"
#include "xfrt/parameters.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace weights {

inline constexpr xfrt_dim wDims[] = {{2, -1}, {3, -1}}, bDims[] = {{4, -1}}, mDims[] = {{2, -1}};
inline constexpr xfrt_tensor arguments[] = {testmodel::tensor("x", XFRT_F32, 1, bDims),
                                            testmodel::tensor("w", XFRT_F32, 2, wDims, XFRT_PARAMETER),
                                            testmodel::tensor("b", XFRT_BOOL, 1, bDims, XFRT_PARAMETER),
                                            testmodel::tensor("m", XFRT_F64, 1, mDims, XFRT_STATE)};
inline const xfrt_entry entries[] = {
    {"infer", 3,       0, arguments, nullptr, 0,       nullptr, 0, nullptr, nullptr, -1,      0, nullptr,
     0,       nullptr, 0, nullptr,   nullptr, nullptr, 0,       0, 0,       0,       nullptr, 0, nullptr},
    {"train", 4,       0, arguments, nullptr, 0,       nullptr, 0, nullptr, nullptr, -1,      0, nullptr,
     0,       nullptr, 0, nullptr,   nullptr, nullptr, 0,       0, 0,       0,       nullptr, 0, nullptr}};
inline const xfrt_model model = {XFRT_ABI_VERSION, "tiny", "",      "",      2,       entries, nullptr, 0, 0, 0,
                                 XFRT_CPU,         0,      nullptr, nullptr, nullptr, 0,       0};

/// Header and data of a file that `load` accepts: w is 24 bytes, b is 4.
inline const std::string goodHeader = R"({"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                                      R"("b":{"dtype":"BOOL","shape":[4],"data_offsets":[24,28]}})";
inline const std::string goodData(28, 1);

/// The bytes of a file: length of the header, header, data.
inline std::string assemble(const std::string &header, const std::string &data = goodData) {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += char(uint64_t(header.size()) >> 8 * i);
  return bytes + header + data;
}

/// A folder that goes away with the test, with a store to load into.
class WeightFile : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/xfrt-test-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder = name;
    ASSERT_EQ(xfrt_parameters_create(&model, nullptr, &store), XFRT_OK) << xfrt_message(nullptr);
  }
  void TearDown() override {
    xfrt_parameters_destroy(store);
    std::filesystem::remove_all(folder);
  }

  std::string path(const std::string &name = "weights") const { return folder + "/" + name; }
  void write(const std::string &bytes, const std::string &name = "weights") const {
    std::ofstream(path(name), std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  }
  std::string read(const std::string &name = "weights") const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string message() const { return xfrt_parameters_message(store); }

  /// Loads; on a refusal that is not about I/O the values are what they were.
  xfrt_status load(uint32_t contents = XFRT_WEIGHTS) {
    std::string before = bytesOf("w");
    xfrt_status status = xfrt_parameters_load(store, path().c_str(), contents);
    if (status == XFRT_BAD_FILE || status == XFRT_PARAMETER_MISMATCH)
      EXPECT_EQ(bytesOf("w"), before);
    return status;
  }
  void expectBad(const std::string &bytes, const std::string &part) {
    write(bytes);
    EXPECT_EQ(load(), XFRT_BAD_FILE) << part;
    EXPECT_NE(message().find(part), std::string::npos) << "expected '" << part << "' in: " << message();
    EXPECT_LT(message().size(), 1000u);
  }
  void expectBadHeader(const std::string &header, const std::string &part) { expectBad(assemble(header), part); }
  /// The good file with another text in place of `from`.
  void expectBadEdit(const std::string &from, const std::string &to, const std::string &part) {
    std::string header = goodHeader;
    ASSERT_NE(header.find(from), std::string::npos);
    expectBadHeader(header.replace(header.find(from), from.size(), to), part);
  }

  xfrt_buffer buffer(const char *name) const {
    xfrt_buffer view{};
    EXPECT_EQ(xfrt_parameters_get(store, name, &view), XFRT_OK) << message();
    return view;
  }
  std::string bytesOf(const char *name) const {
    xfrt_buffer view = buffer(name);
    int64_t bytes = int64_t(xfrt_dtype_size(view.dtype));
    for (int32_t i = 0; i < view.rank; ++i)
      bytes *= view.shape[i];
    return {static_cast<const char *>(view.data), size_t(bytes)};
  }

  std::string folder;
  xfrt_parameters *store = nullptr;
};

} // namespace weights

#endif // XF_TEST_RUNTIME_WEIGHTFILE_H

//===- npy.cpp - NumPy files, good and hostile ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tools/Npy.h"
#include "runtime/tools/Rounding.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

using namespace xfrt::tools;

namespace {

class Npy : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/xfrt-npy-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder = name;
    path = folder + "/a.npy";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void write(const std::string &bytes) const {
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  }
  /// A file of version `version` with this dictionary and these elements.
  template <typename T>
  void writeArray(const std::string &dictionary, std::vector<T> elements, int version = 1) {
    std::string bytes = std::string("\x93NUMPY") + char(version) + '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
      bytes += char(dictionary.size() >> 8 * i);
    bytes += dictionary;
    bytes.append(reinterpret_cast<const char *>(elements.data()), elements.size() * sizeof(T));
    write(bytes);
  }
  static std::string dictionary(const std::string &descr, const std::string &shape, bool fortran = false) {
    return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape +
           ", }\n";
  }
  bool read(int32_t dtype) { return readNpy(path, dtype, tensor, error); }
  std::vector<double> reals() const {
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.count(); ++i)
      values.push_back(tensor.real(i));
    return values;
  }
  void expectRefused(int32_t dtype, const std::string &part) {
    EXPECT_FALSE(read(dtype)) << part;
    EXPECT_NE(error.find(part), std::string::npos) << error;
    EXPECT_LT(error.size(), 400u);
  }
  void expectBadDictionary(const std::string &text, const std::string &part) {
    writeArray(text, std::vector<float>(6));
    expectRefused(XFRT_F32, part);
  }

  std::string folder, path, error;
  Tensor tensor;
};

using Shape = std::vector<int64_t>;
using Reals = std::vector<double>;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

TEST_F(Npy, Versions) {
  for (int version : {1, 2, 3}) {
    writeArray(dictionary("<f4", "(2, 3)"), std::vector<float>{1, 2, 3, 4, 5, 6}, version);
    ASSERT_TRUE(read(XFRT_F32)) << error;
    EXPECT_EQ(tensor.shape, Shape({2, 3}));
    EXPECT_EQ(reals(), Reals({1, 2, 3, 4, 5, 6}));
  }
}

TEST_F(Npy, ScalarsAndEmptyArrays) {
  writeArray(dictionary("<f8", "()"), std::vector<double>{2.5});
  ASSERT_TRUE(read(XFRT_F64)) << error;
  EXPECT_EQ(tensor.shape, Shape());
  EXPECT_EQ(reals(), Reals({2.5}));
  writeArray(dictionary("<f8", "(3, 0)"), std::vector<double>{});
  ASSERT_TRUE(read(XFRT_F64)) << error;
  EXPECT_EQ(tensor.count(), 0);
}

TEST_F(Npy, FortranOrder) {
  writeArray(dictionary("<f4", "(2, 3)", true), std::vector<float>{1, 4, 2, 5, 3, 6});
  ASSERT_TRUE(read(XFRT_F32)) << error;
  EXPECT_EQ(reals(), Reals({1, 2, 3, 4, 5, 6}));
  writeArray(dictionary("<i4", "(2, 1, 2)", true), std::vector<int32_t>{1, 3, 2, 4});
  ASSERT_TRUE(read(XFRT_I64)) << error;
  EXPECT_EQ(reals(), Reals({1, 2, 3, 4}));
}

TEST_F(Npy, BigEndian) {
  writeArray(dictionary(">i4", "(2,)"), std::vector<uint32_t>{__builtin_bswap32(7), __builtin_bswap32(uint32_t(-7))});
  ASSERT_TRUE(read(XFRT_I32)) << error;
  EXPECT_EQ(reals(), Reals({7, -7}));
}

TEST_F(Npy, IntegersOfEveryWidth) {
  writeArray(dictionary("|i1", "(2,)"), std::vector<int8_t>{-128, 127});
  ASSERT_TRUE(read(XFRT_I64)) << error;
  EXPECT_EQ(reals(), Reals({-128, 127}));
  writeArray(dictionary("<u2", "(2,)"), std::vector<uint16_t>{0, 65535});
  ASSERT_TRUE(read(XFRT_I32)) << error;
  EXPECT_EQ(reals(), Reals({0, 65535}));
  writeArray(dictionary("<i8", "(2,)"), std::vector<int64_t>{INT32_MIN, INT32_MAX});
  ASSERT_TRUE(read(XFRT_I32)) << error;
}

TEST_F(Npy, IntegersThatDoNotFit) {
  writeArray(dictionary("<i8", "(2,)"), std::vector<int64_t>{0, int64_t(INT32_MAX) + 1});
  expectRefused(XFRT_I32, "expected values of i32, got 2147483648");
  writeArray(dictionary("<u8", "(1,)"), std::vector<uint64_t>{UINT64_MAX});
  expectRefused(XFRT_I64, "expected values of i64, got 18446744073709551615");
}

TEST_F(Npy, AnyNonZeroByteIsTrue) {
  writeArray(dictionary("|b1", "(4,)"), std::vector<uint8_t>{0, 1, 2, 255});
  ASSERT_TRUE(read(XFRT_BOOL)) << error;
  EXPECT_EQ(reals(), Reals({0, 1, 1, 1}));
  writeArray(dictionary("<i4", "(3,)"), std::vector<int32_t>{0, 256, -1});
  ASSERT_TRUE(read(XFRT_BOOL)) << error;
  EXPECT_EQ(reals(), Reals({0, 1, 1}));
}

TEST_F(Npy, NanPayloadsSurvive) {
  writeArray(dictionary("<f4", "(1,)"), std::vector<uint32_t>{0xff812345});
  ASSERT_TRUE(read(XFRT_F32)) << error;
  uint32_t bits;
  memcpy(&bits, tensor.data(), sizeof(bits));
  EXPECT_EQ(bits, 0xff812345u);
}

TEST_F(Npy, HalvesAreRoundedOnceToEven) {
  // 1 + 2^-8 lies between two bf16 numbers, 1 + 2^-8 + 2^-40 above the middle: through f32 it would round down.
  writeArray(dictionary("<f8", "(3,)"), Reals{1 + 0x1p-8, 1 + 0x3p-8, 1 + 0x1p-8 + 0x1p-40});
  ASSERT_TRUE(read(XFRT_BF16)) << error;
  EXPECT_EQ(reals(), Reals({1, 1 + 0x1p-6, 1 + 0x1p-7}));
  writeArray(dictionary("<f4", "(2,)"), std::vector<float>{65519.0f, 65520.0f});
  ASSERT_TRUE(read(XFRT_F16)) << error;
  EXPECT_EQ(reals(), Reals({65504, INFINITY}));
}

//===----------------------------------------------------------------------===//
// Files that are refused
//===----------------------------------------------------------------------===//

TEST_F(Npy, WrongKind) {
  writeArray(dictionary("<i4", "(6,)"), std::vector<int32_t>(6));
  expectRefused(XFRT_F32, "expected elements that convert to f32, got '<i4'");
  writeArray(dictionary("<f4", "(6,)"), std::vector<float>(6));
  expectRefused(XFRT_I32, "expected elements that convert to i32, got '<f4'");
  expectRefused(XFRT_BOOL, "expected elements that convert to i1, got '<f4'");
}

TEST_F(Npy, NoNpy) {
  for (const std::string &bytes : {std::string(), std::string("\x93NUMPY"), std::string(100, 'x')}) {
    write(bytes);
    expectRefused(XFRT_F32, "expected an npy file");
  }
}

TEST_F(Npy, UnknownVersion) {
  writeArray(dictionary("<f4", "(6,)"), std::vector<float>(6), 4);
  expectRefused(XFRT_F32, "expected npy version 1.0, 2.0 or 3.0, got 4.0");
}

TEST_F(Npy, HeaderPastTheEnd) {
  write(std::string("\x93NUMPY\1\0\xff\xff{", 11));
  expectRefused(XFRT_F32, "expected a header of at most 1 bytes, got 65535");
  write(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12));
  expectRefused(XFRT_F32, "expected a header of at most 0 bytes, got 4294967295");
  write(std::string("\x93NUMPY\2\0\1\0", 10));
  expectRefused(XFRT_F32, "expected a header of at most");
}

TEST_F(Npy, BadDictionaries) {
  expectBadDictionary("", "expected '{'");
  expectBadDictionary("{", "expected a string");
  expectBadDictionary("{}", "expected the keys 'descr', 'fortran_order' and 'shape'");
  expectBadDictionary("{'descr': '<f4'", "expected '}'");
  expectBadDictionary("{'descr: ", "expected a string");
  expectBadDictionary(dictionary("<f4", "(6,)") + "x", "expected the end of the header");
  expectBadDictionary("{'descr': '<f4', 'descr': '<f4'}", "each of the keys");
  expectBadDictionary("{'order': 'C'}", "each of the keys");
  expectBadDictionary("{'descr': '<f4', 'fortran_order': 1}", "expected True or False");
}

TEST_F(Npy, BadTypes) {
  for (const char *type : {"", "<", "<f", "<f3", "<c8", "|O", "<f16", "f4", "|f4", "<U5", "\\x00"})
    expectBadDictionary(dictionary(type, "(6,)"), "expected an element type of");
  expectBadDictionary("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,), }", "expected a string");
}

TEST_F(Npy, BadShapes) {
  expectBadDictionary(dictionary("<f4", "6"), "expected '('");
  expectBadDictionary(dictionary("<f4", "(6)"), "expected ','");
  expectBadDictionary(dictionary("<f4", "(-6,)"), "expected a size");
  expectBadDictionary(dictionary("<f4", "(6.0,)"), "expected ");
  expectBadDictionary(dictionary("<f4", "(2 3)"), "expected ");
  expectBadDictionary(dictionary("<f4", "(9223372036854775808,)"), "expected a size below 2^63");
  expectBadDictionary(dictionary("<f4", "(4294967296, 4294967296)"), "expected fewer than 2^63 elements");
  std::string ones = "(";
  for (int i = 0; i < 65; ++i)
    ones += "1, ";
  expectBadDictionary(dictionary("<f4", ones + ")"), "expected at most 64 dimensions");
}

TEST_F(Npy, SizeAgainstShape) {
  expectBadDictionary(dictionary("<f4", "(5,)"), "expected 5 elements of 4 bytes, got 24 bytes");
  expectBadDictionary(dictionary("<f4", "(7,)"), "expected 7 elements of 4 bytes, got 24 bytes");
  expectBadDictionary(dictionary("<f8", "(2305843009213693953,)"), "expected 2305843009213693953 elements of 8 bytes");
  expectBadDictionary(dictionary("<f4", "(0, 4611686018427387904, 4611686018427387904)"), "expected 0 elements");
}

TEST_F(Npy, HugeEmptyShapesAreEmpty) {
  writeArray(dictionary("<f8", "(4611686018427387904, 4611686018427387904, 0)", true), std::vector<double>{});
  EXPECT_TRUE(read(XFRT_F32)) << error;
  EXPECT_EQ(tensor.count(), 0);
}

TEST_F(Npy, ThingsThatAreNoFiles) {
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  expectRefused(XFRT_F32, "expected a regular file");
  path = folder;
  expectRefused(XFRT_F32, "expected a regular file");
  path = folder + "/none";
  expectRefused(XFRT_F32, "No such file or directory");
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

TEST_F(Npy, WrittenFilesReadAgain) {
  for (const Shape &shape : {Shape{}, Shape{5}, Shape{2, 3}, Shape{2, 0, 3}, Shape(20, 1)})
    for (int32_t dtype = XFRT_F32; dtype <= XFRT_BOOL; ++dtype) {
      Tensor written;
      ASSERT_TRUE(written.allocate(dtype, shape, error)) << error;
      for (int64_t i = 0; i < written.count(); ++i)
        written.setReal(i, double(i % 2));
      ASSERT_TRUE(writeNpy(path, written, error)) << error;
      ASSERT_TRUE(read(dtype)) << error;
      EXPECT_EQ(tensor.shape, shape);
      EXPECT_EQ(memcmp(tensor.data(), written.data(), size_t(written.bytes())), 0);
    }
}

TEST_F(Npy, HeaderIsWhatNumpyWrites) {
  Tensor written;
  ASSERT_TRUE(written.allocate(XFRT_BF16, {3}, error));
  for (int64_t i = 0; i < 3; ++i)
    written.setReal(i, 1);
  ASSERT_TRUE(writeNpy(path, written, error)) << error;
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\1\0\x76\0", 10));
  EXPECT_EQ(bytes.substr(10, 118), text + std::string(117 - text.size(), ' ') + "\n");
  EXPECT_EQ(bytes.size(), 128u + 12);
}

TEST_F(Npy, FailedWritesLeaveTheOldFile) {
  write("old");
  Tensor written;
  ASSERT_TRUE(written.allocate(XFRT_F32, {3}, error));
  EXPECT_FALSE(writeNpy(folder + "/none/a.npy", written, error));
  EXPECT_FALSE(writeNpy(folder, written, error));
  EXPECT_EQ(std::filesystem::file_size(path), 3u);
}

//===----------------------------------------------------------------------===//
// Sixteen-bit formats
//===----------------------------------------------------------------------===//

/// Every number of the format survives; the middle between neighbours goes to the even one, anything past it does not.
template <typename Format>
void checkFormat() {
  for (uint32_t bits = 0; bits < Format::infinity; ++bits) {
    double value = Format::widen(uint16_t(bits)), next = Format::widen(uint16_t(bits + 1));
    ASSERT_EQ(Format::round(value), bits);
    ASSERT_EQ(Format::round(-value), bits | 0x8000);
    if (bits + 1 == Format::infinity)
      next = 2 * value - Format::widen(uint16_t(bits - 1)); // where the next number would be
    double middle = (value + next) / 2;
    ASSERT_EQ(Format::round(middle), bits + (bits & 1)) << bits;
    ASSERT_EQ(Format::round(std::nextafter(middle, 0)), bits);
    ASSERT_EQ(Format::round(std::nextafter(middle, INFINITY)), bits + 1);
  }
  EXPECT_EQ(Format::round(INFINITY), Format::infinity);
  EXPECT_EQ(Format::round(-1e308), Format::infinity | 0x8000);
  EXPECT_EQ(Format::round(5e-324), 0);
  EXPECT_TRUE(std::isnan(Format::widen(Format::round(std::numeric_limits<double>::quiet_NaN()))));
  EXPECT_TRUE(std::isnan(Format::widen(Format::round(std::numeric_limits<double>::signaling_NaN()))));
}

TEST(Rounding, Float16) { checkFormat<Float16>(); }
TEST(Rounding, BFloat16) { checkFormat<BFloat16>(); }

} // namespace

//===- safetensors_header.cpp - Hostile headers ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One test for each attack on the format; each is answered by a status and a short message, and changes no value.
//
//===----------------------------------------------------------------------===//

#include "WeightFile.h"

#include <sys/resource.h>

using namespace weights;

namespace {

using SafetensorsHeader = WeightFile;

std::string repeat(const std::string &text, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; ++i)
    result += text;
  return result;
}

std::string withLength(uint64_t length, const std::string &rest) {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += char(length >> 8 * i);
  return bytes + rest;
}

int64_t peakBytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return int64_t(usage.ru_maxrss) * 1024;
}

TEST_F(SafetensorsHeader, GoodFileLoads) {
  write(assemble(goodHeader));
  EXPECT_EQ(load(), XFRT_OK) << message();
  EXPECT_EQ(bytesOf("w"), std::string(24, 1));
}

TEST_F(SafetensorsHeader, A01_ShorterThanItsLength) {
  for (size_t bytes = 0; bytes < 8; ++bytes)
    expectBad(std::string(bytes, 1), "expected at least 8 bytes, got " + std::to_string(bytes));
}

TEST_F(SafetensorsHeader, A02_HeaderLongerThanTheFile) {
  expectBad(withLength(goodHeader.size() + goodData.size() + 1, goodHeader + goodData), "expected a header of at most");
}

TEST_F(SafetensorsHeader, A03_HeaderNear63And64Bits) {
  for (uint64_t length : {uint64_t(INT64_MAX), uint64_t(INT64_MAX) - 7, uint64_t(INT64_MAX) + 1, UINT64_MAX,
                          UINT64_MAX - 7, UINT64_MAX - 8})
    expectBad(withLength(length, goodHeader), "expected a header of at most");
}

TEST_F(SafetensorsHeader, A04_HeaderOverTheLimit) {
  write(withLength(100'000'001, goodHeader));
  ASSERT_EQ(truncate(path().c_str(), 200'000'000), 0);
  int64_t before = peakBytes();
  EXPECT_EQ(load(), XFRT_BAD_FILE);
  EXPECT_NE(message().find("at most 100000000 bytes, got 100000001"), std::string::npos) << message();
  EXPECT_LT(peakBytes() - before, 10'000'000);
}

TEST_F(SafetensorsHeader, OtherKinds) {
  for (const char *text :
       {"version https://git-lfs.github.com/spec/v1\n", "module @attention {\n}\n", "PK\3\4........"})
    expectBad(text, "expected a safetensors file, got a file of another kind");
}

TEST_F(SafetensorsHeader, A05_EmptyHeaderOrNoObject) {
  for (const char *header : {"", " {}", "[]", "\"\"", "\xef\xbb\xbf{}"})
    expectBadHeader(header, "expected a header that begins with '{'");
}

TEST_F(SafetensorsHeader, A06_BadUtf8ZeroBytesLoneSurrogates) {
  for (std::string text : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\\ud800", "\\udc00x"})
    expectBadEdit("\"w\"", "\"w" + text + "\"", "expected JSON");
  expectBadEdit("\"w\"", std::string("\"w\0\"", 4), "expected JSON");
  expectBadEdit("\"w\"", "\"w\\u0000\"", "expected names without a zero byte");
}

TEST_F(SafetensorsHeader, A07_NoJson) {
  expectBadHeader("{", "expected JSON");
  expectBadHeader(goodHeader.substr(0, goodHeader.size() - 1), "expected JSON");
  expectBadHeader(goodHeader + "x", "expected JSON");
  expectBadHeader(goodHeader + "{}", "expected JSON");
  expectBadHeader("{/* */}", "expected JSON");
  expectBadHeader("{// \n}", "expected JSON");
  expectBadHeader("{\"w\":NaN}", "expected JSON");
  expectBadHeader("{'w':1}", "expected JSON");
  expectBadEdit("[2,3]", "[2,3,]", "expected JSON");
}

TEST_F(SafetensorsHeader, A08_DepthOfAMillion) {
  expectBadHeader("{\"w\":" + repeat("[", 1'000'000), "expected an object, got an array");
  expectBadHeader(repeat("{\"w\":", 1'000'000), "expected each of dtype, shape and data_offsets once");
  expectBadEdit("[2,3]", repeat("[", 1'000'000), "expected sizes, got an array");
}

TEST_F(SafetensorsHeader, A09_MillionsOfTensors) {
  std::string header = "{";
  const int count = 1'500'000; // what the limit on headers lets through
  for (int i = 0; i < count; ++i)
    header += (i ? ",\"" : "\"") + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  header += "}";
  ASSERT_LT(header.size(), 100'000'000u);
  write(assemble(header, ""));
  [[maybe_unused]] int64_t before = peakBytes();
  EXPECT_EQ(load(), XFRT_PARAMETER_MISMATCH);
  EXPECT_NE(message().find("missing: 'w' (2x3 F32)"), std::string::npos);
  EXPECT_NE(message().find(".. and 1499902 more"), std::string::npos) << message().substr(message().size() - 100);
  EXPECT_LT(message().size(), 20'000u);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // which need memory of their own
  EXPECT_LT(peakBytes() - before, 8 * int64_t(header.size()));
#endif
}

TEST_F(SafetensorsHeader, A10_TensorTwice) {
  expectBadEdit("\"b\"", "\"w\"", "expected tensor 'w' once, got it twice");
  expectBadEdit("\"b\"", "\"\\u0077\"", "expected tensor 'w' once, got it twice");
}

TEST_F(SafetensorsHeader, A11_KeyOfATensorTwiceOrUnknownOrMissing) {
  expectBadEdit("\"dtype\":\"F32\"", R"("dtype":"F32","dtype":"F32")", "each of dtype, shape and data_offsets once");
  expectBadEdit("\"shape\":[2,3]", R"("shape":[2,3],"shape":[2,3])", "each of dtype, shape and data_offsets once");
  expectBadEdit("\"dtype\":\"F32\"", R"("dtype":"F32","order":"C")", "data_offsets once, got 'order'");
  expectBadEdit("\"dtype\":\"F32\",", "", "tensor 'w': expected dtype, shape and data_offsets");
}

TEST_F(SafetensorsHeader, A12_MetadataTwice) {
  expectBadHeader(R"({"__metadata__":{},"__metadata__":{}})", "expected __metadata__ once, got it twice");
  expectBadHeader(R"({"__metadata__":{"a":"1","a":"2"}})", "expected metadata 'a' once, got it twice");
}

TEST_F(SafetensorsHeader, A13_MetadataThatIsNoText) {
  for (const char *value : {"1", "null", "true", "{}", "[]", "1.5"})
    expectBadHeader(std::string(R"({"__metadata__":{"a":)") + value + "}}", "__metadata__: expected a string, got");
  expectBadHeader(R"({"__metadata__":"text"})", "expected an object, got a string");
}

TEST_F(SafetensorsHeader, A14_UnknownTypes) {
  for (const char *type : {"f32", "F31", "", "float32", "BF16 "})
    expectBadEdit("\"F32\"", std::string("\"") + type + "\"", "tensor 'w': unknown dtype");
  expectBadEdit("\"F32\"", "32", "tensor 'w': expected the name of a type, got a number");
}

TEST_F(SafetensorsHeader, A15_SizesThatAreNoIntegers) {
  expectBadEdit("[2,3]", "[2,-1]", "expected sizes, got a negative number");
  for (const std::string &size : {std::string("1.0"), std::string("1e3"), std::string("18446744073709551616"),
                                  std::string(400, '9'), std::string("1e400")})
    expectBadEdit("[2,3]", "[2," + size + "]", "expected sizes, got a number that is no 64-bit integer");
  expectBadEdit("[2,3]", "[2,\"4\"]", "expected sizes, got a string");
  expectBadEdit("[2,3]", "[2,9223372036854775808]", "expected sizes, got a number beyond 2^63");
  expectBadEdit("[2,3]", "6", "tensor 'w': expected an array of integers, got a number");
}

TEST_F(SafetensorsHeader, A16_RankOfAMillion) {
  expectBadEdit("[2,3]", "[1" + repeat(",1", 999'999) + "]", "tensor 'w': expected at most 64 dimensions");
}

TEST_F(SafetensorsHeader, A17_OverflowBehindAZero) {
  for (const char *shape :
       {"[4611686018427387904,4611686018427387904,0]", "[0,4611686018427387904,4611686018427387904]"})
    expectBadEdit("[2,3]", shape, "tensor 'w': expected fewer than 2^63 bytes");
}

TEST_F(SafetensorsHeader, A18_BytesOverflow) {
  expectBadEdit("[2,3]", "[4611686018427387904]", "tensor 'w': expected fewer than 2^63 bytes");
  expectBadEdit("[2,3]", "[4294967296,4294967296]", "tensor 'w': expected fewer than 2^63 bytes");
}

TEST_F(SafetensorsHeader, A19_EndBeforeBegin) {
  expectBadEdit("[0,24]", "[24,0]", "tensor 'w': expected data_offsets in order and below 28, got 24 and 0");
}

TEST_F(SafetensorsHeader, A20_OffsetsOutsideTheFile) {
  expectBadEdit("[0,24]", "[-24,0]", "tensor 'w': expected two offsets, got a negative number");
  expectBadEdit("[24,28]", "[25,29]", "tensor 'b': expected data_offsets in order and below 28, got 25 and 29");
  expectBadEdit("[24,28]", "[9223372036854775803,9223372036854775807]", "tensor 'b': expected data_offsets in order");
  expectBadEdit("[24,28]", "[18446744073709551612,18446744073709551615]", "a number beyond 2^63");
  expectBadEdit("[24,28]", "[24]", "tensor 'b': expected two offsets, got fewer");
  expectBadEdit("[24,28]", "[24,28,28]", "tensor 'b': expected two offsets, got more");
}

TEST_F(SafetensorsHeader, A21_OverlapHoleTrailingBytes) {
  expectBadEdit("[24,28]", "[20,24]", "tensor 'b': expected data at byte 24, got byte 20");
  expectBad(assemble(goodHeader, goodData + "x"), "expected 28 bytes of tensors, got 29");
  std::string hole = goodHeader;
  hole.replace(hole.find("[24,28]"), 7, "[25,29]");
  expectBad(assemble(hole, goodData + "x"), "tensor 'b': expected data at byte 24, got byte 25");
}

TEST_F(SafetensorsHeader, A22_SizeAgainstShape) {
  expectBadEdit("[2,3]", "[2,2]", "tensor 'w': expected 16 bytes of F32, got 24");
  expectBadEdit("[2,3]", "[]", "tensor 'w': expected 4 bytes of F32, got 24");
  expectBadEdit("\"F32\"", "\"F64\"", "tensor 'w': expected 48 bytes of F64, got 24");
}

TEST_F(SafetensorsHeader, A23_TypesBelowAByte) {
  for (const char *type : {"F4", "F6_E2M3", "F6_E3M2", "I4", "U4"})
    expectBadEdit("\"F32\"", std::string("\"") + type + "\"", "tensor 'w': unknown dtype");
}

TEST_F(SafetensorsHeader, A24_MisalignedTensor) {
  write(assemble(R"({"b":{"dtype":"BOOL","shape":[4],"data_offsets":[0,4]},"one":{"dtype":"U8","shape":[1],)"
                 R"("data_offsets":[4,5]},"w":{"dtype":"F32","shape":[2,3],"data_offsets":[5,29]}})",
                 "\1\1\1\1\7" + std::string(24, 2)));
  EXPECT_EQ(load(XFRT_WEIGHTS | XFRT_ALLOW_EXTRA), XFRT_OK) << message();
  EXPECT_EQ(bytesOf("w"), std::string(24, 2));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer("w").data) % 64, 0u);
}

} // namespace

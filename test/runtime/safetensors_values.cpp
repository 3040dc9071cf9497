//===- safetensors_values.cpp - Names, values and differences -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightFile.h"

using namespace weights;

namespace {

using SafetensorsValues = WeightFile;

std::string withExtra(const std::string &name) {
  return assemble(goodHeader.substr(0, goodHeader.size() - 1) + ",\"" + name +
                      R"(":{"dtype":"U8","shape":[],"data_offsets":[28,29]}})",
                  goodData + "x");
}

TEST_F(SafetensorsValues, A25_HostileNames) {
  for (const std::string &name :
       {std::string("../../x"), std::string(), std::string(1'000'000, 'n'), std::string("\\u0001\\u001b[31m"),
        std::string("%n%s%n"), std::string("a\\\"b\\\\c\\nd")}) {
    write(withExtra(name));
    EXPECT_EQ(load(), XFRT_PARAMETER_MISMATCH);
    EXPECT_LT(message().size(), 400u);
    for (char c : message())
      EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f)) << int(c);
    EXPECT_EQ(load(XFRT_WEIGHTS | XFRT_ALLOW_EXTRA), XFRT_OK) << message();
  }
  EXPECT_FALSE(std::filesystem::exists(path("../../x")));
}

TEST_F(SafetensorsValues, A26_NamesEqualAfterNormalisationStayDifferent) {
  // "w" with a combining ring above, composed and decomposed: two names, neither is the model's.
  std::string header = goodHeader.substr(0, goodHeader.size() - 1);
  header += ",\"\u1e98\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[28,29]}";
  header += ",\"w\u030a\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[29,30]}}";
  write(assemble(header, goodData + "xy"));
  EXPECT_EQ(load(), XFRT_PARAMETER_MISMATCH);
  EXPECT_NE(message().find("not in the model: '\u1e98'"), std::string::npos) << message();
  EXPECT_NE(message().find("not in the model: 'w\u030a'"), std::string::npos) << message();
  EXPECT_EQ(message().find("missing"), std::string::npos) << message();
}

TEST_F(SafetensorsValues, A27_OtherTypeOrShape) {
  write(assemble(R"({"w":{"dtype":"F16","shape":[3,2],"data_offsets":[0,12]},)"
                 R"("b":{"dtype":"U8","shape":[4],"data_offsets":[12,16]}})",
                 std::string(16, 1)));
  EXPECT_EQ(load(), XFRT_PARAMETER_MISMATCH);
  EXPECT_EQ(message(), "'" + path() + "' does not fit model 'tiny':\n  'w': expected 2x3 F32, got 3x2 F16\n" +
                           "  'b': expected 4 BOOL, got 4 U8");
}

TEST_F(SafetensorsValues, A28_MissingAndExtraInOneMessage) {
  write(assemble(R"({"v":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})", "1234"));
  EXPECT_EQ(load(XFRT_WEIGHTS | XFRT_STATES), XFRT_PARAMETER_MISMATCH);
  EXPECT_EQ(message(), "'" + path() +
                           "' does not fit model 'tiny':\n  missing: 'w' (2x3 F32)\n  missing: 'b' (4 BOOL)" +
                           "\n  missing: 'm' (2 F64)\n  not in the model: 'v' (scalar F32)");
}

TEST_F(SafetensorsValues, A29_BooleansAbove1) {
  std::string data = std::string(24, 0) + std::string("\0\x02\x80\xff", 4);
  write(assemble(goodHeader, data));
  EXPECT_EQ(load(), XFRT_OK) << message();
  EXPECT_EQ(bytesOf("b"), data.substr(24));
}

TEST_F(SafetensorsValues, A30_NanPayloads) {
  const uint32_t payloads[] = {0x7fc00001, 0xffc12345, 0x7f800001, 0xff800001, 0x7f800000, 0x80000000};
  std::string data(reinterpret_cast<const char *>(payloads), sizeof(payloads));
  write(assemble(goodHeader, data + std::string(4, 1)));
  EXPECT_EQ(load(), XFRT_OK) << message();
  EXPECT_EQ(bytesOf("w"), data);
}

TEST_F(SafetensorsValues, MetadataOfTheFileLoadedLast) {
  EXPECT_EQ(xfrt_parameters_metadata(store, "step"), nullptr);
  std::string header = goodHeader;
  write(assemble(header.insert(1, R"("__metadata__":{"step":"7","note":"a\"\n"},)")));
  EXPECT_EQ(load(), XFRT_OK) << message();
  EXPECT_STREQ(xfrt_parameters_metadata(store, "step"), "7");
  EXPECT_STREQ(xfrt_parameters_metadata(store, "note"), "a\"\n");
  EXPECT_EQ(xfrt_parameters_metadata(store, "ste"), nullptr);
}

//===----------------------------------------------------------------------===//
// The store
//===----------------------------------------------------------------------===//

TEST_F(SafetensorsValues, StoreHasEachTensorOnceAndZero) {
  ASSERT_EQ(xfrt_parameters_count(store), 3);
  const char *names[3];
  int32_t roles[3];
  for (int32_t i = 0; i < 3; ++i)
    EXPECT_EQ(xfrt_parameters_at(store, i, &names[i], &roles[i], nullptr), XFRT_OK);
  EXPECT_STREQ(names[0], "w");
  EXPECT_STREQ(names[2], "m");
  EXPECT_EQ(roles[2], XFRT_STATE);
  EXPECT_EQ(bytesOf("m"), std::string(16, 0));
  EXPECT_EQ(xfrt_parameters_at(store, 3, nullptr, nullptr, nullptr), XFRT_INVALID_ARGUMENT);
  xfrt_buffer none;
  EXPECT_EQ(xfrt_parameters_get(store, "x", &none), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(message(), "no parameter is called 'x'");
}

TEST_F(SafetensorsValues, BindFillsParametersAndLeavesInputs) {
  float input[4];
  xfrt_buffer arguments[4] = {{input, XFRT_F32, 1, nullptr, nullptr, XFRT_CPU}, {}, {}, {}};
  EXPECT_EQ(xfrt_parameters_bind(store, 1, arguments, 4), XFRT_OK) << message();
  EXPECT_EQ(arguments[0].data, input);
  EXPECT_EQ(arguments[1].data, buffer("w").data);
  EXPECT_EQ(arguments[3].data, buffer("m").data);
  EXPECT_EQ(xfrt_parameters_bind(store, 0, arguments, 4), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(xfrt_parameters_bind(store, 2, arguments, 4), XFRT_INVALID_ARGUMENT);
}

TEST(Parameters, EntriesThatDisagreeAreRefused) {
  xfrt_tensor other = arguments[1];
  other.dtype = XFRT_F16;
  xfrt_entry pair[] = {entries[0], entries[0]};
  pair[1].arguments = &other;
  pair[1].argument_count = 1;
  xfrt_model disagreeing = model;
  disagreeing.entries = pair;
  xfrt_parameters *none = nullptr;
  EXPECT_EQ(xfrt_parameters_create(&disagreeing, nullptr, &none), XFRT_BAD_MODEL);
  EXPECT_EQ(none, nullptr);
  EXPECT_STREQ(xfrt_message(nullptr), "parameter 'w': two entries give it different types, shapes or roles");
}

} // namespace

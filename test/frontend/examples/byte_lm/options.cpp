//===- options.cpp - The command line -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include <gtest/gtest.h>

using namespace byte_lm;

static Options parse(std::vector<const char *> words) {
  words.insert(words.begin(), "byte_lm");
  return parseOptions(static_cast<int>(words.size()), words.data());
}

static std::string errorOf(std::vector<const char *> words) {
  try {
    parse(std::move(words));
  } catch (const std::invalid_argument &error) {
    return error.what();
  }
  return "";
}

TEST(Options, TakeValuesEitherWay) {
  Options options = parse({"--steps", "7", "--width=64", "--pattern", "strided", "a.txt", "--untied", "b"});
  EXPECT_EQ(options.steps, 7);
  EXPECT_EQ(options.model.width, 64);
  EXPECT_EQ(options.model.pattern, PatternKind::strided);
  EXPECT_FALSE(options.model.tied);
  EXPECT_EQ(options.text, (std::vector<std::filesystem::path>{"a.txt", "b"}));
  EXPECT_TRUE(options.resume);
  EXPECT_FALSE(parse({"--restart"}).resume);
  EXPECT_TRUE(parse({"--help"}).help);
}

TEST(Options, NameDevices) {
  EXPECT_EQ(parse({}).device, xf::cpu());
  EXPECT_EQ(parse({"--device=cuda"}).device, xf::cuda());
  EXPECT_EQ(parse({"--device", "cuda:3"}).device, xf::cuda(3));
  EXPECT_EQ(parse({"--device=auto"}).device, xf::cuda_or_cpu());
  EXPECT_EQ(errorOf({"--device=gpu"}), "expected cpu, cuda, cuda:N or auto after --device, got 'gpu'");
  EXPECT_NE(errorOf({"--device=cuda:x"}), "");
  EXPECT_EQ(parse({"--f32-products=tf32"}).f32Products, "tf32");
  EXPECT_EQ(errorOf({"--f32-products=half"}), "expected exact, tf32 or bf16x3 after --f32-products, got 'half'");
}

TEST(Options, NameElementTypes) {
  EXPECT_EQ(parse({}).model.dtype, xf::f32);
  EXPECT_EQ(parse({"--dtype=bf16"}).model.dtype, xf::bf16);
  EXPECT_EQ(errorOf({"--dtype=f16"}), "expected f32 or bf16 after --dtype, got 'f16'");
}

TEST(Options, NameMeshes) {
  EXPECT_TRUE(parse({}).mesh.empty());
  Options options = parse({"--mesh=sequence=4,data=2", "--batch=6", "--context=64"});
  EXPECT_EQ(options.mesh.size(), 2U);
  EXPECT_EQ(ranksAlong(options, "data"), 2);
  EXPECT_EQ(ranksAlong(options, "sequence"), 4);
  EXPECT_NO_THROW(expectMesh(options, 8));
  EXPECT_THROW(expectMesh(options, 4), std::invalid_argument);
  options.batch = 3;
  EXPECT_THROW(expectMesh(options, 8), std::invalid_argument);
  const std::string expected = "expected the axes data and sequence with their processes after --mesh, as in "
                               "data=2,sequence=2, got ";
  for (const char *text : {"", "data", "data=2,", "tensor=2", "data=2,data=2", "=2", ",data=2"})
    EXPECT_EQ(errorOf({"--mesh", text}), expected + "'" + text + "'");
  EXPECT_EQ(errorOf({"--mesh=data=0"}), "expected a number >= 1 after --mesh=data=, got '0'");
  EXPECT_EQ(errorOf({"--mesh=data=2x"}), "expected a number >= 1 after --mesh=data=, got '2x'");
  EXPECT_NE(errorOf({"--mesh=data=99999999999999999999"}), "");
}

TEST(Options, SayWhatWasExpected) {
  EXPECT_EQ(errorOf({"--steps", "x"}), "expected a number >= 1 after --steps, got 'x'");
  EXPECT_EQ(errorOf({"--steps=0"}), "expected a number >= 1 after --steps, got '0'");
  EXPECT_EQ(errorOf({"--layers", "2x"}), "expected a number >= 1 after --layers, got '2x'");
  EXPECT_EQ(errorOf({"--pattern=dense"}), "expected fixed or strided after --pattern, got 'dense'");
  EXPECT_EQ(errorOf({"--stepz", "1"}), "expected an option of --help, got '--stepz'");
  EXPECT_EQ(errorOf({"--width"}), "expected a value after --width, got none");
}

TEST(Options, HelpNamesEveryOption) {
  for (const char *name : {"--steps", "--minutes", "--threads", "--layers", "--width", "--dtype", "--losses",
                           "--output", "--restart", "--untied"})
    EXPECT_NE(usage().find(name), std::string::npos) << name;
}

//===- NpyMutants.cpp - Arrays that nobody should trust -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"
#include "runtime/tools/Npy.h"
#include "xfrt/xfrt.h"

using namespace night;

std::string night::makeNpy(Random &random) {
  static const std::vector<std::string> types = {"<f4", "<f8", "<f2",  ">f4", "<i4", "<i8", "|b1", "|u1",   "<u8",
                                                 "=f4", "f4",  "<f16", "<c8", "|O",  "|S3", "",    "<M8[s]"};
  std::string shape = "(";
  for (uint64_t rank = random.below(4); rank > 0; --rank)
    shape += (random.oneIn(3) ? strangeNumber(random) : std::to_string(random.below(5))) + ",";
  shape += random.oneIn(12) ? "" : ")";
  std::string quote = random.oneIn(6) ? "\"" : "'";
  auto name = [&](const char *text) { return quote + text + quote; };
  std::vector<std::string> fields = {name("descr") + ": " + name(random.oneOf(types).c_str()),
                                     name("fortran_order") + ": " + (random.oneIn(3) ? "True" : "False"),
                                     name("shape") + ": " + shape};
  if (random.oneIn(10))
    fields.push_back(random.oneOf(fields));
  if (random.oneIn(12))
    fields.erase(fields.begin() + long(random.below(fields.size())));
  if (random.oneIn(3))
    std::swap(fields.front(), fields.back());
  std::string dictionary = "{";
  for (const std::string &field : fields)
    dictionary += field + ", ";
  dictionary += "}";
  if (random.oneIn(3))
    dictionary = mutateBytes(dictionary, random);
  dictionary += "\n";
  int version = random.oneIn(10) ? int(random.below(256)) : 1 + int(random.below(3));
  std::string bytes = std::string("\x93NUMPY") + char(version) + char(random.oneIn(20) ? random.word() : 0);
  uint64_t size = random.oneIn(12) ? random.word() >> random.below(64) : dictionary.size();
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    bytes += char(size >> 8 * i);
  bytes += dictionary;
  for (uint64_t count = random.below(200); count > 0; --count)
    bytes += char(random.word());
  return random.oneIn(6) ? mutateBytes(bytes, random) : bytes;
}

std::string night::tryNpy(const std::string &path) {
  for (int32_t dtype : {XFRT_F32, XFRT_F64, XFRT_F16, XFRT_BF16, XFRT_I32, XFRT_I64, XFRT_BOOL}) {
    xfrt::tools::Tensor tensor;
    std::string error;
    bool isRead = xfrt::tools::readNpy(path, dtype, tensor, error);
    if (!isRead && error.empty())
      return "expected a message";
    if (error.size() > 4096)
      return "expected a short message, got one of " + std::to_string(error.size()) + " bytes";
    if (isRead && tensor.count() > (1 << 20))
      return "expected no more elements than the file has";
  }
  return "";
}

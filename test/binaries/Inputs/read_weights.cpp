//===- read_weights.cpp - An application that reads and writes weights ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// It uses the templates of the C++ library that libxfrt uses too: were one of them shared by both, the memory of the
// one's operator new would end in the other's operator delete.
//
//===----------------------------------------------------------------------===//

#include "test/runtime/TestModel.h"
#include "xfrt/parameters.h"

#include <cstdio>
#include <map>
#include <memory>
#include <string_view>

/// Instantiates here what reading and writing weights does there.
static std::size_t useTemplates(unsigned long number) {
  std::string text = std::string("longer than fifteen characters ") + std::to_string(number);
  text = "longer than fifteen characters " + std::move(text);
  text = std::move(text) + std::string(" too");
  text = text + " and longer";
  std::map<std::string_view, unsigned long> map{{text, number}};
  map.emplace_hint(map.end(), "a key", number);
  std::shared_ptr<std::string> shared = std::make_shared<std::string>(text);
  return shared->size() + map.size();
}

static bool writeMismatch(const char *path) {
  const char text[] = R"({"w":{"dtype":"F32","shape":[5],"data_offsets":[0,20]}})";
  const char size[8] = {sizeof text - 1}, data[20] = {};
  std::FILE *file = std::fopen(path, "wb");
  bool written = file && std::fwrite(size, sizeof size, 1, file) && std::fwrite(text, sizeof text - 1, 1, file) &&
                 std::fwrite(data, sizeof data, 1, file);
  return file && !std::fclose(file) && written;
}

static void load(xfrt_parameters *weights, const char *path) {
  xfrt_status status = xfrt_parameters_load(weights, path, XFRT_WEIGHTS);
  std::printf("load: %s %s\n", xfrt_status_name(status), status ? xfrt_parameters_message(weights) : "");
}

int main(int argc, char **) {
  std::printf("templates: %d\n", useTemplates(argc) > 0);
  xfrt_parameters *weights = nullptr;
  if (xfrt_parameters_create(&testmodel::model, nullptr, &weights) || !writeMismatch("mismatch.safetensors"))
    return 1;
  if (xfrt_parameters_save(weights, "weights.safetensors", XFRT_WEIGHTS, nullptr, 0))
    return 1;
  load(weights, "weights.safetensors");
  load(weights, "mismatch.safetensors");
  load(weights, "missing.safetensors");
  xfrt_parameters_destroy(weights);
  std::puts("destroyed");
}

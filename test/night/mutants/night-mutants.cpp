//===- night-mutants.cpp - Readers of files against random broken ones ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   night-mutants safetensors|npy --seed=N --count=N --file=PATH
//
// Mutants N to N + count - 1, each written to PATH before it is tried: what ends this process is there. A wrong answer
// prints a line `wrong SEED: what`. Ends with `tried COUNT`. Exit code 1 where an answer was wrong.
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace night;

static std::string option(int argc, char **argv, const char *name, const char *otherwise) {
  for (int n = 2; n < argc; ++n)
    if (std::strncmp(argv[n], name, std::strlen(name)) == 0 && argv[n][std::strlen(name)] == '=')
      return argv[n] + std::strlen(name) + 1;
  return otherwise;
}

/// In place, so that nothing but the bytes has to be made.
static bool write(const std::string &path, const std::string &bytes) {
  static int file = open(path.c_str(), O_WRONLY | O_CREAT, 0644);
  return file >= 0 && pwrite(file, bytes.data(), bytes.size(), 0) == ssize_t(bytes.size()) &&
         ftruncate(file, off_t(bytes.size())) == 0;
}

static std::string tryOne(const std::string &kind, uint64_t seed, const std::string &path) {
  Random random(seed);
  bool isNpy = kind == "npy";
  if (!write(path, isNpy ? makeNpy(random) : makeSafetensors(random)))
    return "cannot write " + path;
  return isNpy ? tryNpy(path) : trySafetensors(path);
}

int main(int argc, char **argv) {
  std::string kind = argc > 1 ? argv[1] : "", path = option(argc, argv, "--file", "");
  if ((kind != "safetensors" && kind != "npy") || path.empty()) {
    std::fprintf(stderr, "usage: night-mutants safetensors|npy --seed=N --count=N --file=PATH\n");
    return 2;
  }
  uint64_t seed = std::stoull(option(argc, argv, "--seed", "1")),
           count = std::stoull(option(argc, argv, "--count", "1000"));
  uint64_t wrongs = 0;
  for (uint64_t n = 0; n < count; ++n) {
    std::string wrong = tryOne(kind, seed + n, path);
    if (wrong.empty())
      continue;
    ++wrongs;
    std::printf("wrong %llu: %s\n", static_cast<unsigned long long>(seed + n), wrong.c_str());
  }
  std::printf("tried %llu\n", static_cast<unsigned long long>(count));
  return wrongs != 0;
}

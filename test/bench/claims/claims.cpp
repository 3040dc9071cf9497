//===- claims.cpp - What the founding papers' claims are measured on -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   claims                                         prints the names of the programs, one a line
//   claims NAME [--tokens=N] [--bf16] FILE.mlir    writes one of them, and prints the number of its parameters
//
// claims.py measures them.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace bench;

static int usage() {
  std::fputs("usage: claims [NAME [--tokens=N] [--bf16] FILE.mlir]\n", stderr);
  return 2;
}

static bool parseNumber(const char *argument, const char *name, int64_t &number) {
  size_t length = std::strlen(name);
  if (std::strncmp(argument, name, length) != 0)
    return false;
  char *end;
  number = std::strtoll(argument + length, &end, 10);
  return *end == 0 && number > 0;
}

static int run(int argc, char **argv) {
  std::vector<Claimed> programs;
  addSequences(programs);
  addModels(programs);
  if (argc == 1)
    for (const Claimed &program : programs)
      std::puts(program.name.c_str());
  if (argc < 3)
    return argc == 1 ? 0 : usage();
  Sizes sizes;
  for (int n = 2; n + 1 < argc; ++n)
    if (std::strcmp(argv[n], "--bf16") == 0)
      sizes.bf16 = true;
    else if (!parseNumber(argv[n], "--tokens=", sizes.tokens))
      return usage();
  for (const Claimed &program : programs)
    if (program.name == argv[1])
      return std::printf("%lld\n", static_cast<long long>(program.write(sizes, argv[argc - 1]))), 0;
  return usage();
}

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const xf::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

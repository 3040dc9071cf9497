// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets the locale of the environment for C and C++ before main.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <locale>

__attribute__((constructor)) static void setLocale() {
  char text[8];
  std::locale::global(std::locale(""));
  std::snprintf(text, sizeof text, "%.1f", .5);
  if (std::strcmp(text, "0,5") == 0)
    return;
  std::fputs("expected a locale with a comma\n", stderr);
  std::abort();
}

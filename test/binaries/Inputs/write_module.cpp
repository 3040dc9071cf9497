//===- write_module.cpp - An application in the language of its user ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// write_module FILE.mlir: writes numbers that have a decimal point, or a comma and groups of digits, into a module,
// compiles it and calls it. Prints the decimal point of C and of C++, and the result.
//
//===----------------------------------------------------------------------===//

#include <xf/xf.h>

#include <clocale>
#include <cstdio>
#include <locale>

int main(int, char **arguments) {
  std::setlocale(LC_ALL, "");
  std::locale::global(std::locale(""));
  std::printf("%s %c\n", std::localeconv()->decimal_point,
              std::use_facet<std::numpunct<char>>(std::locale()).decimal_point());
  xf::Program program("numbers");
  program.entry("apply", {{"x", xf::f32, {12345}}}, [](xf::Tensor x) { return xf::sum(x * 0.5 + 1234567.25, {0}); });
  program.save(arguments[1]);
  xf::Array x(xf::f32, {12345});
  for (int i = 0; i < 12345; ++i)
    x.data<float>()[i] = -2469134;
  float result = program.compile().call("apply", {{"x", x}}).at("apply").data<float>()[0];
  std::printf("%d.%02d\n", int(result), int(result * 100) % 100);
}

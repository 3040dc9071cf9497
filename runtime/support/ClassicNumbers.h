//===- ClassicNumbers.h - Numbers in every locale ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_SUPPORT_CLASSICNUMBERS_H
#define XFRT_SUPPORT_CLASSICNUMBERS_H

#include <locale.h>

namespace xfrt {

/// An RAII guard under which this thread reads and writes numbers with a decimal point, whatever locale the application
/// has set. Needed wherever fractions become text or text becomes fractions. Integers need no guard.
class ClassicNumbers {
public:
  ClassicNumbers() : before(uselocale(newlocale(LC_ALL_MASK, "C", nullptr))) {} // that one is never allocated
  ~ClassicNumbers() { uselocale(before); }
  ClassicNumbers(const ClassicNumbers &) = delete;
  ClassicNumbers &operator=(const ClassicNumbers &) = delete;

private:
  locale_t before;
};

} // namespace xfrt

#endif // XFRT_SUPPORT_CLASSICNUMBERS_H

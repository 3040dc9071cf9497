//===- PrintableText.h - Text that a terminal may show ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PRINTABLETEXT_H
#define XFRT_LIB_PRINTABLETEXT_H

#include <string>
#include <string_view>

namespace xfrt {

/// The text with control characters other than tab and line feed, and bytes that are no UTF-8, as \xNN. What stands
/// beyond the 1000th character of a line becomes "..".
std::string printableText(std::string_view text);

} // namespace xfrt

#endif // XFRT_LIB_PRINTABLETEXT_H

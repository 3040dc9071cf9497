//===- PrintableText.h - Text that a terminal may show ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_SUPPORT_PRINTABLETEXT_H
#define XFRT_SUPPORT_PRINTABLETEXT_H

#include <string>
#include <string_view>

namespace xfrt {

/// Returns the text with each control character (other than tab and line feed) and each byte of invalid UTF-8 written
/// as \xNN. A line of more than 1000 characters is cut after the 1000th and ends in " ..".
std::string printableText(std::string_view text);

} // namespace xfrt

#endif // XFRT_SUPPORT_PRINTABLETEXT_H

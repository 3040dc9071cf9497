//===- PrintableText.h - Text that a terminal may show ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_FILES_PRINTABLETEXT_H
#define XFRT_LIB_FILES_PRINTABLETEXT_H

#include <string>
#include <string_view>

namespace xfrt {

/// Returns the text with control characters other than tab and line feed, and invalid UTF-8, replaced by \xNN. Replaces
/// the part of a line beyond its 1000th character by "..".
std::string printableText(std::string_view text);

} // namespace xfrt

#endif // XFRT_LIB_FILES_PRINTABLETEXT_H

//===- PrintableBytes.h - Characters that may be printed --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_SUPPORT_PRINTABLEBYTES_H
#define XFRT_SUPPORT_PRINTABLEBYTES_H

#include <stddef.h>

namespace xfrt {

/// Returns the size in bytes of the first character of a UTF-8 text. Returns 0 where the text begins with a control
/// character or with invalid UTF-8. The text has `bytes` > 0 bytes.
size_t printableBytes(const char *text, size_t bytes);

} // namespace xfrt

#endif // XFRT_SUPPORT_PRINTABLEBYTES_H

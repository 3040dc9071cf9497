//===- NpyHeader.h - The header of an npy file -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_SUPPORT_NPYHEADER_H
#define XFRT_SUPPORT_NPYHEADER_H

#include <stdint.h>
#include <string>
#include <string_view>
#include <vector>

namespace xfrt::tools {

/// The header of an npy file: type, order and shape of its elements.
struct NpyHeader {
  char kind = 0;     ///< 'f', 'i', 'u' or 'b'
  int itemBytes = 0; ///< 1, 2, 4 or 8
  bool bigEndian = false;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
  int64_t count = 1;

  /// The element type as written in the file, such as "<f4", for messages.
  std::string descr;
};

/// Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`. Keys may have any order, but no key may be
/// missing or duplicate.
bool parseNpyHeader(std::string_view text, NpyHeader &header, std::string &error);

} // namespace xfrt::tools

#endif // XFRT_SUPPORT_NPYHEADER_H

//===- ShortLines.h - A stream that cuts long lines -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_SHORTLINES_H
#define XF_COMPILER_TOOLS_XFC_SHORTLINES_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::xf {

/// Hands text on to another stream, without what stands beyond column 1000 of a line: a message shows the line that it
/// is about, and a line of a program may have megabytes.
class ShortLines : public llvm::raw_ostream {
public:
  explicit ShortLines(raw_ostream &os) : raw_ostream(/*unbuffered=*/true), os(os) {}

private:
  static constexpr size_t maxColumns = 1000;

  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return os.tell(); }

  raw_ostream &os;
  size_t column = 0;
};

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_SHORTLINES_H

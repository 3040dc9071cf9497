//===- PrintableLines.h - A stream for messages about programs ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_TEXT_PRINTABLELINES_H
#define XF_DIALECTS_XF_TEXT_PRINTABLELINES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::xf {

/// Bytes of the printable character of UTF-8 that `text` begins with: 0 for a control character but tab and line feed,
/// and for what is no UTF-8.
size_t printableBytes(StringRef text);

/// Hands text on to another stream as a terminal may show it: control characters and bytes that are no UTF-8 as \xNN,
/// and nothing of what stands beyond column 1000 of a line. A message shows the line that it is about, and names of the
/// program; a line may have megabytes, and a name may hold what a terminal obeys.
class PrintableLines : public llvm::raw_ostream {
public:
  explicit PrintableLines(raw_ostream &os) : raw_ostream(/*unbuffered=*/true), os(os) {}
  ~PrintableLines() override { finish(); }

private:
  static constexpr size_t maxColumns = 1000;

  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return os.tell(); }
  /// The next character, or escape; those beyond the last column are left out.
  void put(StringRef shown);
  void putEscaped(unsigned char byte);
  /// A character that never became whole.
  void finish();

  raw_ostream &os;
  SmallString<4> begun; ///< bytes of a character whose rest is to come
  size_t column = 0;
};

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_TEXT_PRINTABLELINES_H

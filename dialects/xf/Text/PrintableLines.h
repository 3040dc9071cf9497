//===- PrintableLines.h - A stream for messages on programs -----*- C++ -*-===//
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

/// Returns the number of bytes of the printable UTF-8 character at the start of `text`. Returns 0 if the text starts
/// with a control character other than tab and line feed, or with bytes that are not UTF-8.
size_t printableBytes(StringRef text);

/// Passes text on to another stream in a form that terminals can show. Control characters and bytes that are not UTF-8
/// become \xNN. Text beyond column 1000 of a line is dropped. This is for messages, which quote lines and names of the
/// program: a line may have megabytes, and a name may hold control sequences.
class PrintableLines : public llvm::raw_ostream {
public:
  explicit PrintableLines(raw_ostream &os) : raw_ostream(/*unbuffered=*/true), os(os) {}
  ~PrintableLines() override { finish(); }

private:
  static constexpr size_t maxColumns = 1000;

  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return os.tell(); }
  /// Writes one character or escape, or drops it beyond the last column.
  void put(StringRef shown);
  void putEscaped(unsigned char byte);
  /// Writes escapes for the bytes of an incomplete character at the end of the text.
  void finish();

  raw_ostream &os;
  SmallString<4> begun; ///< bytes of a character that is incomplete so far
  size_t column = 0;
};

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_TEXT_PRINTABLELINES_H

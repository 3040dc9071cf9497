//===- DrawMaps.cpp - Pictures of attention weights -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/DrawMaps.h"
#include "mlir/IR/Diagnostics.h"
#include "runtime/support/NpyHeader.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// The contents of an npy file.
struct Weights {
  SmallVector<int64_t> shape;
  std::vector<double> values;
};
} // namespace

/// Reads the header of an npy file of version 1.0, as xf-run and numpy write it. Removes it from `bytes`.
static bool readHeader(StringRef &bytes, xfrt::tools::NpyHeader &header, std::string &error) {
  constexpr size_t prefix = 10;
  if (bytes.size() < prefix || !bytes.starts_with(StringRef("\x93NUMPY\x01\x00", 8)))
    return error = "expected an npy file of version 1.0", false;
  size_t length = llvm::support::endian::read16le(bytes.data() + 8);
  StringRef text = bytes.substr(prefix, length);
  bytes = bytes.drop_front(std::min(bytes.size(), prefix + length));
  return xfrt::tools::parseNpyHeader({text.data(), text.size()}, header, error);
}

static bool readWeights(StringRef bytes, Weights &weights, std::string &error) {
  xfrt::tools::NpyHeader header;
  if (!readHeader(bytes, header, error))
    return false;
  bool isFloat = header.kind == 'f' && (header.itemBytes == 4 || header.itemBytes == 8);
  if (!isFloat || header.bigEndian || header.fortranOrder || header.shape.size() < 2 || header.shape.size() > 4) {
    error = "expected f32 or f64, row by row, of 2 to 4 dimensions, got " + header.descr + " of " +
            std::to_string(header.shape.size());
    return false;
  }
  if (header.count < 0 || uint64_t(header.count) != bytes.size() / header.itemBytes ||
      bytes.size() % header.itemBytes != 0)
    return error =
               "expected " + std::to_string(header.count) + " elements, got " + std::to_string(bytes.size()) + " bytes",
           false;
  for (const char *at = bytes.begin(); at != bytes.end(); at += header.itemBytes)
    weights.values.push_back(header.itemBytes == 4 ? llvm::bit_cast<float>(llvm::support::endian::read32le(at))
                                                   : llvm::bit_cast<double>(llvm::support::endian::read64le(at)));
  weights.shape.assign(header.shape.begin(), header.shape.end());
  return true;
}

FailureOr<pattern::Picture> xf::drawMaps(const XfcOptions &options, MLIRContext *context) {
  pattern::Picture picture;
  for (const std::string &path : options.maps) {
    auto emitError = [&] { return mlir::emitError(UnknownLoc::get(context)) << path << ": "; };
    auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!file)
      return emitError() << "expected to read it: " << file.getError().message();
    Weights weights;
    std::string error;
    if (!readWeights((*file)->getBuffer(), weights, error))
      return emitError() << error;
    pattern::WeightsOptions drawn;
    drawn.title = llvm::sys::path::stem(path).str();
    auto rows = pattern::drawWeights(pattern::DrawnWeights::of(weights.values, weights.shape), drawn, emitError);
    if (failed(rows))
      return failure();
    for (pattern::PictureRow &row : *rows)
      picture.push_back(std::move(row));
  }
  return picture;
}

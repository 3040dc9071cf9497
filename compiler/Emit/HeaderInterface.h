//===- HeaderInterface.h - What a header says of an entry ----- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names and types that the C and the C++ part of a header share, decided once.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EMIT_HEADERINTERFACE_H
#define XF_COMPILER_EMIT_HEADERINTERFACE_H

#include "compiler/Emit/ModelTables.h"

namespace mlir::xf {

struct HeaderTensor {
  const HostTable::Tensor *tensor;
  /// Of the function's parameter and the structure's field; empty where callers give none: tensors of the store, and
  /// results that replace an argument.
  std::string identifier;
  bool byValue = false;   ///< a scalar input
  bool isWritten = false; ///< an argument that a result replaces in place

  bool isGiven() const { return !identifier.empty(); }
  bool isStored() const { return tensor->role != XFRT_INPUT; }
};

struct HeaderEntry {
  const HostTable *table;
  std::string function, number;                ///< C: the function, the enumerator
  std::string method, inputsName, outputsName; ///< C++: of class Model, and the structures beside it
  SmallVector<std::string, 0> sizes;           ///< for each symbol its parameter, or its value where it has only one
  SmallVector<HeaderTensor, 0> arguments, results;

  bool usesStore() const {
    return llvm::any_of(arguments, [](auto &argument) { return argument.isStored(); });
  }
  /// Symbols whose value the caller gives.
  bool isGivenSize(size_t symbol) const { return table->symbols[symbol].min != table->symbols[symbol].max; }
  /// The size of a dimension as a C expression.
  std::string size(const HostTable::Dim &dim) const;
};

struct HeaderModel {
  std::string space; ///< C++ namespace
  SmallVector<HeaderEntry, 0> entries;
};

HeaderModel describeHeader(const ModelTables &tables);

/// The C type of an element; f16 and bf16 are their 16 bits.
StringRef cElementType(xfrt_dtype dtype);

/// "XFRT_F32".
StringRef dtypeEnumerator(xfrt_dtype dtype);

/// A type and size as in "f32[2, n, 64]"; "f32" for a scalar.
std::string shapeText(const HeaderEntry &entry, const HostTable::Tensor &tensor);

/// The C part and the C++ part of the header, without guards.
void writeCHeader(const ModelTables &tables, const HeaderModel &model, raw_ostream &os);
void writeCxxHeader(const ModelTables &tables, const HeaderModel &model, raw_ostream &os);

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_HEADERINTERFACE_H

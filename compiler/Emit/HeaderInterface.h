//===- HeaderInterface.h - The interface that headers declare ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names and types that the C part and the C++ part of a header share.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EMIT_HEADERINTERFACE_H
#define XF_COMPILER_EMIT_HEADERINTERFACE_H

#include "compiler/Emit/ModelTables.h"

namespace mlir::xf {

/// A tensor of an entry's C function.
struct HeaderTensor {
  const HostTable::Tensor *tensor;
  /// The name of the function's parameter and of the structure's field. It is empty if the caller does not pass the
  /// tensor, because the tensor comes from the parameter store, or is a result that replaces an argument.
  std::string identifier;
  bool byValue = false;   ///< a scalar input
  bool isWritten = false; ///< an argument that a result replaces in place

  bool isGiven() const { return !identifier.empty(); }
  bool isStored() const { return tensor->role != XFRT_INPUT; }
};

/// The names that belong to one entry in the C part and in the C++ part of the header.
struct HeaderEntry {
  const HostTable *table;
  std::string function, number;                ///< C names of the function and the enumerator
  std::string method, inputsName, outputsName; ///< C++ names of the method of class Model and of its structures
  SmallVector<std::string, 0> sizes;           ///< for each symbol: its parameter, its only value, or its expression
  SmallVector<HeaderTensor, 0> arguments, results;

  bool usesStore() const {
    return llvm::any_of(arguments, [](auto &argument) { return argument.isStored(); });
  }
  /// Returns true if the caller passes the value of symbol number `symbol`. Derived symbols, and symbols with a single
  /// possible value, are not passed.
  bool isGivenSize(size_t symbol) const {
    return !table->symbols[symbol].value && table->symbols[symbol].min != table->symbols[symbol].max;
  }
  /// Returns the size of a dimension as a C expression.
  std::string size(const HostTable::Dim &dim) const;
};

/// The names of all entries of a model.
struct HeaderModel {
  std::string space; ///< C++ namespace
  SmallVector<HeaderEntry, 0> entries;
};

/// Chooses the names in a header. Names are distinct within each scope.
HeaderModel describeHeader(const ModelTables &tables);

/// Returns the C type of an element. Elements of f16 and bf16 are passed as 16-bit integers.
StringRef cElementType(xfrt_dtype dtype);

/// Returns the C enumerator of a type, such as "XFRT_F32".
StringRef dtypeEnumerator(xfrt_dtype dtype);

/// Returns the type and shape of a tensor as text, such as "f32[2, n, 64]", or "f32" for a scalar.
std::string shapeText(const HeaderEntry &entry, const HostTable::Tensor &tensor);

/// Write the C part and the C++ part of the header, without include guards.
void writeCHeader(const ModelTables &tables, const HeaderModel &model, raw_ostream &os);
void writeCxxHeader(const ModelTables &tables, const HeaderModel &model, raw_ostream &os);

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_HEADERINTERFACE_H

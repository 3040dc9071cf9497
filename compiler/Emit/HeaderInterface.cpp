//===- HeaderInterface.cpp - The interface that headers declare -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Emit/HeaderInterface.h"
#include "compiler/Emit/Identifiers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
struct ElementType {
  StringLiteral c, enumerator, name;
};
} // namespace

/// The element types in the order of xfrt_dtype.
static constexpr ElementType elementTypes[] = {
    {"float", "XFRT_F32", "f32"},      {"double", "XFRT_F64", "f64"},  {"uint16_t", "XFRT_F16", "f16"},
    {"uint16_t", "XFRT_BF16", "bf16"}, {"int32_t", "XFRT_I32", "i32"}, {"int64_t", "XFRT_I64", "i64"},
    {"uint8_t", "XFRT_BOOL", "i1"},
};

StringRef xf::cElementType(xfrt_dtype dtype) { return elementTypes[dtype].c; }
StringRef xf::dtypeEnumerator(xfrt_dtype dtype) { return elementTypes[dtype].enumerator; }

std::string HeaderEntry::size(const HostTable::Dim &dim) const {
  return dim.symbol < 0 ? std::to_string(dim.size) : sizes[dim.symbol];
}

std::string xf::shapeText(const HeaderEntry &entry, const HostTable::Tensor &tensor) {
  std::string text = elementTypes[tensor.dtype].name.str();
  if (tensor.dims.empty())
    return text;
  auto sizes = llvm::map_range(tensor.dims, [&](const HostTable::Dim &dim) { return entry.size(dim); });
  return text + "[" + llvm::join(sizes, ", ") + "]";
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Returns the name of the C parameter for the value of a symbol. A declared name stays as it is. "q.2", which stands
/// for dimension 2 of q, becomes q_dim2.
static std::string parameterName(StringRef symbol) {
  auto [tensor, dimension] = symbol.rsplit('.');
  bool isDimension = !dimension.empty() && llvm::all_of(dimension, llvm::isDigit);
  return isDimension ? (tensor + "_dim" + dimension).str() : symbol.str();
}

static void describeTensors(HeaderEntry &entry, IdentifierScope &scope) {
  llvm::SmallBitVector written(entry.table->arguments.size());
  for (const HostTable::Tensor &result : entry.table->results)
    if (result.updates >= 0)
      written.set(result.updates);
  for (auto [number, tensor] : llvm::enumerate(entry.table->arguments)) {
    HeaderTensor argument{&tensor, "", false, written[number]};
    argument.byValue = tensor.dims.empty() && !argument.isStored() && !argument.isWritten;
    if (!argument.isStored())
      argument.identifier = scope.add(tensor.name);
    entry.arguments.push_back(argument);
  }
  for (const HostTable::Tensor &tensor : entry.table->results)
    entry.results.push_back({&tensor, tensor.updates < 0 ? scope.add(tensor.name) : ""});
}

HeaderModel xf::describeHeader(const ModelTables &tables) {
  std::string count = tables.symbol + "_entry_count";
  IdentifierScope file({count}), space({"Model", "load", "save", "context", "parameters", "parameter", "check"}),
      global;
  HeaderModel model;
  model.space = global.add(tables.name);
  for (const HostTable &table : tables.entries) {
    HeaderEntry &entry = model.entries.emplace_back();
    entry.table = &table;
    entry.function = file.add(tables.name + "_" + table.name);
    entry.method = space.add(table.name);
  }
  for (HeaderEntry &entry : model.entries) {
    entry.number = file.add(tables.name + "_entry_" + entry.table->name);
    entry.inputsName = space.add(entry.table->name + "_inputs");
    entry.outputsName = space.add(entry.table->name + "_outputs");
    IdentifierScope scope(
        {"context", "parameters", "shapes", "arguments", "results", "status", entry.number, entry.function});
    auto derivedText = [&](const SizeExpression &size) {
      return size.text([&](const std::string &name) { return entry.sizes[entry.table->symbolOfName.at(name)]; });
    };
    for (auto [number, symbol] : llvm::enumerate(entry.table->symbols))
      entry.sizes.push_back(symbol.value                ? derivedText(*symbol.value)
                            : entry.isGivenSize(number) ? scope.add(parameterName(symbol.name))
                                                        : std::to_string(symbol.min));
    describeTensors(entry, scope);
  }
  return model;
}

//===- HeaderC.cpp - The C99 part of the header ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the C part of a header: one function per entry, e.g. for @train of the model gpt2:
//
//   static inline xfrt_status gpt2_train(xfrt_context *context, xfrt_parameters *parameters, const int32_t *tokens,
//                                        float learning_rate, float *loss) { .. }
//
//===----------------------------------------------------------------------===//

#include "compiler/Emit/HeaderInterface.h"
#include "compiler/Emit/Identifiers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Comments
//===----------------------------------------------------------------------===//

static void writeTensorLine(const HeaderEntry &entry, const HeaderTensor &tensor, StringRef role, raw_ostream &os) {
  std::string name = cCommentText(tensor.tensor->name);
  os << "///   " << role << " " << (tensor.isGiven() ? StringRef(tensor.identifier) : StringRef(name));
  os << ": " << shapeText(entry, *tensor.tensor);
  if (tensor.isGiven() && name != tensor.identifier)
    os << ", named \"" << name << "\"";
  if (tensor.tensor->range)
    os << ", elements in [" << tensor.tensor->range->first << ", " << tensor.tensor->range->second << "]";
  if (tensor.isWritten)
    os << ", updated in place";
  os << "\n";
}

static void writeComment(const HeaderEntry &entry, raw_ostream &os) {
  const HostTable &table = *entry.table;
  os << "/// \"" << cCommentText(table.name) << "\": " << table.launches.size() << " launches";
  if (!table.copies.empty())
    os << ", " << table.copies.size() << " copies";
  if (!table.collectives.empty())
    os << ", " << table.collectives.size() << " collectives of ranks";
  os << "; ";
  if (table.prepare.empty())
    os << "an arena of " << *table.frame[table.arenaBytes] << " bytes, ";
  os << table.scratchBytes << " bytes for each thread.\n";
  for (auto [number, symbol] : llvm::enumerate(table.symbols))
    if (entry.isGivenSize(number))
      os << "///   size " << entry.sizes[number] << ": " << symbol.min << " to " << symbol.max << "\n";
  for (const HeaderTensor &argument : entry.arguments)
    writeTensorLine(entry, argument,
                    argument.isStored() ? (argument.tensor->role == XFRT_STATE ? "state" : "parameter") : "input", os);
  for (const HeaderTensor &result : entry.results)
    if (result.isGiven())
      writeTensorLine(entry, result, "result", os);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static std::string parameterList(const HeaderEntry &entry) {
  SmallVector<std::string> list = {"xfrt_context *context"};
  if (entry.usesStore())
    list.push_back("xfrt_parameters *parameters");
  for (auto [number, size] : llvm::enumerate(entry.sizes))
    if (entry.isGivenSize(number))
      list.push_back("int64_t " + size);
  for (const HeaderTensor &argument : entry.arguments)
    if (argument.isGiven())
      list.push_back(((argument.byValue || argument.isWritten ? "" : "const ") + cElementType(argument.tensor->dtype) +
                      (argument.byValue ? " " : " *") + argument.identifier)
                         .str());
  for (const HeaderTensor &result : entry.results)
    if (result.isGiven())
      list.push_back((cElementType(result.tensor->dtype) + " *" + result.identifier).str());
  return llvm::join(list, ", ");
}

/// Writes the C array `name`, with an xfrt_buffer for each of `tensors`. The sizes of the tensors are in the C array
/// `shapes`, from index `position` on. Advances `position` past them.
static void writeBuffers(StringRef name, ArrayRef<HeaderTensor> tensors, bool isConst, size_t &position,
                         raw_ostream &os) {
  if (tensors.empty())
    return;
  os << "  " << (isConst ? "const " : "") << "xfrt_buffer " << name << "[] = {\n";
  for (const HeaderTensor &tensor : tensors) {
    size_t rank = tensor.tensor->dims.size();
    std::string data = tensor.isGiven() ? (tensor.byValue ? "(void *)&" : "(void *)") + tensor.identifier : "NULL";
    os << "      {" << data << ", " << dtypeEnumerator(tensor.tensor->dtype) << ", " << rank << ", "
       << (rank ? "shapes + " + std::to_string(position) : "NULL") << ", NULL, XFRT_CPU},\n";
    position += rank;
  }
  os << "  };\n";
}

static void writeShapes(const HeaderEntry &entry, raw_ostream &os) {
  SmallVector<std::string> sizes;
  for (const auto *tensors : {&entry.arguments, &entry.results})
    for (const HeaderTensor &tensor : *tensors)
      for (const HostTable::Dim &dim : tensor.tensor->dims)
        sizes.push_back(entry.size(dim));
  if (!sizes.empty())
    os << "  const int64_t shapes[] = {" << llvm::join(sizes, ", ") << "};\n";
}

static void writeFunction(const HeaderEntry &entry, raw_ostream &os) {
  os << "static inline xfrt_status " << entry.function << "(" << parameterList(entry) << ") {\n";
  writeShapes(entry, os);
  size_t position = 0, argumentCount = entry.arguments.size(), resultCount = entry.results.size();
  writeBuffers("arguments", entry.arguments, !entry.usesStore(), position, os);
  writeBuffers("results", entry.results, true, position, os);
  if (entry.usesStore())
    os << "  const xfrt_status status = xfrt_parameters_bind(parameters, " << entry.number << ", arguments, "
       << argumentCount << ");\n  if (status != XFRT_OK)\n    return status;\n";
  os << "  return xfrt_call(context, " << entry.number << ", " << (argumentCount ? "arguments, " : "NULL, ")
     << argumentCount << ", " << (resultCount ? "results, " : "NULL, ") << resultCount << ");\n}\n\n";
}

void xf::writeCHeader(const ModelTables &tables, const HeaderModel &model, raw_ostream &os) {
  os << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  os << "/// For xfrt_create and xfrt_parameters_create.\nextern const xfrt_model xfrt_model_" << tables.symbol
     << ";\n\n";
  os << "/// Numbers of the entries, for the functions of xfrt/xfrt.h.\nenum {\n";
  for (auto [number, entry] : llvm::enumerate(model.entries))
    os << "  " << entry.number << " = " << number << ",\n";
  os << "  " << tables.symbol << "_entry_count = " << model.entries.size() << "\n};\n\n";
  for (const HeaderEntry &entry : model.entries) {
    writeComment(entry, os);
    writeFunction(entry, os);
  }
  os << "#ifdef __cplusplus\n} // extern \"C\"\n#endif\n";
}

//===- HeaderCxx.cpp - The C++17 part of the header -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the C++ part of a header. Each entry gets a structure of inputs, a structure of outputs, constants that
// describe its tensors, and a method of class Model:
//
//   namespace gpt2 {
//   struct train_inputs { const int32_t *tokens = nullptr; float learning_rate = 0; };
//   class Model : public xfrt::Instance { public: float train(const train_inputs &inputs) { .. } };
//   }
//
// A method returns the entry's only scalar result. It writes all other results where the structure of outputs points.
//
//===----------------------------------------------------------------------===//

#include "compiler/Emit/HeaderInterface.h"
#include "compiler/Emit/Identifiers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::xf;

/// The largest number of characters that one string literal gets. C++ guarantees 65536 bytes, and compilers warn about
/// longer literals.
static constexpr size_t longestLiteral = 4000;

//===----------------------------------------------------------------------===//
// Structures
//===----------------------------------------------------------------------===//

/// Returns the result that the entry's C++ method returns by value: the scalar result, if there is exactly one. Returns
/// null otherwise.
static const HeaderTensor *returned(const HeaderEntry &entry) {
  const HeaderTensor *scalar = nullptr;
  for (const HeaderTensor &result : entry.results) {
    if (!result.isGiven() || !result.tensor->dims.empty())
      continue;
    if (scalar)
      return nullptr;
    scalar = &result;
  }
  return scalar;
}

static bool hasInputs(const HeaderEntry &entry) {
  auto isGiven = [](const HeaderTensor &tensor) { return tensor.isGiven(); };
  bool hasSizes = llvm::any_of(llvm::seq<size_t>(entry.sizes.size()), [&](size_t n) { return entry.isGivenSize(n); });
  return hasSizes || llvm::any_of(entry.arguments, isGiven);
}

static bool hasOutputs(const HeaderEntry &entry) {
  const HeaderTensor *scalar = returned(entry);
  return llvm::any_of(entry.results, [&](const HeaderTensor &r) { return r.isGiven() && &r != scalar; });
}

static void writeStructures(const HeaderEntry &entry, raw_ostream &os) {
  if (hasInputs(entry)) {
    os << "struct " << entry.inputsName << " {\n";
    for (auto [number, size] : llvm::enumerate(entry.sizes))
      if (entry.isGivenSize(number))
        os << "  int64_t " << size << " = 0;\n";
    for (const HeaderTensor &argument : entry.arguments)
      if (argument.isGiven())
        os << "  " << (argument.byValue || argument.isWritten ? "" : "const ") << cElementType(argument.tensor->dtype)
           << (argument.byValue ? " " : " *") << argument.identifier << (argument.byValue ? " = 0" : " = nullptr")
           << "; ///< " << shapeText(entry, *argument.tensor) << "\n";
    os << "};\n\n";
  }
  if (!hasOutputs(entry))
    return;
  os << "struct " << entry.outputsName << " {\n";
  for (const HeaderTensor &result : entry.results)
    if (result.isGiven() && &result != returned(entry))
      os << "  " << cElementType(result.tensor->dtype) << " *" << result.identifier << " = nullptr; ///< "
         << shapeText(entry, *result.tensor) << "\n";
  os << "};\n\n";
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Returns a C++ expression whose value is `name`. If the name is too long for one literal, first writes it to `os` as
/// the array `variable`_name, and returns the name of this array.
static std::string nameExpression(StringRef name, const std::string &variable, raw_ostream &os) {
  if (name.size() <= longestLiteral / 4)
    return cStringLiteral(name);
  os << "inline constexpr char " << variable << "_name[] = {";
  for (char c : name)
    os << llvm::format("'\\%03o',", static_cast<unsigned char>(c));
  os << "0};\n";
  return variable + "_name";
}

static void writeSpecs(const HeaderEntry &entry, StringRef kind, ArrayRef<HeaderTensor> tensors, raw_ostream &os) {
  if (tensors.empty())
    return;
  static constexpr StringLiteral roles[] = {"XFRT_INPUT", "XFRT_PARAMETER", "XFRT_STATE"};
  std::string array = entry.method + "_" + kind.str();
  SmallVector<std::string> rows;
  for (auto [number, tensor] : llvm::enumerate(tensors)) {
    std::string variable = array + "_" + std::to_string(number), shape = "nullptr";
    if (ArrayRef<HostTable::Dim> dims = tensor.tensor->dims; !dims.empty()) {
      auto sizes = llvm::map_range(dims, [](auto &dim) { return std::to_string(dim.symbol < 0 ? dim.size : -1); });
      shape = variable + "_shape";
      os << "inline constexpr int64_t " << shape << "[] = {" << llvm::join(sizes, ", ") << "};\n";
    }
    std::string name = nameExpression(tensor.tensor->name, variable, os);
    rows.push_back("{" + name + ", " + dtypeEnumerator(tensor.tensor->dtype).str() + ", " +
                   roles[tensor.tensor->role].str() + ", " + std::to_string(tensor.tensor->dims.size()) + ", " + shape +
                   "}");
  }
  os << "inline constexpr xfrt::TensorSpec " << array << "[] = {\n    " << llvm::join(rows, ",\n    ") << "};\n";
}

static void writeConstants(const HeaderEntry &entry, raw_ostream &os) {
  writeSpecs(entry, "arguments", entry.arguments, os);
  writeSpecs(entry, "results", entry.results, os);
  if (entry.table->prepare.empty())
    os << "inline constexpr int64_t " << entry.method
       << "_arena_bytes = " << *entry.table->frame[entry.table->arenaBytes] << ";\n";
  os << "\n";
}

//===----------------------------------------------------------------------===//
// The class
//===----------------------------------------------------------------------===//

static void writeMethod(const HeaderEntry &entry, raw_ostream &os) {
  const HeaderTensor *scalar = returned(entry);
  SmallVector<std::string> parameters, actuals = {"context()"};
  if (hasInputs(entry))
    parameters.push_back("const " + entry.inputsName + " &inputs");
  if (hasOutputs(entry))
    parameters.push_back("const " + entry.outputsName + " &outputs");
  if (entry.usesStore())
    actuals.push_back("parameters()");
  for (auto [number, size] : llvm::enumerate(entry.sizes))
    if (entry.isGivenSize(number))
      actuals.push_back("inputs." + size);
  for (const HeaderTensor &argument : entry.arguments)
    if (argument.isGiven())
      actuals.push_back("inputs." + argument.identifier);
  for (const HeaderTensor &result : entry.results)
    if (result.isGiven())
      actuals.push_back(&result == scalar ? "&scalar" : "outputs." + result.identifier);
  os << "  " << (scalar ? cElementType(scalar->tensor->dtype) : "void") << " " << entry.method << "("
     << llvm::join(parameters, ", ") << ") {\n";
  if (scalar)
    os << "    " << cElementType(scalar->tensor->dtype) << " scalar = 0;\n";
  os << "    check(" << entry.function << "(" << llvm::join(actuals, ", ") << "));\n";
  if (scalar)
    os << "    return scalar;\n";
  os << "  }\n";
}

void xf::writeCxxHeader(const ModelTables &tables, const HeaderModel &model, raw_ostream &os) {
  os << "#ifdef __cplusplus\n#include <xfrt/xfrt.hpp>\n\nnamespace " << model.space << " {\n\n";
  for (const HeaderEntry &entry : model.entries) {
    writeConstants(entry, os);
    writeStructures(entry, os);
  }
  os << "/// The model with its threads, workspace and parameters. Methods throw xfrt::Error.\n";
  os << "class Model : public xfrt::Instance {\npublic:\n";
  os << "  explicit Model(const xfrt_options &options = xfrt_options()) : Instance(xfrt_model_" << tables.symbol
     << ", options) {}\n\n";
  for (const HeaderEntry &entry : model.entries)
    writeMethod(entry, os);
  os << "};\n\n} // namespace " << model.space << "\n#endif\n";
}

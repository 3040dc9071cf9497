//===- ModelTables.cpp - The object's read-only tables -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structures of xfrt/model.h as constants of an LLVM module; field by field in the order of that header.
//
//===----------------------------------------------------------------------===//

#include "compiler/Emit/ModelTables.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"

using namespace mlir;
using namespace mlir::xf;

static std::string modelSymbol(const ModelTables &tables) { return "xfrt_model_" + tables.symbol; }

namespace {
class TableEmitter {
public:
  explicit TableEmitter(llvm::Module &module) : module(module), context(module.getContext()) {}

  llvm::Constant *entry(const HostTable &table);
  /// The name is empty for a model that others point to.
  llvm::Constant *model(const ModelTables &tables, StringRef name, llvm::Constant *next);
  llvm::Constant *null() { return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context)); }

private:
  llvm::Constant *i32(int64_t value) { return llvm::ConstantInt::getSigned(llvm::Type::getInt32Ty(context), value); }
  llvm::Constant *i64(int64_t value) { return llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(context), value); }
  llvm::Constant *real(double value) { return llvm::ConstantFP::get(llvm::Type::getDoubleTy(context), value); }
  llvm::Constant *fields(ArrayRef<llvm::Constant *> values) { return llvm::ConstantStruct::getAnon(context, values); }
  /// A private constant array; null where it is empty.
  llvm::Constant *array(ArrayRef<llvm::Constant *> elements);
  llvm::Constant *string(StringRef text);
  /// 64-byte aligned; equal ones are stored once.
  llvm::Constant *constants(StringRef bytes);
  llvm::Constant *tensors(ArrayRef<HostTable::Tensor> tensors);
  llvm::Constant *launches(const HostTable &table);
  llvm::Constant *maps(const HostTable &table);
  llvm::Constant *images(ArrayRef<Image> images);
  llvm::Constant *frame(const HostTable &table);
  llvm::GlobalVariable *global(llvm::Constant *value, const llvm::Twine &name, llvm::GlobalValue::LinkageTypes linkage);

  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::StringMap<llvm::Constant *> strings;
  SmallVector<std::pair<StringRef, llvm::Constant *>> blobs;
};
} // namespace

llvm::GlobalVariable *TableEmitter::global(llvm::Constant *value, const llvm::Twine &name, llvm::GlobalValue::LinkageTypes linkage) {
  return new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true, linkage, value, name);
}

llvm::Constant *TableEmitter::array(ArrayRef<llvm::Constant *> elements) {
  if (elements.empty())
    return null();
  auto *type = llvm::ArrayType::get(elements.front()->getType(), elements.size());
  return global(llvm::ConstantArray::get(type, elements), "", llvm::GlobalValue::PrivateLinkage);
}

llvm::Constant *TableEmitter::string(StringRef text) {
  llvm::Constant *&cached = strings[text];
  if (!cached)
    cached = global(llvm::ConstantDataArray::getString(context, text), "", llvm::GlobalValue::PrivateLinkage);
  return cached;
}

llvm::Constant *TableEmitter::tensors(ArrayRef<HostTable::Tensor> tensors) {
  SmallVector<llvm::Constant *> rows;
  for (const HostTable::Tensor &tensor : tensors) {
    SmallVector<llvm::Constant *> dims;
    for (const HostTable::Dim &dim : tensor.dims)
      dims.push_back(fields({i64(dim.size), i32(dim.symbol)}));
    auto range = tensor.range.value_or(std::pair<int64_t, int64_t>(0, 0));
    auto limit = tensor.limit.value_or(std::pair<int32_t, int64_t>(0, 0));
    int32_t checked = (tensor.range ? XFRT_IN_RANGE : 0) | (tensor.isOrdered ? XFRT_ORDERED : 0) |
                      (tensor.limit ? XFRT_LIMITED : 0);
    rows.push_back(fields({string(tensor.name), i32(tensor.dtype), i32(tensor.dims.size()), array(dims), i32(tensor.role),
                           i32(tensor.updates), i32(checked), i64(range.first), i64(range.second), i32(limit.first), i64(limit.second)}));
  }
  return array(rows);
}

llvm::Constant *TableEmitter::launches(const HostTable &table) {
  SmallVector<llvm::Constant *> rows;
  for (const HostTable::Launch &launch : table.launches)
    rows.push_back(fields({launch.threads ? null() : module.getFunction(launch.kernel), string(launch.kernel), i32(launch.grid), i32(launch.firstOperand),
                           i32(launch.operandCount), i32(launch.firstScalar), i32(launch.scalarCount), i32(launch.when), i32(launch.held),
                           i32(launch.threads), i32(launch.sharedBytes), i32(launch.blocksPerProcessor), i32(launch.firstMap),
                           i32(launch.mapCount)}));
  return array(rows);
}

llvm::Constant *TableEmitter::frame(const HostTable &table) {
  if (!table.prepare.empty())
    return null();
  SmallVector<llvm::Constant *> slots;
  for (std::optional<int64_t> slot : table.frame)
    slots.push_back(i64(*slot));
  return array(slots);
}

llvm::Constant *TableEmitter::maps(const HostTable &table) {
  constexpr size_t mostDimensions = 5;
  constexpr int32_t swizzleBytes = 128;
  SmallVector<llvm::Constant *> rows;
  for (const HostTable::TensorMap &map : table.maps) {
    auto padded = [&](auto numbers) {
      SmallVector<llvm::Constant *> entries;
      for (size_t n = 0; n < mostDimensions; ++n)
        entries.push_back(i32(n < numbers.size() ? numbers[n] : 0));
      return llvm::ConstantArray::get(llvm::ArrayType::get(entries[0]->getType(), mostDimensions), entries);
    };
    rows.push_back(fields({i32(map.operand), i32(map.dtype), i32(map.box.size()), padded(map.sizes), padded(map.strides),
                           padded(map.box), i32(swizzleBytes)}));
  }
  return rows.empty() ? null() : array(rows);
}

llvm::Constant *TableEmitter::entry(const HostTable &table) {
  SmallVector<llvm::Constant *> symbols, operands, scalars;
  for (const HostTable::Symbol &symbol : table.symbols)
    symbols.push_back(fields({string(symbol.name), i64(symbol.min), i64(symbol.max)}));
  for (const HostTable::Operand &operand : table.operands)
    operands.push_back(fields({i32(operand.space), i32(operand.index), i32(operand.offset)}));
  for (int32_t scalar : table.scalars)
    scalars.push_back(i32(scalar));
  llvm::Constant *prepare = table.prepare.empty() ? null() : module.getFunction(table.prepare);
  return fields({string(table.name), i32(table.arguments.size()), i32(table.results.size()), tensors(table.arguments),
                 tensors(table.results), i32(symbols.size()), array(symbols), i32(table.frame.size()), frame(table), prepare,
                 i32(table.arenaBytes), i32(table.launches.size()), launches(table), array(operands), array(scalars),
                 i64(table.scratchBytes), real(table.flop), real(table.pairs), real(table.executedPairs),
                 maps(table)});
}

llvm::Constant *TableEmitter::constants(StringRef bytes) {
  if (bytes.empty())
    return null();
  for (auto [known, constant] : blobs)
    if (known == bytes)
      return constant;
  auto *data = llvm::ConstantDataArray::getString(context, bytes, /*AddNull=*/false);
  llvm::GlobalVariable *variable = global(data, "", llvm::GlobalValue::PrivateLinkage);
  variable->setAlignment(llvm::Align(64));
  blobs.push_back({bytes, variable});
  return variable;
}

llvm::Constant *TableEmitter::images(ArrayRef<Image> images) {
  SmallVector<llvm::Constant *> rows;
  for (const Image &image : images) {
    bool isText = image.kind == XFRT_PTX; // whose NUL counts
    rows.push_back(fields({string(image.architecture), i32(image.kind),
                           isText ? string(image.bytes) : constants(image.bytes),
                           i64(image.bytes.size() + isText)}));
  }
  return array(rows);
}

llvm::Constant *TableEmitter::model(const ModelTables &tables, StringRef name, llvm::Constant *next) {
  SmallVector<llvm::Constant *> entries;
  for (const HostTable &table : tables.entries)
    entries.push_back(entry(table));
  llvm::Constant *model = fields({i32(XFRT_ABI_VERSION), string(tables.name), string(tables.features), string(tables.contentHash),
                                  i32(entries.size()), array(entries), constants(tables.constants), i64(tables.constants.size()), i32(tables.heldCount),
                                  i64(tables.heldBytes), i32(tables.device), i32(tables.images.size()), images(tables.images), next});
  return global(model, name, name.empty() ? llvm::GlobalValue::PrivateLinkage : llvm::GlobalValue::ExternalLinkage);
}

void xf::emitModelTables(ArrayRef<ModelTables> variants, llvm::Module &module) {
  TableEmitter emitter(module);
  llvm::Constant *next = emitter.null();
  for (const ModelTables &tables : llvm::reverse(variants.drop_front()))
    next = emitter.model(tables, "", next);
  emitter.model(variants.front(), modelSymbol(variants.front()), next);
}

void xf::emitSharedModel(const ModelTables &tables, llvm::Module &module) {
  llvm::GlobalVariable *model = module.getNamedGlobal(modelSymbol(tables));
  new llvm::GlobalVariable(module, model->getType(), /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage, model,
                           "xfrt_shared_model");
}

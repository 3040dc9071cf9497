//===- ModelTables.cpp - The object's read-only tables --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the structures of xfrt/model.h as constants of an LLVM module, field by field in the order of that header. All
// rows of one kind, such as the launches of all entries, form one array. If rows of array A point to rows of array B, B
// is emitted before A, so that the addresses of its rows are known.
//
//===----------------------------------------------------------------------===//

#include "compiler/Emit/ModelTables.h"
#include "xfrt/checksum.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"

using namespace mlir;
using namespace mlir::xf;

static std::string modelSymbol(const ModelTables &tables) { return "xfrt_model_" + tables.symbol; }

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {
/// Builds the LLVM constants of C structures and arrays.
class ConstantBuilder {
public:
  explicit ConstantBuilder(llvm::Module &module) : module(module), context(module.getContext()) {}

  llvm::Constant *i32(int64_t value) { return llvm::ConstantInt::getSigned(llvm::Type::getInt32Ty(context), value); }
  llvm::Constant *i64(int64_t value) { return llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(context), value); }
  llvm::Constant *real(double value) { return llvm::ConstantFP::get(llvm::Type::getDoubleTy(context), value); }
  llvm::Constant *null() { return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context)); }
  llvm::Constant *fields(ArrayRef<llvm::Constant *> values) { return llvm::ConstantStruct::getAnon(context, values); }
  llvm::Constant *function(StringRef name) { return module.getFunction(name); }
  llvm::GlobalVariable *global(llvm::Constant *value, const llvm::Twine &name = "",
                               llvm::GlobalValue::LinkageTypes linkage = llvm::GlobalValue::PrivateLinkage) {
    return new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true, linkage, value, name);
  }
  /// Emits `bytes`, aligned to 64 bytes, and returns pointers to their begin and end. Emits equal bytes once. Returns
  /// null pointers if `bytes` is empty.
  std::pair<llvm::Constant *, llvm::Constant *> blob(StringRef bytes);
  llvm::Constant *byteAt(llvm::Constant *base, int64_t offset) {
    return llvm::ConstantExpr::getGetElementPtr(llvm::Type::getInt8Ty(context), base, i64(offset));
  }

private:
  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::StringMap<llvm::Constant *> blobs;
};

/// The array of all rows of one kind, such as tensors or launches. All entries first add their rows, then `place` emits
/// the array, and then `take` returns the addresses of the rows in the same order.
class Table {
public:
  explicit Table(ConstantBuilder &b) : b(b) {}

  void add(llvm::Constant *row) { rows.push_back(row); }
  /// Emits the array. No rows may be added afterwards.
  void place() {
    if (!rows.empty())
      begin = b.global(llvm::ConstantArray::get(llvm::ArrayType::get(rows.front()->getType(), rows.size()), rows));
  }
  /// Returns the address of the next `count` rows and moves past them. Returns null if `count` is 0.
  llvm::Constant *take(size_t count) {
    size_t first = taken;
    taken += count;
    return count ? at(first) : b.null();
  }
  /// Appends pointers to the begin and end of the array, which are fields of xfrt_tables.
  void bounds(SmallVectorImpl<llvm::Constant *> &fields) {
    fields.push_back(rows.empty() ? b.null() : at(0));
    fields.push_back(rows.empty() ? b.null() : at(rows.size()));
  }
  ArrayRef<llvm::Constant *> all() const { return rows; }

private:
  llvm::Constant *at(size_t row) {
    return llvm::ConstantExpr::getGetElementPtr(rows.front()->getType(), begin, b.i64(row));
  }

  ConstantBuilder &b;
  SmallVector<llvm::Constant *> rows;
  llvm::Constant *begin = nullptr;
  size_t taken = 0;
};

/// The table of names, which stores each name once. All names must be collected before the address of one is taken.
class Strings {
public:
  explicit Strings(ConstantBuilder &b) : b(b) {}

  void collect(const ModelTables &tables) {
    for (StringRef text : {StringRef(tables.name), StringRef(tables.features), StringRef(tables.contentHash)})
      add(text);
    for (const Image &image : tables.images)
      add(image.architecture);
    for (const HostTable &entry : tables.entries) {
      add(entry.name);
      for (auto *tensors : {&entry.arguments, &entry.results})
        for (const HostTable::Tensor &tensor : *tensors)
          add(tensor.name);
      for (const HostTable::Symbol &symbol : entry.symbols)
        add(symbol.name);
      for (const HostTable::Launch &launch : entry.launches)
        add(launch.kernel);
      for (const HostTable::Step &step : entry.steps)
        add(step.source);
    }
    for (const auto &[name, ranks] : tables.axes)
      add(name);
    bounds = b.blob(bytes);
  }
  llvm::Constant *operator()(StringRef text) { return b.byteAt(bounds.first, offsets.at(text)); }

  std::string bytes;
  std::pair<llvm::Constant *, llvm::Constant *> bounds;

private:
  void add(StringRef text) {
    if (offsets.try_emplace(text, bytes.size()).second)
      bytes.append(text.begin(), text.end()).push_back(0);
  }

  ConstantBuilder &b;
  llvm::StringMap<int64_t> offsets;
};

/// Bytes of the object, and pointers to their begin and end.
struct Blob {
  std::string bytes;
  std::pair<llvm::Constant *, llvm::Constant *> bounds;
};

/// Emits the structures of one variant of a model.
class ModelEmitter {
public:
  ModelEmitter(ConstantBuilder &b, const ModelTables &tables) : b(b), tables(tables) {}

  llvm::Constant *emit(StringRef name, llvm::Constant *next);

private:
  void addLeaves(const HostTable &entry);
  void addCollectives(const HostTable &entry);
  int64_t addPlan(ArrayRef<int64_t> plan);
  void addShards(ArrayRef<HostTable::Tensor> tensors);
  void addTensors(ArrayRef<HostTable::Tensor> tensors);
  void addLaunches(const HostTable &entry);
  void addEntry(const HostTable &entry);
  void addImages();
  llvm::Constant *bounds();
  uint64_t checksum(uint64_t dataSum) const;
  uint64_t dataChecksum() const;

  ConstantBuilder &b;
  const ModelTables &tables;
  Strings strings{b};
  Table entries{b}, tensors{b}, dims{b}, symbols{b}, frames{b}, steps{b}, launches{b}, copies{b}, operands{b},
      scalars{b}, maps{b}, images{b}, work{b}, axes{b}, collectives{b}, shards{b}, plans{b};
  std::map<SmallVector<int64_t>, int64_t> placeOfPlan; ///< the index in `plans` at which each plan begins
  int64_t described = 0;                               ///< the number of tensors whose shards are added
  /// The tables in the order of the fields of xfrt_tables. The checksum adds the tables in the same order.
  std::array<Table *, 12> allTables = {&entries,  &tensors, &dims,     &symbols, &frames, &steps,
                                       &launches, &copies,  &operands, &scalars, &maps,   &images};
  Blob code; ///< the data of images
  std::pair<llvm::Constant *, llvm::Constant *> constantBounds;
};
} // namespace

std::pair<llvm::Constant *, llvm::Constant *> ConstantBuilder::blob(StringRef bytes) {
  if (bytes.empty())
    return {null(), null()};
  llvm::Constant *&known = blobs[bytes];
  if (!known) {
    llvm::GlobalVariable *made = global(llvm::ConstantDataArray::getString(context, bytes, /*AddNull=*/false));
    made->setAlignment(llvm::Align(64));
    known = made;
  }
  return {known, byteAt(known, bytes.size())};
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Adds those rows of an entry that hold no addresses except addresses of names.
void ModelEmitter::addLeaves(const HostTable &entry) {
  constexpr size_t mostDimensions = 5;
  constexpr int32_t swizzleBytes = 128;
  for (auto *described : {&entry.arguments, &entry.results})
    for (const HostTable::Tensor &tensor : *described)
      for (const HostTable::Dim &dim : tensor.dims)
        dims.add(b.fields({b.i64(dim.size), b.i32(dim.symbol)}));
  for (const HostTable::Symbol &symbol : entry.symbols)
    symbols.add(b.fields({strings(symbol.name), b.i64(symbol.min), b.i64(symbol.max)}));
  if (entry.prepare.empty())
    for (std::optional<int64_t> slot : entry.frame)
      frames.add(b.i64(*slot));
  for (const HostTable::Step &step : entry.steps) {
    // Collectives of all entries are one table, in which steps count.
    bool isCollective = step.kind == XFRT_COLLECTIVE || step.kind == XFRT_WAIT;
    int64_t index = step.index + (isCollective ? collectives.all().size() : 0);
    steps.add(b.fields({b.i32(step.kind), b.i32(index), b.i32(step.when), b.i32(step.held)}));
    work.add(b.fields({strings(step.source), b.real(step.flop), b.real(step.bytes)}));
  }
  for (const HostTable::Copy &copy : entry.copies)
    copies.add(b.fields({b.i32(copy.from), b.i32(copy.to), b.i32(copy.bytes)}));
  for (const HostTable::Operand &operand : entry.operands)
    operands.add(b.fields({b.i32(operand.space), b.i32(operand.index), b.i32(operand.offset)}));
  for (int32_t scalar : entry.scalars)
    scalars.add(b.i32(scalar));
  for (const HostTable::TensorMap &map : entry.maps) {
    auto padded = [&](auto numbers) {
      SmallVector<llvm::Constant *> slots;
      for (size_t n = 0; n < mostDimensions; ++n)
        slots.push_back(b.i32(n < numbers.size() ? numbers[n] : 0));
      return llvm::ConstantArray::get(llvm::ArrayType::get(slots[0]->getType(), mostDimensions), slots);
    };
    maps.add(b.fields({b.i32(map.operand), b.i32(map.dtype), b.i32(map.box.size()), padded(map.sizes),
                       padded(map.strides), padded(map.box), b.i32(swizzleBytes)}));
  }
}

/// Adds the numbers of a plan to the table `plans`, unless the table already has an equal plan. Returns the index of
/// the plan's first number in the table. Returns 0 for an empty plan.
int64_t ModelEmitter::addPlan(ArrayRef<int64_t> plan) {
  if (plan.empty())
    return 0;
  auto [found, isNew] = placeOfPlan.try_emplace(SmallVector<int64_t>(plan), plans.all().size());
  for (int64_t number : isNew ? plan : ArrayRef<int64_t>())
    plans.add(b.i64(number));
  return found->second;
}

void ModelEmitter::addCollectives(const HostTable &entry) {
  for (const HostTable::Collective &row : entry.collectives) {
    int32_t bits = 0;
    for (auto [number, axis] : llvm::enumerate(tables.axes))
      bits |= llvm::is_contained(row.axes, axis.first) << number;
    collectives.add(
        b.fields({b.i32(row.kind), b.i32(bits), b.i32(row.dtype), b.i32(row.send), b.i32(row.receive),
                  b.i32(row.sendRuns), b.i32(row.sendBytes), b.i32(row.receiveRuns), b.i32(row.receiveBytes),
                  b.i32(row.queries), b.i32(row.keys), b.i32(addPlan(row.plan)), b.i32(row.querySegments),
                  b.i32(row.keySegments), b.i32(row.segmentLists), b.i32(row.segmentType)}));
  }
}

/// Adds a row for each shard of the tensors `next`, the arguments or results that follow the tensors of earlier calls.
/// In a program for one rank, tensors have no shards.
void ModelEmitter::addShards(ArrayRef<HostTable::Tensor> next) {
  for (const HostTable::Tensor &tensor : next) {
    for (const auto &[dimension, name] : tensor.shards)
      for (auto [number, axis] : llvm::enumerate(tables.axes))
        if (axis.first == name)
          shards.add(b.fields({b.i32(described), b.i32(dimension), b.i32(number)}));
    ++described;
  }
}

void ModelEmitter::addTensors(ArrayRef<HostTable::Tensor> described) {
  for (const HostTable::Tensor &tensor : described) {
    auto range = tensor.range.value_or(std::pair<int64_t, int64_t>(0, 0));
    auto limit = tensor.limit.value_or(std::pair<int32_t, int64_t>(0, 0));
    int32_t checked = (tensor.range ? XFRT_IN_RANGE : 0) | (tensor.isOrdered ? XFRT_ORDERED : 0) |
                      (tensor.isMarked ? XFRT_MARKED : 0) | (tensor.isPlace ? XFRT_PLACE : 0) |
                      (tensor.limit ? (tensor.limitFalls ? XFRT_LEAVES_ROOM : XFRT_LIMITED) : 0);
    tensors.add(b.fields({strings(tensor.name), b.i32(tensor.dtype), b.i32(tensor.dims.size()),
                          dims.take(tensor.dims.size()), b.i32(tensor.role), b.i32(tensor.updates), b.i32(checked),
                          b.i64(range.first), b.i64(range.second), b.i32(limit.first), b.i64(limit.second)}));
  }
}

void ModelEmitter::addLaunches(const HostTable &entry) {
  for (const HostTable::Launch &launch : entry.launches)
    launches.add(
        b.fields({launch.threads ? b.null() : b.function(launch.kernel), strings(launch.kernel), b.i32(launch.grid),
                  b.i32(launch.firstOperand), b.i32(launch.operandCount), b.i32(launch.firstScalar),
                  b.i32(launch.scalarCount), b.i32(launch.threads), b.i32(launch.sharedBytes),
                  b.i32(launch.blocksPerProcessor), b.i32(launch.firstMap), b.i32(launch.mapCount)}));
}

void ModelEmitter::addEntry(const HostTable &entry) {
  bool isStatic = entry.prepare.empty();
  llvm::Constant *arguments = tensors.take(entry.arguments.size()), *results = tensors.take(entry.results.size());
  entries.add(b.fields({strings(entry.name),
                        b.i32(entry.arguments.size()),
                        b.i32(entry.results.size()),
                        arguments,
                        results,
                        b.i32(entry.symbols.size()),
                        symbols.take(entry.symbols.size()),
                        b.i32(entry.frame.size()),
                        frames.take(isStatic ? entry.frame.size() : 0),
                        isStatic ? b.null() : b.function(entry.prepare),
                        b.i32(entry.arenaBytes),
                        b.i32(entry.steps.size()),
                        steps.take(entry.steps.size()),
                        b.i32(entry.launches.size()),
                        launches.take(entry.launches.size()),
                        b.i32(entry.copies.size()),
                        copies.take(entry.copies.size()),
                        operands.take(entry.operands.size()),
                        scalars.take(entry.scalars.size()),
                        b.i64(entry.scratchBytes),
                        b.real(entry.flop),
                        b.real(entry.pairs),
                        b.real(entry.executedPairs),
                        maps.take(entry.maps.size()),
                        b.i32(llvm::count_if(entry.symbols, [](auto &symbol) { return symbol.value.has_value(); })),
                        entry.derive.empty() ? b.null() : b.function(entry.derive)}));
}

/// Collects the data of all images in one blob, in which each image is aligned to 64 bytes. Adds a row for each image.
void ModelEmitter::addImages() {
  SmallVector<std::pair<int64_t, int64_t>> places; // offset and bytes
  for (const Image &image : tables.images) {
    bool isText = image.kind == XFRT_PTX; // PTX is text: its NUL is part of the data
    code.bytes.resize(llvm::alignTo(code.bytes.size(), 64));
    places.push_back({code.bytes.size(), image.bytes.size() + isText});
    code.bytes.append(image.bytes).append(isText, '\0');
  }
  code.bounds = b.blob(code.bytes);
  for (auto [image, place] : llvm::zip(tables.images, places))
    images.add(b.fields({strings(image.architecture), b.i32(image.kind), b.byteAt(code.bounds.first, place.first),
                         b.i64(place.second)}));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Adds all numbers of `row` to the checksum `sum`, and returns the new checksum. Skips addresses, because the linker
/// sets them.
static uint64_t addNumbers(uint64_t sum, llvm::Constant *row) {
  if (auto *number = dyn_cast<llvm::ConstantInt>(row))
    return xfrt_checksum_number(sum, static_cast<uint64_t>(number->getSExtValue()));
  if (auto *number = dyn_cast<llvm::ConstantFP>(row))
    return xfrt_checksum_number(sum, number->getValueAPF().bitcastToAPInt().getZExtValue());
  if (row->getType()->isPointerTy())
    return sum;
  for (unsigned n = 0; llvm::Constant *field = row->getAggregateElement(n); ++n)
    sum = addNumbers(sum, field);
  return sum;
}

uint64_t ModelEmitter::checksum(uint64_t dataSum) const {
  uint64_t sum = XFRT_CHECKSUM_START;
  for (int64_t number : {int64_t(tables.entries.size()), int64_t(tables.constants.size()), int64_t(tables.heldCount),
                         tables.heldBytes, int64_t(tables.device), int64_t(tables.images.size()), int64_t(dataSum)})
    sum = xfrt_checksum_number(sum, static_cast<uint64_t>(number));
  for (const Table *table : allTables)
    for (llvm::Constant *row : table->all())
      sum = addNumbers(sum, row);
  sum = xfrt_checksum_bytes(sum, strings.bytes.data(), strings.bytes.size());
  for (const Table *table : {&work, &axes, &collectives, &shards, &plans})
    for (llvm::Constant *row : table->all())
      sum = addNumbers(sum, row);
  return xfrt_checksum_end(sum);
}

uint64_t ModelEmitter::dataChecksum() const {
  uint64_t sum = xfrt_checksum_bytes(XFRT_CHECKSUM_START, tables.constants.data(), tables.constants.size());
  return xfrt_checksum_end(xfrt_checksum_bytes(sum, code.bytes.data(), code.bytes.size()));
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

llvm::Constant *ModelEmitter::bounds() {
  SmallVector<llvm::Constant *> fields;
  for (Table *table : allTables)
    table->bounds(fields);
  for (auto &[begin, end] : {strings.bounds, constantBounds, code.bounds})
    fields.append({begin, end});
  for (Table *table : {&work, &axes, &collectives, &shards, &plans})
    table->bounds(fields);
  return b.global(b.fields(fields));
}

/// Emits one variant of the model, with a pointer to the variant `next`, which may be null. `name` is empty if the
/// variant is found only through the pointer of another variant.
llvm::Constant *ModelEmitter::emit(StringRef name, llvm::Constant *next) {
  strings.collect(tables);
  constantBounds = b.blob(tables.constants);
  addImages();
  for (const HostTable &entry : tables.entries) {
    addLeaves(entry);
    addCollectives(entry);
    addShards(entry.arguments);
    addShards(entry.results);
  }
  for (const auto &[axis, ranks] : tables.axes)
    axes.add(b.fields({strings(axis), b.i32(ranks)}));
  for (Table *table : {&dims, &symbols, &frames, &steps, &copies, &operands, &scalars, &maps, &images, &work, &axes,
                       &collectives, &shards, &plans})
    table->place();
  for (const HostTable &entry : tables.entries) {
    addTensors(entry.arguments);
    addTensors(entry.results);
    addLaunches(entry);
  }
  tensors.place();
  launches.place();
  for (const HostTable &entry : tables.entries)
    addEntry(entry);
  entries.place();
  uint64_t dataSum = dataChecksum();
  size_t entryCount = tables.entries.size(), imageCount = tables.images.size();
  llvm::Constant *model =
      b.fields({b.i32(XFRT_ABI_VERSION), strings(tables.name), strings(tables.features), strings(tables.contentHash),
                b.i32(entryCount), entries.take(entryCount), constantBounds.first, b.i64(tables.constants.size()),
                b.i32(tables.heldCount), b.i64(tables.heldBytes), b.i32(tables.device), b.i32(imageCount),
                images.take(imageCount), next, bounds(), b.i64(checksum(dataSum)), b.i64(dataSum)});
  if (name.empty())
    return b.global(model);
  llvm::GlobalVariable *made = b.global(model, name, llvm::GlobalValue::ExternalLinkage);
  // What is linked with this object means this model, whatever other libraries of the process call theirs.
  made->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return made;
}

void xf::emitModelTables(ArrayRef<ModelTables> variants, llvm::Module &module) {
  ConstantBuilder b(module);
  llvm::Constant *next = b.null();
  for (const ModelTables &tables : llvm::reverse(variants.drop_front()))
    next = ModelEmitter(b, tables).emit("", next);
  ModelEmitter(b, variants.front()).emit(modelSymbol(variants.front()), next);
}

void xf::emitSharedModel(const ModelTables &tables, llvm::Module &module) {
  llvm::GlobalVariable *model = module.getNamedGlobal(modelSymbol(tables));
  // The loader may take another library's symbol of this name; a name that no other library sees is the library's own.
  model->setName("");
  model->setVisibility(llvm::GlobalValue::DefaultVisibility);
  model->setLinkage(llvm::GlobalValue::PrivateLinkage);
  llvm::GlobalAlias::create(model->getValueType(), 0, llvm::GlobalValue::ExternalLinkage, modelSymbol(tables), model,
                            &module);
  new llvm::GlobalVariable(module, model->getType(), /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage, model,
                           "xfrt_shared_model");
}

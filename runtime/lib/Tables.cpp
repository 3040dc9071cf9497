//===- Tables.cpp - Verification of the tables ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies the tables of a model. The checksum comes first. Computing it uses only the addresses of the tables and no
// number in them. If the checksum is right but a row lies outside its table, the program that wrote the tables has made
// a mistake.
//
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include "xfrt/checksum.h"

#include <inttypes.h>
#include <string.h>

using namespace xfrt;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

namespace {
class Sum {
public:
  /// Extends the checksum by the numbers of a table row, in the order of its fields. Callers omit addresses, because
  /// the linker writes them.
  template <typename... Numbers>
  void add(Numbers... numbers) {
    ((value = xfrt_checksum_number(value, bitsOf(numbers))), ...);
  }
  void addBytes(const char *begin, const char *end) { value = xfrt_checksum_bytes(value, begin, size_t(end - begin)); }

  void addRow(const xfrt_entry &row) {
    add(row.argument_count, row.result_count, row.symbol_count, row.frame_size, row.arena_bytes, row.step_count,
        row.launch_count, row.copy_count, row.scratch_bytes, row.flop, row.pairs, row.executed_pairs,
        row.derived_count);
  }
  void addRow(const xfrt_tensor &row) {
    add(row.dtype, row.rank, row.role, row.updates, row.checked, row.lowest, row.highest, row.limit_symbol,
        row.limit_offset);
  }
  void addRow(const xfrt_dim &row) { add(row.size, row.symbol); }
  void addRow(const xfrt_symbol &row) { add(row.min, row.max); }
  void addRow(int64_t row) { add(row); }
  void addRow(const xfrt_step &row) { add(row.kind, row.index, row.when, row.held); }
  void addRow(const xfrt_launch &row) {
    add(row.grid, row.first_operand, row.operand_count, row.first_scalar, row.scalar_count, row.threads,
        row.shared_bytes, row.blocks_per_processor, row.first_map, row.map_count);
  }
  void addRow(const xfrt_copy &row) { add(row.from, row.to, row.bytes); }
  void addRow(const xfrt_operand &row) { add(row.space, row.index, row.offset); }
  void addRow(int32_t row) { add(row); }
  void addRow(const xfrt_tensor_map &row) {
    add(row.operand, row.dtype, row.rank);
    addRows(row.sizes, row.sizes + 5);
    addRows(row.strides, row.strides + 5);
    addRows(row.box, row.box + 5);
    add(row.swizzle_bytes);
  }
  void addRow(const xfrt_image &row) { add(row.kind, row.bytes); }
  void addRow(const xfrt_work &row) { add(row.flop, row.bytes); }
  void addRow(const xfrt_axis &row) { add(row.ranks); }
  void addRow(const xfrt_shard &row) { add(row.tensor, row.dimension, row.axis); }
  void addRow(const xfrt_collective &row) {
    add(row.kind, row.axes, row.dtype, row.send, row.receive, row.send_runs, row.send_bytes, row.receive_runs,
        row.receive_bytes, row.queries, row.keys, row.plan, row.query_segments, row.key_segments, row.segment_lists,
        row.segment_dtype);
  }

  template <typename Row>
  void addRows(const Row *begin, const Row *end) {
    for (const Row *row = begin; row != end; ++row)
      addRow(*row);
  }

  uint64_t get() const { return xfrt_checksum_end(value); }

private:
  static uint64_t bitsOf(int32_t number) { return uint64_t(int64_t(number)); }
  static uint64_t bitsOf(int64_t number) { return uint64_t(number); }
  static uint64_t bitsOf(uint64_t number) { return number; }
  static uint64_t bitsOf(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof(bits));
    return bits;
  }

  uint64_t value = XFRT_CHECKSUM_START;
};
} // namespace

static uint64_t sumOf(const xfrt_model &model, const xfrt_tables &tables) {
  Sum sum;
  sum.add(model.entry_count, model.constant_bytes, model.held_count, model.held_bytes, model.device, model.image_count,
          model.data_checksum);
  sum.addRows(tables.entries, tables.entries_end);
  sum.addRows(tables.tensors, tables.tensors_end);
  sum.addRows(tables.dims, tables.dims_end);
  sum.addRows(tables.symbols, tables.symbols_end);
  sum.addRows(tables.frames, tables.frames_end);
  sum.addRows(tables.steps, tables.steps_end);
  sum.addRows(tables.launches, tables.launches_end);
  sum.addRows(tables.copies, tables.copies_end);
  sum.addRows(tables.operands, tables.operands_end);
  sum.addRows(tables.scalars, tables.scalars_end);
  sum.addRows(tables.maps, tables.maps_end);
  sum.addRows(tables.images, tables.images_end);
  sum.addBytes(tables.strings, tables.strings_end);
  sum.addRows(tables.work, tables.work_end);
  sum.addRows(tables.axes, tables.axes_end);
  sum.addRows(tables.collectives, tables.collectives_end);
  sum.addRows(tables.shards, tables.shards_end);
  sum.addRows(tables.plans, tables.plans_end);
  return sum.get();
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Returns whether rows[first .. first + count) lie inside the table [begin, end). An empty range may lie anywhere.
template <typename Row>
static bool holds(const Row *begin, const Row *end, const Row *rows, int64_t first, int64_t count) {
  if (first < 0 || count < 0 || (count > 0 && (rows < begin || rows > end)))
    return false;
  return count == 0 || first + count <= end - rows;
}

/// Returns whether a name begins inside the table of strings and ends there with a NUL.
static bool holds(const xfrt_tables &tables, const char *name) {
  return name && name >= tables.strings && name < tables.strings_end && tables.strings_end[-1] == 0;
}

static bool holdsTensors(const xfrt_tables &tables, const xfrt_tensor *tensors, int32_t count) {
  if (!holds(tables.tensors, tables.tensors_end, tensors, 0, count))
    return false;
  for (int32_t i = 0; i < count; ++i)
    if (!holds(tables, tensors[i].name) || !holds(tables.dims, tables.dims_end, tensors[i].dims, 0, tensors[i].rank))
      return false;
  return true;
}

static bool holdsLaunches(const xfrt_tables &tables, const xfrt_entry &entry) {
  if (!holds(tables.launches, tables.launches_end, entry.launches, 0, entry.launch_count))
    return false;
  for (int32_t i = 0; i < entry.launch_count; ++i) {
    const xfrt_launch &launch = entry.launches[i];
    if (!holds(tables, launch.name) ||
        !holds(tables.operands, tables.operands_end, entry.operands, launch.first_operand, launch.operand_count) ||
        !holds(tables.scalars, tables.scalars_end, entry.scalars, launch.first_scalar, launch.scalar_count) ||
        !holds(tables.maps, tables.maps_end, entry.maps, launch.first_map, launch.map_count))
      return false;
  }
  return true;
}

static bool holdsCopies(const xfrt_tables &tables, const xfrt_entry &entry) {
  if (!holds(tables.copies, tables.copies_end, entry.copies, 0, entry.copy_count))
    return false;
  auto holdsOperand = [&](int32_t operand) {
    return holds(tables.operands, tables.operands_end, entry.operands, operand, 1);
  };
  for (int32_t i = 0; i < entry.copy_count; ++i)
    if (!holdsOperand(entry.copies[i].from) || !holdsOperand(entry.copies[i].to))
      return false;
  return true;
}

static bool holdsEntry(const xfrt_tables &tables, const xfrt_entry &entry) {
  if (!holds(tables, entry.name) || !holdsTensors(tables, entry.arguments, entry.argument_count) ||
      !holdsTensors(tables, entry.results, entry.result_count) ||
      !holds(tables.symbols, tables.symbols_end, entry.symbols, 0, entry.symbol_count) ||
      !holds(tables.frames, tables.frames_end, entry.frame, 0, entry.frame ? entry.frame_size : 0))
    return false;
  for (int32_t i = 0; i < entry.symbol_count; ++i)
    if (!holds(tables, entry.symbols[i].name))
      return false;
  return holds(tables.steps, tables.steps_end, entry.steps, 0, entry.step_count) && holdsLaunches(tables, entry) &&
         holdsCopies(tables, entry);
}

/// Returns whether the table of work is empty, or has a valid row for each step.
static bool holdsWork(const xfrt_tables &tables) {
  if (tables.work == tables.work_end)
    return true;
  if (tables.work_end - tables.work != tables.steps_end - tables.steps)
    return false;
  for (const xfrt_work *row = tables.work; row != tables.work_end; ++row)
    if (!holds(tables, row->source))
      return false;
  return true;
}

/// Returns whether the axes of the mesh have names, valid numbers of ranks, and not too many ranks together.
static bool holdsAxes(const xfrt_tables &tables) {
  constexpr int64_t mostRanks = 1 << 16, mostAxes = 31;
  int64_t ranks = 1;
  for (const xfrt_axis *axis = tables.axes; axis != tables.axes_end; ++axis) {
    if (!holds(tables, axis->name) || axis->ranks < 1 || axis->ranks > mostRanks)
      return false;
    ranks *= axis->ranks;
    if (ranks > mostRanks)
      return false;
  }
  return tables.axes_end - tables.axes <= mostAxes;
}

/// Returns whether shards refer to existing dimensions and axes. They must be in the order of tensors and dimensions,
/// and a tensor may have each axis once.
static bool holdsShards(const xfrt_tables &tables) {
  uint32_t seen = 0; // axes of the tensor, as bits
  for (const xfrt_shard *row = tables.shards; row != tables.shards_end; ++row) {
    if (row->tensor < 0 || row->tensor >= tables.tensors_end - tables.tensors || row->dimension < 0 ||
        row->dimension >= tables.tensors[row->tensor].rank || row->axis < 0 ||
        row->axis >= tables.axes_end - tables.axes)
      return false;
    const xfrt_shard *before = row == tables.shards ? nullptr : row - 1;
    if (!before || before->tensor != row->tensor)
      seen = 0;
    if (before &&
        (before->tensor > row->tensor || (before->tensor == row->tensor && before->dimension > row->dimension)))
      return false;
    if (seen & 1u << row->axis)
      return false;
    seen |= 1u << row->axis;
  }
  return true;
}

/// Returns whether each collective of an entry's steps has a row in the table, and whether the operands of these rows
/// belong to the entry.
static bool holdsCollectives(const xfrt_tables &tables, const xfrt_entry &entry) {
  for (int32_t i = 0; i < entry.step_count; ++i) {
    const xfrt_step &step = entry.steps[i];
    if (step.kind != XFRT_COLLECTIVE && step.kind != XFRT_WAIT)
      continue;
    if (step.index < 0 || step.index >= tables.collectives_end - tables.collectives)
      return false;
    const xfrt_collective &row = tables.collectives[step.index];
    if (!holds(tables.operands, tables.operands_end, entry.operands, row.send, 1) ||
        !holds(tables.operands, tables.operands_end, entry.operands, row.receive, 1))
      return false;
    if (row.segment_dtype != 0 &&
        (!holds(tables.operands, tables.operands_end, entry.operands, row.query_segments, 1) ||
         !holds(tables.operands, tables.operands_end, entry.operands, row.key_segments, 1)))
      return false;
  }
  return true;
}

static bool holdsModel(const xfrt_model &model, const xfrt_tables &tables) {
  if (!holds(tables, model.name) || !holds(tables, model.features) || !holds(tables, model.content_hash) ||
      !holds(tables.entries, tables.entries_end, model.entries, 0, model.entry_count) ||
      !holds(tables.images, tables.images_end, model.images, 0, model.image_count) ||
      !holds(tables.constants, tables.constants_end, static_cast<const char *>(model.constants), 0,
             model.constant_bytes) ||
      !holdsWork(tables) || !holdsAxes(tables) || !holdsShards(tables))
    return false;
  for (int32_t i = 0; i < model.image_count; ++i) {
    const xfrt_image &image = model.images[i];
    if (!holds(tables, image.arch) ||
        !holds(tables.code, tables.code_end, static_cast<const char *>(image.data), 0, image.bytes))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static xfrt_status compare(uint64_t expected, uint64_t found, const char *what, Message &message) {
  if (expected == 0 || expected == found)
    return XFRT_OK;
  return message.fail(XFRT_BAD_MODEL, "expected %s with the sum %016" PRIx64 ", got %016" PRIx64 ": they are damaged",
                      what, expected, found);
}

xfrt_status xfrt::checkTables(const xfrt_model &model, Message &message) {
  if (!model.tables)
    return XFRT_OK;
  if (model.checksum)
    if (xfrt_status status = compare(model.checksum, sumOf(model, *model.tables), "tables", message))
      return status;
  if (!holdsModel(model, *model.tables))
    return message.fail(XFRT_BAD_MODEL, "expected names, images and constants inside the tables of the model");
  for (int32_t i = 0; i < model.entry_count; ++i)
    if (!holdsEntry(*model.tables, model.entries[i]) || !holdsCollectives(*model.tables, model.entries[i]))
      return message.fail(XFRT_BAD_MODEL, "expected rows of entry %d inside the tables of the model", i);
  return XFRT_OK;
}

xfrt_status xfrt::checkData(const xfrt_model &model, Message &message) {
  if (!model.tables || !model.data_checksum)
    return XFRT_OK;
  Sum sum;
  sum.addBytes(model.tables->constants, model.tables->constants_end);
  sum.addBytes(model.tables->code, model.tables->code_end);
  return compare(model.data_checksum, sum.get(), "constants and images", message);
}

//===- Model.cpp - Sizes and rows of entries ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "Memory.h"
#include "ranks/ExchangeRuns.h"

#include <inttypes.h>
#include <string.h>

using namespace xfrt;

const xfrt_operand *xfrt::heldSource(const xfrt_entry &entry, const xfrt_step &step) {
  if (step.kind == XFRT_COPY)
    return &entry.operands[entry.copies[step.index].from];
  const xfrt_launch &launch = entry.launches[step.index];
  return launch.operand_count > 0 ? &entry.operands[launch.first_operand] : nullptr;
}

//===----------------------------------------------------------------------===//
// Symbols and sizes
//===----------------------------------------------------------------------===//

xfrt_status xfrt::checkDerived(const xfrt_entry &entry, int32_t number, const int64_t *symbols, int64_t given,
                               Message &message) {
  const xfrt_symbol &symbol = entry.symbols[entry.symbol_count - entry.derived_count + number];
  const int64_t value = entry.derive(symbols, number);
  const Quoted name(entry.name), size(symbol.name);
  if (value == INT64_MIN)
    return message.fail(XFRT_INVALID_ARGUMENT, "entry %s: expected %s to fit into 63 bits", name.get(), size.get());
  if (symbol.min == symbol.max && value != symbol.min)
    return message.fail(XFRT_INVALID_ARGUMENT, "entry %s: expected %s = %" PRId64 ", got %" PRId64, name.get(),
                        size.get(), symbol.min, value);
  if (value < symbol.min)
    return message.fail(XFRT_INVALID_ARGUMENT, "entry %s: expected %s of at least %" PRId64 ", got %" PRId64,
                        name.get(), size.get(), symbol.min, value);
  if (value > symbol.max)
    return message.fail(XFRT_INVALID_ARGUMENT, "entry %s: expected %s of at most %" PRId64 ", got %" PRId64, name.get(),
                        size.get(), symbol.max, value);
  if (value != given)
    return message.fail(XFRT_INVALID_ARGUMENT, "entry %s: expected %s = %" PRId64 ", got %" PRId64, name.get(),
                        size.get(), value, given);
  return XFRT_OK;
}

xfrt_status xfrt::checkSymbols(const xfrt_entry &entry, const int64_t *symbols, int32_t count, Message &message) {
  if (count != entry.symbol_count || (count > 0 && !symbols))
    return message.fail(XFRT_INVALID_ARGUMENT, "entry %s: expected %d sizes, got %d", Quoted(entry.name).get(),
                        entry.symbol_count, symbols ? count : 0);
  for (int32_t i = 0; i < count; ++i) {
    const xfrt_symbol &symbol = entry.symbols[i];
    if (const int32_t number = i - (entry.symbol_count - entry.derived_count); number >= 0)
      if (xfrt_status status = checkDerived(entry, number, symbols, symbols[i], message))
        return status;
    if (symbols[i] < symbol.min || symbols[i] > symbol.max)
      return message.fail(XFRT_INVALID_ARGUMENT,
                          "entry %s: expected size %s between %" PRId64 " and %" PRId64 ", got %" PRId64,
                          Quoted(entry.name).get(), Quoted(symbol.name).get(), symbol.min, symbol.max, symbols[i]);
  }
  return XFRT_OK;
}

/// Looks for the reason why sizes are wrong. Fails with a message about chunks if the queries or keys of a rank are not
/// a whole number of chunks. Returns XFRT_OK if the reason is another one.
static xfrt_status checkChunks(const xfrt_model &model, const xfrt_entry &entry, const int64_t *frame,
                               Message &message) {
  for (int32_t i = 0; i < entry.step_count; ++i) {
    if (entry.steps[i].kind != XFRT_COLLECTIVE)
      continue;
    const xfrt_collective &row = model.tables->collectives[entry.steps[i].index];
    if (row.kind != XFRT_EXCHANGE && row.kind != XFRT_RETURN_REDUCE)
      continue;
    const int64_t chunks = chunksOf(model.tables->plans + row.plan), queries = frame[row.queries],
                  keys = frame[row.keys];
    if (queries % chunks != 0 || keys % chunks != 0)
      return message.fail(XFRT_INVALID_ARGUMENT,
                          "entry %s: expected %s of each rank that its %" PRId64 " chunks divide, got %" PRId64,
                          Quoted(entry.name).get(), queries % chunks != 0 ? "queries" : "keys", chunks,
                          queries % chunks != 0 ? queries : keys);
  }
  return XFRT_OK;
}

xfrt_status xfrt::workspaceBytes(const xfrt_model &model, const xfrt_entry &entry, const int64_t *frame,
                                 int32_t threads, size_t &bytes, Message &message) {
  int64_t arena = arenaBytes(entry, frame), scratch, total;
  if (arena == XFRT_SIZES_DIFFER)
    if (xfrt_status status = checkChunks(model, entry, frame, message))
      return status;
  if (arena == XFRT_SIZES_DIFFER)
    return message.fail(XFRT_INVALID_ARGUMENT, "entry %s: expected sizes that fit the shapes of its operations",
                        Quoted(entry.name).get());
  if (arena < 0 || !multiply(entry.scratch_bytes, threads, scratch) || !add(arena, scratch, total) ||
      !add(total, 2 * alignment, total))
    return message.fail(XFRT_INVALID_ARGUMENT, "entry %s: expected sizes whose workspace fits into 63 bits",
                        Quoted(entry.name).get());
  bytes = alignUp(arena) + alignUp(scratch);
  return XFRT_OK;
}

int32_t xfrt_find_entry(const xfrt_model *model, const char *name) {
  if (!model || !name || model->abi_version != XFRT_ABI_VERSION)
    return -1;
  const xfrt_tables *tables = model->tables;
  if (tables && model->entry_count != tables->entries_end - tables->entries)
    return -1;
  for (int32_t i = 0; i < model->entry_count; ++i)
    if (strcmp(model->entries[i].name, name) == 0)
      return i;
  return -1;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

size_t xfrt_dtype_size(int32_t dtype) {
  switch (dtype) {
  case XFRT_F64:
  case XFRT_I64:
    return 8;
  case XFRT_F32:
  case XFRT_I32:
    return 4;
  case XFRT_F16:
  case XFRT_BF16:
    return 2;
  case XFRT_BOOL:
    return 1;
  default:
    return 0;
  }
}

const char *xfrt_dtype_name(int32_t dtype) {
  static const char *const names[] = {"f32", "f64", "f16", "bf16", "i32", "i64", "i1"};
  return dtype >= XFRT_F32 && dtype <= XFRT_BOOL ? names[dtype] : "unknown";
}

const char *xfrt_status_name(int32_t status) {
  static const char *const names[] = {"ok",
                                      "invalid_argument",
                                      "bad_buffer",
                                      "out_of_range",
                                      "abi_mismatch",
                                      "missing_features",
                                      "out_of_memory",
                                      "workspace_too_small",
                                      "busy",
                                      "bad_model",
                                      "bad_hook",
                                      "io_error",
                                      "bad_file",
                                      "parameter_mismatch",
                                      "no_driver",
                                      "old_driver",
                                      "no_device",
                                      "wrong_architecture",
                                      "jit_failed",
                                      "driver_error",
                                      "device_error",
                                      "no_transport",
                                      "rank_lost",
                                      "ranks_differ",
                                      "transport_error",
                                      "forked"};
  return status >= XFRT_OK && status <= XFRT_FORKED ? names[status] : "unknown";
}

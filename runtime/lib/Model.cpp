//===- Model.cpp - Verification of models ---------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "Devices.h"
#include "Memory.h"
#include "Tables.h"
#include "ranks/Needs.h"

#include <inttypes.h>
#include <string.h>

using namespace xfrt;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

template <typename Row>
static bool hasRows(int32_t count, const Row *rows) {
  return count == 0 || (count > 0 && rows);
}

static bool checkTensor(const xfrt_entry &entry, const xfrt_tensor &tensor, bool isResult) {
  if (!tensor.name || xfrt_dtype_size(tensor.dtype) == 0 || tensor.rank < 0 || (tensor.rank > 0 && !tensor.dims))
    return false;
  for (int32_t i = 0; i < tensor.rank; ++i) {
    const xfrt_dim &dim = tensor.dims[i];
    if (dim.symbol >= entry.symbol_count || (dim.symbol < 0 && dim.size < 0))
      return false;
  }
  if (tensor.checked & (XFRT_LIMITED | XFRT_LEAVES_ROOM) &&
      (tensor.limit_symbol < 0 || tensor.limit_symbol >= entry.symbol_count))
    return false;
  return !isResult || tensor.updates < entry.argument_count;
}

static bool checkOperand(const xfrt_entry &entry, const xfrt_operand &operand, const xfrt_model &model) {
  if (operand.offset >= entry.frame_size)
    return false;
  switch (operand.space) {
  case XFRT_ARENA:
    return isSlot(entry, entry.arena_bytes);
  case XFRT_CONSTANT:
    return model.constants;
  case XFRT_ARGUMENT:
    return operand.index >= 0 && operand.index < entry.argument_count;
  case XFRT_RESULT:
    return operand.index >= 0 && operand.index < entry.result_count;
  case XFRT_HELD:
    return model.held_count > 0;
  default:
    return false;
  }
}

static bool checkLaunch(const xfrt_model &model, const Device &device, const xfrt_entry &entry,
                        const xfrt_launch &launch) {
  if (!isSlot(entry, launch.grid) || launch.operand_count < 0 || launch.scalar_count < 0 ||
      !device.checkLaunch(entry, launch))
    return false;
  for (int32_t i = 0; i < launch.operand_count; ++i)
    if (!checkOperand(entry, entry.operands[launch.first_operand + i], model))
      return false;
  for (int32_t i = 0; i < launch.scalar_count; ++i)
    if (!isSlot(entry, entry.scalars[launch.first_scalar + i]))
      return false;
  return true;
}

static bool checkCopy(const xfrt_model &model, const xfrt_entry &entry, const xfrt_copy &copy) {
  if (copy.from < 0 || copy.to < 0 || !isSlot(entry, copy.bytes))
    return false;
  const xfrt_operand &from = entry.operands[copy.from], &to = entry.operands[copy.to];
  return checkOperand(entry, from, model) && checkOperand(entry, to, model) && to.space != XFRT_CONSTANT &&
         to.space != XFRT_ARGUMENT;
}

/// Verifies the segments of a collective.
static bool checkSegments(const xfrt_model &model, const xfrt_entry &entry, const xfrt_collective &row) {
  for (const int32_t number : {row.query_segments, row.key_segments})
    if (!checkOperand(entry, entry.operands[number], model) || entry.operands[number].space == XFRT_HELD)
      return false;
  return isSlot(entry, row.segment_lists) && (row.segment_dtype == XFRT_I32 || row.segment_dtype == XFRT_I64);
}

/// Verifies a collective, whose row and operands are inside their tables.
static bool checkCollective(const xfrt_model &model, const xfrt_entry &entry, const xfrt_collective &row) {
  const int64_t axes = model.tables->axes_end - model.tables->axes;
  const bool sums = row.kind == XFRT_ALL_REDUCE || row.kind == XFRT_REDUCE_SCATTER || row.kind == XFRT_BRING_HOME;
  const bool areKeys = row.kind == XFRT_EXCHANGE || row.kind == XFRT_BRING_HOME;
  if (row.kind < XFRT_ALL_REDUCE || row.kind > XFRT_BRING_HOME || row.axes <= 0 || int64_t(row.axes) >> axes != 0 ||
      xfrt_dtype_size(row.dtype) == 0 || (sums && row.dtype != XFRT_F32 && row.dtype != XFRT_F64))
    return false;
  if (!isSlot(entry, row.send_runs) || !isSlot(entry, row.send_bytes) || !isSlot(entry, row.receive_runs) ||
      !isSlot(entry, row.receive_bytes))
    return false;
  if (areKeys && (!isSlot(entry, row.queries) || !isSlot(entry, row.keys) || row.plan < 0 ||
                  row.plan > model.tables->plans_end - model.tables->plans ||
                  !holdsPlan(model.tables->plans + row.plan, model.tables->plans_end)))
    return false;
  if (row.segment_dtype != 0 && (!areKeys || !checkSegments(model, entry, row)))
    return false;
  const xfrt_operand &send = entry.operands[row.send], &receive = entry.operands[row.receive];
  return checkOperand(entry, send, model) && checkOperand(entry, receive, model) && send.space != XFRT_HELD &&
         (receive.space == XFRT_ARENA || receive.space == XFRT_RESULT);
}

const xfrt_operand *xfrt::heldSource(const xfrt_entry &entry, const xfrt_step &step) {
  if (step.kind == XFRT_COPY)
    return &entry.operands[entry.copies[step.index].from];
  const xfrt_launch &launch = entry.launches[step.index];
  return launch.operand_count > 0 ? &entry.operands[launch.first_operand] : nullptr;
}

/// Returns whether a step has an operand in the memory of prepacked forms.
static bool usesHeld(const xfrt_entry &entry, const xfrt_step &step) {
  if (step.kind == XFRT_COPY) {
    const xfrt_copy &copy = entry.copies[step.index];
    return entry.operands[copy.from].space == XFRT_HELD || entry.operands[copy.to].space == XFRT_HELD;
  }
  const xfrt_launch &launch = entry.launches[step.index];
  for (int32_t i = 0; i < launch.operand_count; ++i)
    if (entry.operands[launch.first_operand + i].space == XFRT_HELD)
      return true;
  return false;
}

/// Verifies a step that launches a kernel or copies bytes: its index into the entry's launches or copies, its condition
/// `when` and, if it fills a prepacked form, that form and its source. Prepacked forms exist only in a handle that
/// holds parameters. The launches and copies must have been verified.
static bool checkStep(const xfrt_model &model, const xfrt_entry &entry, const xfrt_step &step) {
  int32_t rows = step.kind == XFRT_LAUNCH ? entry.launch_count : step.kind == XFRT_COPY ? entry.copy_count : 0;
  if (step.index < 0 || step.index >= rows || step.when < XFRT_ALWAYS || step.when > XFRT_IF_NOT_HELD)
    return false;
  if (step.when != XFRT_FILLS_HELD)
    return step.when == XFRT_IF_HELD || !usesHeld(entry, step);
  const xfrt_operand *source = heldSource(entry, step);
  return step.held >= 0 && step.held < model.held_count && source && source->space == XFRT_ARGUMENT &&
         usesHeld(entry, step);
}

/// Verifies the rows of all steps, then the steps.
static xfrt_status checkSteps(const xfrt_model &model, const Device &device, const xfrt_entry &entry,
                              Message &message) {
  for (int32_t i = 0; i < entry.launch_count; ++i)
    if (!checkLaunch(model, device, entry, entry.launches[i]))
      return message.fail(XFRT_BAD_MODEL, "entry %s: launch %d is malformed", Quoted(entry.name).get(), i);
  for (int32_t i = 0; i < entry.copy_count; ++i)
    if (!checkCopy(model, entry, entry.copies[i]))
      return message.fail(XFRT_BAD_MODEL, "entry %s: copy %d is malformed", Quoted(entry.name).get(), i);
  for (int32_t i = 0; i < entry.step_count; ++i) {
    const xfrt_step &step = entry.steps[i];
    if (step.kind == XFRT_COLLECTIVE || step.kind == XFRT_WAIT) {
      if (!model.tables || model.tables->axes == model.tables->axes_end)
        return message.fail(XFRT_BAD_MODEL, "entry %s: step %d: expected a model of several ranks for a %s",
                            Quoted(entry.name).get(), i, step.kind == XFRT_WAIT ? "wait" : "collective");
      if (step.when != XFRT_ALWAYS || !checkCollective(model, entry, model.tables->collectives[step.index]))
        return message.fail(XFRT_BAD_MODEL, "entry %s: step %d is malformed", Quoted(entry.name).get(), i);
      continue;
    }
    if (!checkStep(model, entry, step))
      return message.fail(XFRT_BAD_MODEL, "entry %s: step %d is malformed", Quoted(entry.name).get(), i);
  }
  return XFRT_OK;
}

static xfrt_status checkEntry(const xfrt_model &model, const Device &device, const xfrt_entry &entry,
                              Message &message) {
  const char *name = entry.name ? entry.name : "";
  if (!entry.name || entry.frame_size < 0 || entry.scratch_bytes < 0 || entry.scratch_bytes % 64 != 0 ||
      entry.arena_bytes >= entry.frame_size)
    return message.fail(XFRT_BAD_MODEL, "entry %s: expected a name, a frame and its sizes, scratch by 64 bytes",
                        Quoted(name).get());
  if (entry.frame_size > 0 && !entry.frame == !entry.prepare)
    return message.fail(XFRT_BAD_MODEL, "entry %s: expected either a constant frame or a function that fills one",
                        Quoted(name).get());
  if (entry.derived_count < 0 || entry.derived_count > entry.symbol_count || !entry.derived_count != !entry.derive)
    return message.fail(XFRT_BAD_MODEL, "entry %s: expected a function that computes derived sizes",
                        Quoted(name).get());
  if (!hasRows(entry.argument_count, entry.arguments) || !hasRows(entry.result_count, entry.results) ||
      !hasRows(entry.symbol_count, entry.symbols) || !hasRows(entry.step_count, entry.steps) ||
      !hasRows(entry.launch_count, entry.launches) || !hasRows(entry.copy_count, entry.copies))
    return message.fail(XFRT_BAD_MODEL, "entry %s: expected numbers of arguments, results, sizes and steps",
                        Quoted(name).get());
  for (int32_t i = 0; i < entry.argument_count; ++i)
    if (!checkTensor(entry, entry.arguments[i], /*isResult=*/false))
      return message.fail(XFRT_BAD_MODEL, "entry %s: argument %d is malformed", Quoted(name).get(), i);
  for (int32_t i = 0; i < entry.result_count; ++i)
    if (!checkTensor(entry, entry.results[i], /*isResult=*/true))
      return message.fail(XFRT_BAD_MODEL, "entry %s: result %d is malformed", Quoted(name).get(), i);
  return checkSteps(model, device, entry, message);
}

static xfrt_status checkImages(const xfrt_model &model, const Device &device, Message &message) {
  bool complete = !device.loadsImages || (model.features && model.image_count > 0 && model.images);
  for (int32_t i = 0; complete && i < model.image_count; ++i) {
    const xfrt_image &image = model.images[i];
    bool isText = image.kind == XFRT_PTX;
    complete = image.arch && image.data && image.bytes > 0 && (isText || image.kind == XFRT_CUBIN) &&
               (!isText || static_cast<const char *>(image.data)[image.bytes - 1] == 0);
  }
  return complete ? XFRT_OK
                  : message.fail(XFRT_BAD_MODEL, "model %s: expected an architecture and images of its kernels",
                                 Quoted(model.name).get());
}

xfrt_status xfrt::checkModel(const xfrt_model *model, Message &message) {
  if (!model)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a model, got a null pointer");
  // No other field may be read before the version is verified.
  if (model->abi_version != XFRT_ABI_VERSION)
    return message.fail(XFRT_ABI_MISMATCH, "expected an object with ABI version %d, got version %d; compile it again",
                        XFRT_ABI_VERSION, model->abi_version);
  for (const xfrt_model *variant = model; variant && variant->abi_version == XFRT_ABI_VERSION; variant = variant->next)
    if (xfrt_status status = checkTables(*variant, message))
      return status;
  const Device *device = nullptr;
  if (xfrt_status status = findDeviceOf(*model, device, message))
    return status;
  if (xfrt_status status = checkImages(*model, *device, message))
    return status;
  if (model->entry_count < 0 || (model->entry_count > 0 && !model->entries))
    return message.fail(XFRT_BAD_MODEL, "expected a number of entries, got %d", model->entry_count);
  if (model->held_count < 0 || model->held_bytes < 0)
    return message.fail(XFRT_BAD_MODEL, "expected a number of bytes for %d held parameters, got %" PRId64,
                        model->held_count, model->held_bytes);
  for (int32_t i = 0; i < model->entry_count; ++i)
    if (xfrt_status status = checkEntry(*model, *device, model->entries[i], message))
      return status;
  return XFRT_OK;
}

xfrt_status xfrt_check_model(const xfrt_model *model, int32_t contents) {
  Message &message = threadMessage();
  if (xfrt_status status = checkModel(model, message))
    return status;
  for (const xfrt_model *variant = model; variant; variant = variant->next) {
    if (xfrt_status status = checkModel(variant, message))
      return status;
    if (xfrt_status status = contents ? checkData(*variant, message) : XFRT_OK)
      return status;
  }
  return XFRT_OK;
}

xfrt_status xfrt::takeVariant(const xfrt_model &variant, const xfrt_model *&model, Message &message) {
  if (&variant != model)
    if (xfrt_status status = checkModel(&variant, message))
      return status;
  if (variant.entry_count != model->entry_count)
    return message.fail(XFRT_BAD_MODEL, "model %s: expected %d entries for every processor, got %d",
                        Quoted(model->name).get(), model->entry_count, variant.entry_count);
  model = &variant;
  return XFRT_OK;
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

/// Says which rows of a rank no whole chunks are, if that is why sizes do not fit.
static xfrt_status checkChunks(const xfrt_model &model, const xfrt_entry &entry, const int64_t *frame,
                               Message &message) {
  for (int32_t i = 0; i < entry.step_count; ++i) {
    if (entry.steps[i].kind != XFRT_COLLECTIVE)
      continue;
    const xfrt_collective &row = model.tables->collectives[entry.steps[i].index];
    if (row.kind != XFRT_EXCHANGE && row.kind != XFRT_BRING_HOME)
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

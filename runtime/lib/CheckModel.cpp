//===- CheckModel.cpp - Verification of models ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckModel.h"
#include "Devices.h"
#include "Model.h"
#include "Tables.h"
#include "ranks/ExchangeRuns.h"

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

/// Verifies the operands, the slot and the type of a collective's segments.
static bool checkSegments(const xfrt_model &model, const xfrt_entry &entry, const xfrt_collective &row) {
  for (const int32_t number : {row.query_segments, row.key_segments})
    if (!checkOperand(entry, entry.operands[number], model) || entry.operands[number].space == XFRT_HELD)
      return false;
  return isSlot(entry, row.segment_lists) && (row.segment_dtype == XFRT_I32 || row.segment_dtype == XFRT_I64);
}

/// Verifies the collective `row`, an element of the model's tables. Requires holdsCollectives, so that the indices of
/// its operands are valid.
static bool checkCollective(const xfrt_model &model, const xfrt_entry &entry, const xfrt_collective &row) {
  const int64_t axes = model.tables->axes_end - model.tables->axes;
  const bool sums = row.kind == XFRT_ALL_REDUCE || row.kind == XFRT_REDUCE_SCATTER || row.kind == XFRT_RETURN_REDUCE;
  const bool areKeys = row.kind == XFRT_EXCHANGE || row.kind == XFRT_RETURN_REDUCE;
  if (row.kind < XFRT_ALL_REDUCE || row.kind > XFRT_RETURN_REDUCE || row.axes <= 0 || int64_t(row.axes) >> axes != 0 ||
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

/// Verifies a step that launches a kernel or copies bytes. Its index must lie in the entry's launches or copies, and
/// its condition `when` must be valid. If it fills a prepacked form, verifies the form and its source. Steps that use
/// prepacked forms must run only in a handle that holds parameters. The launches and copies must have been verified.
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

/// Verifies all launches, copies and collectives of an entry, and then its steps.
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

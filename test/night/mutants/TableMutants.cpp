//===- TableMutants.cpp - Tables of objects with one wrong number ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables of a shared object are copied to memory of their own, kernels replaced by one that does nothing, and one
// 32-bit field is changed. What is tried is the runtime: it answers, with success or an error, and never ends.
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"
#include "xfrt/xfrt.h"

#include <csignal>
#include <deque>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace night;

static void nothing(const int64_t *, void *const *, int64_t, int64_t, void *) {}

namespace {
/// A copy of tables, with the fields that may be changed.
class Tables {
public:
  explicit Tables(const xfrt_model &from);

  struct Field {
    std::string name;
    int32_t *place;
  };
  std::vector<Field> fields;
  xfrt_model model;
  const xfrt_model &original;

private:
  /// A copy of an array that lies alone, so that sanitizers see reads behind it.
  template <typename T>
  T *copy(const T *from, int64_t count) {
    auto *to = new T[size_t(count) + (count == 0)];
    for (int64_t n = 0; n < count; ++n)
      to[n] = from[n];
    return to;
  }
  void add(const std::string &name, int32_t &place) { fields.push_back({name, &place}); }
  const xfrt_tensor *copyTensors(const std::string &name, const xfrt_tensor *from, int32_t count);
  void copyLaunches(const std::string &name, xfrt_entry &entry);
  void copyEntry(xfrt_entry &entry);
};
} // namespace

const xfrt_tensor *Tables::copyTensors(const std::string &name, const xfrt_tensor *from, int32_t count) {
  xfrt_tensor *tensors = copy(from, count);
  for (int32_t n = 0; n < count; ++n) {
    std::string tensor = name + "[" + std::to_string(n) + "].";
    xfrt_dim *dims = copy(tensors[n].dims, tensors[n].rank);
    for (int32_t d = 0; d < tensors[n].rank; ++d)
      add(tensor + "dims[" + std::to_string(d) + "].symbol", dims[d].symbol);
    tensors[n].dims = dims;
    add(tensor + "dtype", tensors[n].dtype);
    add(tensor + "rank", tensors[n].rank);
    add(tensor + "role", tensors[n].role);
    add(tensor + "updates", tensors[n].updates);
    add(tensor + "checked", tensors[n].checked);
    add(tensor + "limit_symbol", tensors[n].limit_symbol);
  }
  return tensors;
}

void Tables::copyLaunches(const std::string &name, xfrt_entry &entry) {
  xfrt_launch *launches = copy(entry.launches, entry.launch_count);
  int32_t operandCount = 0, scalarCount = 0;
  for (int32_t n = 0; n < entry.launch_count; ++n) {
    xfrt_launch &launch = launches[n];
    operandCount = std::max(operandCount, launch.first_operand + launch.operand_count);
    scalarCount = std::max(scalarCount, launch.first_scalar + launch.scalar_count);
    launch.kernel = nothing;
    std::string field = name + "launches[" + std::to_string(n) + "].";
    add(field + "grid", launch.grid);
    add(field + "first_operand", launch.first_operand);
    add(field + "operand_count", launch.operand_count);
    add(field + "first_scalar", launch.first_scalar);
    add(field + "scalar_count", launch.scalar_count);
    add(field + "when", launch.when);
    add(field + "held", launch.held);
  }
  entry.launches = launches;
  xfrt_operand *operands = copy(entry.operands, operandCount);
  for (int32_t n = 0; n < operandCount; ++n) {
    std::string field = name + "operands[" + std::to_string(n) + "].";
    add(field + "space", operands[n].space);
    add(field + "index", operands[n].index);
    add(field + "offset", operands[n].offset);
  }
  entry.operands = operands;
  int32_t *scalars = copy(entry.scalars, scalarCount);
  for (int32_t n = 0; n < scalarCount; ++n)
    add(name + "scalars[" + std::to_string(n) + "]", scalars[n]);
  entry.scalars = scalars;
}

void Tables::copyEntry(xfrt_entry &entry) {
  std::string name = std::string(entry.name) + ".";
  entry.arguments = copyTensors(name + "arguments", entry.arguments, entry.argument_count);
  entry.results = copyTensors(name + "results", entry.results, entry.result_count);
  entry.frame = entry.frame ? copy(entry.frame, entry.frame_size) : nullptr;
  copyLaunches(name, entry);
  add(name + "argument_count", entry.argument_count);
  add(name + "result_count", entry.result_count);
  add(name + "symbol_count", entry.symbol_count);
  add(name + "frame_size", entry.frame_size);
  add(name + "arena_bytes", entry.arena_bytes);
  add(name + "launch_count", entry.launch_count);
}

Tables::Tables(const xfrt_model &from) : model(from), original(from) {
  xfrt_entry *entries = copy(model.entries, model.entry_count);
  for (int32_t n = 0; n < model.entry_count; ++n)
    copyEntry(entries[n]);
  model.entries = entries;
  add("abi_version", model.abi_version);
  add("entry_count", model.entry_count);
  add("held_count", model.held_count);
  add("device", model.device);
  add("image_count", model.image_count);
}

/// Memory for the tensors as the unchanged tables have them; sizes that a call decides are 3.
static std::vector<xfrt_buffer> buffersOf(const xfrt_tensor *tensors, int32_t count) {
  static std::deque<std::vector<int64_t>> shapes, elements;
  std::vector<xfrt_buffer> buffers;
  for (int32_t n = 0; n < count; ++n) {
    std::vector<int64_t> &shape = shapes.emplace_back();
    int64_t product = 1;
    for (int32_t d = 0; d < tensors[n].rank; ++d) {
      shape.push_back(tensors[n].dims[d].symbol < 0 ? tensors[n].dims[d].size : 3);
      product *= shape.back();
    }
    std::vector<int64_t> &memory = elements.emplace_back(size_t(product) + 8);
    buffers.push_back({memory.data(), tensors[n].dtype, tensors[n].rank, shape.data(), nullptr, XFRT_CPU});
  }
  return buffers;
}

/// Makes a handle and calls every entry that the unchanged model has.
static void use(const Tables &tables) {
  xfrt_options options{};
  options.threads = 1;
  xfrt_context *context = nullptr;
  if (xfrt_create(&tables.model, &options, &context) != XFRT_OK)
    return;
  for (int32_t n = 0; n < tables.original.entry_count; ++n) {
    const xfrt_entry &entry = tables.original.entries[n];
    std::vector<xfrt_buffer> arguments = buffersOf(entry.arguments, entry.argument_count),
                             results = buffersOf(entry.results, entry.result_count);
    (void)xfrt_call(context, n, arguments.data(), entry.argument_count, results.data(), entry.result_count);
  }
  xfrt_destroy(context);
}

static int32_t strange(int32_t old, Random &random) {
  switch (random.below(4)) {
  case 0:
    return int32_t(random.word());
  case 1:
    return int32_t(uint32_t(1) << random.below(32)) - int32_t(random.below(2));
  case 2:
    return int32_t(uint32_t(old) + uint32_t(random.below(9)) - 4);
  default:
    return -int32_t(random.below(5));
  }
}

std::string night::tryTables(const std::string &library, Random &random, std::string &changed) {
  static void *object = dlopen(library.c_str(), RTLD_NOW);
  static auto *model = object ? static_cast<const xfrt_model *const *>(dlsym(object, "xfrt_shared_model")) : nullptr;
  if (!model)
    return "expected a shared object of xfc at " + library;
  static Tables tables(**model);
  Tables::Field field = random.oneOf(tables.fields);
  int32_t old = *field.place, value = strange(old, random);
  changed = field.name + ": " + std::to_string(old) + " -> " + std::to_string(value);
  pid_t child = fork();
  if (child == 0) {
    *field.place = value;
    alarm(20);
    use(tables);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return "expected an answer, got signal " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : "expected an answer, got exit code " + std::to_string(WEXITSTATUS(status));
}

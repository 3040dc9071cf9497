//===- damaged_tables.cpp - Every number of a model's tables, wrong -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// damaged-tables MODEL.so {cpu|cuda}: copies the tables of an object that xfc made and puts other values into each of
// their words of 32 bits, one at a time, in a child process. A damaged model is bad_model, or (where a word is padding)
// runs right. Without the sum, which is what a compiler's mistake looks like, nothing is promised of a call, but
// functions that look at the model answer by a status.
//
// Out of scope are addresses, which the linker puts in, the code of kernels, and bytes of constants and images, for
// which xfrt_check_model must be asked.
//
//===----------------------------------------------------------------------===//

#include "xfrt/parameters.h"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Where a row has addresses.
template <typename Row>
std::vector<size_t> addressesOf();
#define XF_ADDRESSES(Row, ...)                                                                                         \
  template <>                                                                                                          \
  std::vector<size_t> addressesOf<Row>() {                                                                             \
    using T [[maybe_unused]] = Row;                                                                                    \
    return {__VA_ARGS__};                                                                                              \
  }
#define XF_AT(field) offsetof(T, field)
XF_ADDRESSES(xfrt_entry, XF_AT(name), XF_AT(arguments), XF_AT(results), XF_AT(symbols), XF_AT(frame), XF_AT(prepare),
             XF_AT(steps), XF_AT(launches), XF_AT(copies), XF_AT(operands), XF_AT(scalars), XF_AT(maps))
XF_ADDRESSES(xfrt_tensor, XF_AT(name), XF_AT(dims))
XF_ADDRESSES(xfrt_dim, )
XF_ADDRESSES(xfrt_symbol, XF_AT(name))
XF_ADDRESSES(int64_t, )
XF_ADDRESSES(xfrt_step, )
XF_ADDRESSES(xfrt_copy, )
XF_ADDRESSES(xfrt_launch, XF_AT(kernel), XF_AT(name))
XF_ADDRESSES(xfrt_operand, )
XF_ADDRESSES(int32_t, )
XF_ADDRESSES(xfrt_tensor_map, )
XF_ADDRESSES(xfrt_image, XF_AT(arch), XF_AT(data))
XF_ADDRESSES(xfrt_work, XF_AT(source))
XF_ADDRESSES(xfrt_axis, XF_AT(name))
XF_ADDRESSES(xfrt_collective, )
XF_ADDRESSES(xfrt_shard, )
XF_ADDRESSES(char, )
XF_ADDRESSES(xfrt_model, XF_AT(name), XF_AT(features), XF_AT(content_hash), XF_AT(entries), XF_AT(constants),
             XF_AT(images), XF_AT(next), XF_AT(tables))
#undef XF_AT
#undef XF_ADDRESSES

/// Writable copies of a list of models and all of its rows, which point to each other.
class Copy {
public:
  struct Word {
    char *address;
    std::string name;
  };

  explicit Copy(const xfrt_model *original) {
    for (const xfrt_model *model = original; model; model = model->next)
      copyModel(*model);
    for (const Block &block : blocks)
      relocate(block);
    first = reinterpret_cast<xfrt_model *>(moved(reinterpret_cast<const char *>(original)));
  }

  void dropSums() {
    for (xfrt_model *model = first; model; model = const_cast<xfrt_model *>(model->next))
      model->checksum = 0;
  }

  xfrt_model *first = nullptr;
  std::vector<Word> words;

private:
  struct Block {
    const char *begin;
    size_t bytes, rowBytes;
    std::vector<size_t> addresses;
    std::unique_ptr<char, decltype(&free)> copy; ///< aligned as constants must be
  };

  /// Rows without a name are not to be damaged.
  template <typename Row>
  Row *copyRows(const char *name, const Row *begin, const Row *end) {
    size_t bytes = size_t(end - begin) * sizeof(Row);
    for (const Block &known : blocks) // models share constants
      if (known.begin == reinterpret_cast<const char *>(begin) && known.bytes == bytes && bytes > 0)
        return reinterpret_cast<Row *>(known.copy.get());
    auto *memory = static_cast<char *>(aligned_alloc(64, (bytes + 64) / 64 * 64));
    const Block &block = blocks.emplace_back(
        Block{reinterpret_cast<const char *>(begin), bytes, sizeof(Row), addressesOf<Row>(), {memory, free}});
    std::copy_n(block.begin, bytes, memory);
    for (size_t offset = 0; name && offset + 4 <= bytes; offset += 4)
      if (!isAddress(block, offset))
        words.push_back({memory + offset, std::string(name) + "+" + std::to_string(offset)});
    return reinterpret_cast<Row *>(memory);
  }

  template <typename Row>
  void copyTable(const char *name, const Row *&begin, const Row *&end) {
    size_t count = size_t(end - begin);
    begin = copyRows(name, begin, end);
    end = begin + count;
  }

  void copyModel(const xfrt_model &model) {
    xfrt_model *copy = copyRows("model", &model, &model + 1);
    xfrt_tables &t = *allTables.emplace_back(new xfrt_tables(*model.tables));
    copyTable("entries", t.entries, t.entries_end);
    copyTable("tensors", t.tensors, t.tensors_end);
    copyTable("dims", t.dims, t.dims_end);
    copyTable("symbols", t.symbols, t.symbols_end);
    copyTable("frames", t.frames, t.frames_end);
    copyTable("steps", t.steps, t.steps_end);
    copyTable("launches", t.launches, t.launches_end);
    copyTable("copies", t.copies, t.copies_end);
    copyTable("operands", t.operands, t.operands_end);
    copyTable("scalars", t.scalars, t.scalars_end);
    copyTable("maps", t.maps, t.maps_end);
    copyTable("images", t.images, t.images_end);
    copyTable("strings", t.strings, t.strings_end);
    copyTable(nullptr, t.constants, t.constants_end);
    copyTable(nullptr, t.code, t.code_end);
    copyTable("work", t.work, t.work_end);
    if (model.abi_version >= XFRT_ABI_VERSION) { // others have no such fields
      copyTable("axes", t.axes, t.axes_end);
      copyTable("collectives", t.collectives, t.collectives_end);
      copyTable("shards", t.shards, t.shards_end);
    }
    copy->tables = &t;
  }

  static bool isAddress(const Block &block, size_t offset) {
    return std::count(block.addresses.begin(), block.addresses.end(), offset % block.rowBytes / 8 * 8) > 0;
  }

  char *moved(const char *address) const {
    for (const Block &block : blocks)
      if (address >= block.begin && address < block.begin + block.bytes)
        return block.copy.get() + (address - block.begin);
    return const_cast<char *>(address);
  }

  void relocate(const Block &block) const {
    for (size_t row = 0; row < block.bytes; row += block.rowBytes)
      for (size_t offset : block.addresses) {
        const char *address;
        std::memcpy(&address, block.copy.get() + row + offset, sizeof(address));
        address = moved(address);
        std::memcpy(block.copy.get() + row + offset, &address, sizeof(address));
      }
  }

  std::vector<Block> blocks;
  std::vector<std::unique_ptr<xfrt_tables>> allTables;
};

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// What damage asks for is refused early: a machine's memory is no subject here.
void *allocateLittle(void *, size_t bytes, size_t alignment) {
  return bytes > 64 << 20 ? nullptr : aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void releaseLittle(void *, void *memory, size_t) { free(memory); }

xfrt_options makeOptions(int32_t device) {
  xfrt_options options{};
  options.threads = 2;
  options.allocate = allocateLittle;
  options.release = releaseLittle;
  options.hold_parameters = XFRT_HOLD_PARAMETERS;
  options.device = device;
  return options;
}

/// A tensor with values that are no special ones; symbols are 5.
struct Value {
  Value(const xfrt_tensor &tensor, bool isArgument) {
    int64_t count = 1;
    for (int32_t i = 0; i < tensor.rank; ++i)
      count *= shape.emplace_back(tensor.dims[i].symbol < 0 ? tensor.dims[i].size : 5);
    bytes.resize(size_t(count) * xfrt_dtype_size(tensor.dtype));
    for (int64_t i = 0; isArgument && i < count; ++i) {
      float single = float(i % 7) / 8;
      _Float16 half = _Float16(single);
      if (tensor.dtype == XFRT_F32)
        std::memcpy(bytes.data() + i * 4, &single, 4);
      else if (tensor.dtype == XFRT_F16)
        std::memcpy(bytes.data() + i * 2, &half, 2);
    }
    buffer = {bytes.data(), tensor.dtype, tensor.rank, shape.data(), nullptr, XFRT_CPU};
  }
  std::vector<int64_t> shape;
  std::vector<char> bytes;
  xfrt_buffer buffer;
};

/// The bits of all results of all entries, of a model whose handle could be made.
std::string run(xfrt_context *context, const xfrt_model &model) {
  std::string bits;
  for (int32_t e = 0; e < model.entry_count; ++e) {
    const xfrt_entry &entry = model.entries[e];
    std::vector<Value> arguments, results;
    for (int32_t i = 0; i < entry.argument_count; ++i)
      arguments.emplace_back(entry.arguments[i], true);
    for (int32_t i = 0; i < entry.result_count; ++i)
      results.emplace_back(entry.results[i], false);
    std::vector<xfrt_buffer> in, out;
    for (Value &value : arguments)
      in.push_back(value.buffer);
    for (Value &value : results)
      out.push_back(value.buffer);
    xfrt_status status = xfrt_call(context, e, in.data(), entry.argument_count, out.data(), entry.result_count);
    bits += status ? xfrt_message(context) : "";
    for (Value &value : results)
      bits.append(value.bytes.data(), value.bytes.size());
  }
  return bits;
}

/// Every function that takes a model and needs no device.
void look(const xfrt_model &model) {
  xfrt_parameters *parameters = nullptr;
  xfrt_options options = makeOptions(XFRT_CPU);
  xfrt_check_model(&model, 1);
  xfrt_find_entry(&model, "no entry");
  xfrt_parameters_create(&model, &options, &parameters);
  xfrt_parameters_destroy(parameters);
}

/// What a model with one wrong word does: empty where that is bad_model or the right bits.
std::string judge(const xfrt_model &model, int32_t device, const std::string &expected) {
  look(model);
  xfrt_options options = makeOptions(device);
  xfrt_context *context = nullptr;
  xfrt_status status = xfrt_create(&model, &options, &context);
  if (status == XFRT_BAD_MODEL || status == XFRT_ABI_MISMATCH)
    return "";
  if (status) // as without damage, of a model for several ranks
    return std::string("cannot: ") + xfrt_message(nullptr) == expected ? "" : xfrt_status_name(status);
  bool isRight = run(context, *xfrt_selected_model(context)) == expected;
  xfrt_destroy(context);
  return isRight ? "" : "other results";
}

//===----------------------------------------------------------------------===//
// Damage
//===----------------------------------------------------------------------===//

constexpr size_t valuesOfWord = 8;

/// Puts each value into a word; `use` says what is wrong, and nothing where that is as it should be.
template <typename Use>
std::string damage(const Copy::Word &word, uint32_t random, Use use) {
  int32_t old;
  std::memcpy(&old, word.address, 4);
  const int32_t values[valuesOfWord] = {
      0, 1, -1, INT_MAX, INT_MIN, int32_t(uint32_t(old) + 1), int32_t(uint32_t(old) - 1), int32_t(random)};
  std::string problem;
  for (int32_t value : values) {
    if (value == old || !problem.empty())
      continue;
    std::memcpy(word.address, &value, 4);
    problem = use();
    std::memcpy(word.address, &old, 4);
    if (!problem.empty())
      problem = std::to_string(old) + " -> " + std::to_string(value) + ": " + problem;
  }
  return problem;
}

/// In a child for every few words, so that a signal is seen. Returns the number of words that went wrong.
template <typename Use>
int damageAll(const Copy &copy, Use use) {
  int wrong = 0;
  uint32_t random = 12345;
  std::fflush(stdout);
  for (const Copy::Word &word : copy.words) {
    random = random * 1664525 + 1013904223;
    pid_t child = fork();
    if (child == 0) {
      std::string problem = damage(word, random, use);
      if (!problem.empty())
        std::printf("%s: %s\n", word.name.c_str(), problem.c_str());
      std::fflush(stdout);
      _exit(!problem.empty());
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
      std::printf("%s: signal %d\n", word.name.c_str(), WTERMSIG(status));
    wrong += status != 0;
  }
  return wrong;
}

/// The bits that the undamaged model gives, made in a child: a driver does not survive a fork.
std::string expectedBits(const xfrt_model &model, int32_t device) {
  int ends[2];
  if (pipe(ends) != 0)
    return "";
  if (fork() == 0) {
    xfrt_options options = makeOptions(device);
    xfrt_context *context = nullptr;
    std::string bits = xfrt_create(&model, &options, &context) ? std::string("cannot: ") + xfrt_message(nullptr)
                                                               : run(context, *xfrt_selected_model(context));
    _exit(write(ends[1], bits.data(), bits.size()) != ssize_t(bits.size()));
  }
  close(ends[1]);
  std::string bits;
  char chunk[4096];
  for (ssize_t got; (got = read(ends[0], chunk, sizeof(chunk))) > 0;)
    bits.append(chunk, size_t(got));
  close(ends[0]);
  wait(nullptr);
  return bits;
}

/// Constants and images are compared with their sum where that is asked for.
int damageData(const Copy &copy) {
  int wrong = xfrt_check_model(copy.first, 1) != XFRT_OK;
  for (const xfrt_model *model = copy.first; model; model = model->next)
    for (auto [begin, end] : {std::pair(model->tables->constants, model->tables->constants_end),
                              {model->tables->code, model->tables->code_end}})
      for (ptrdiff_t at : {ptrdiff_t(0), (end - begin) / 2, end - begin - 1}) {
        if (begin == end)
          continue;
        const_cast<char &>(begin[at]) ^= 4;
        wrong += xfrt_check_model(copy.first, 1) != XFRT_BAD_MODEL;
        const_cast<char &>(begin[at]) ^= 4;
      }
  return wrong;
}

} // namespace

int main(int argc, char **argv) {
  void *object = argc == 3 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  auto *symbol = object ? static_cast<const xfrt_model *const *>(dlsym(object, "xfrt_shared_model")) : nullptr;
  if (!symbol)
    return std::fprintf(stderr, "expected MODEL.so {cpu|cuda}\n"), 2;
  int32_t device = std::strcmp(argv[2], "cuda") == 0 ? XFRT_CUDA : XFRT_CPU;
  std::string expected = expectedBits(**symbol, device);
  Copy copy(*symbol);
  if (std::string bits = expectedBits(*copy.first, device); bits != expected || bits.empty())
    return std::printf("expected a copy that gives %zu bytes, got %zu: %s\n", expected.size(), bits.size(),
                       bits.c_str()),
           1;
  int wrong = damageAll(copy, [&] { return judge(*copy.first, device, expected); });
  std::printf("%zu words, %zu values each: %d wrong\n", copy.words.size(), valuesOfWord, wrong);
  int wrongData = damageData(copy);
  std::printf("constants and images: %d wrong\n", wrongData);
  copy.dropSums();
  int wrongBounds = damageAll(copy, [&] { return look(*copy.first), std::string(); });
  std::printf("%zu words without a sum: %d wrong\n", copy.words.size(), wrongBounds);
  return wrong + wrongData + wrongBounds > 0;
}

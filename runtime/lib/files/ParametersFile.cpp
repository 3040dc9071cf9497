//===- ParametersFile.cpp - Weights to and from safetensors ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Message.h"
#include "Parameters.h"
#include "Safetensors.h"

#include <algorithm>
#include <new>
#include <string.h>

using namespace xfrt;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

namespace {
/// Collects the differences between a file and a model. Lists the first 100 and only counts the others, because a
/// hostile file may have millions.
class Differences {
public:
  void add(const std::string &line) {
    if (++count <= shown)
      text += "\n  " + line;
  }
  bool empty() const { return count == 0; }
  std::string take(const std::string &path, const char *model) const {
    std::string rest = count > shown ? "\n  .. and " + std::to_string(count - shown) + " more" : "";
    return printable(path) + " does not fit model " + printable(model) + ":" + text + rest;
  }

private:
  static constexpr size_t shown = 100;
  std::string text;
  size_t count = 0;
};
} // namespace

static std::string describe(const char *type, const int64_t *shape, size_t rank) {
  return std::string(ShapeText(shape, int64_t(rank)).get()) + " " + type;
}

static std::string describe(const StoredTensor &stored) {
  return describe(fileTypeOf(stored.tensor->dtype).name, stored.share.whole.data(), stored.share.whole.size());
}

static const FileTensor *findTensor(const SafetensorsHeader &header, const char *name) {
  auto found = std::lower_bound(header.tensors.begin(), header.tensors.end(), name,
                                [](const FileTensor &tensor, const char *key) { return tensor.name < key; });
  return found != header.tensors.end() && found->name == name ? &*found : nullptr;
}

static Differences compare(const xfrt_parameters &store, const SafetensorsHeader &header, uint32_t contents) {
  Differences differences;
  for (const StoredTensor &stored : store.tensors) {
    if (!stored.isIn(contents))
      continue;
    std::string name = printable(stored.tensor->name);
    const FileTensor *tensor = findTensor(header, stored.tensor->name);
    if (!tensor) {
      differences.add("missing: " + name + " (" + describe(stored) + ")");
      continue;
    }
    const int64_t *shape = header.shapeOf(*tensor);
    if (tensor->type->dtype != stored.tensor->dtype ||
        !std::equal(shape, shape + tensor->rank, stored.share.whole.begin(), stored.share.whole.end()))
      differences.add(name + ": expected " + describe(stored) + ", got " +
                      describe(tensor->type->name, shape, tensor->rank));
  }
  for (const FileTensor &tensor : header.tensors)
    if (!(contents & XFRT_ALLOW_EXTRA) && !store.indexOf.count(tensor.name))
      differences.add("not in the model: " + printable(tensor.name) + " (" +
                      describe(tensor.type->name, header.shapeOf(tensor), tensor.rank) + ")");
  return differences;
}

/// Reads this rank's shares of the tensors of `contents`.
static bool readTensors(const xfrt_parameters &store, const InputFile &file, const SafetensorsHeader &header,
                        uint32_t contents, std::string &error) {
  for (const StoredTensor &stored : store.tensors) {
    if (!stored.isIn(contents))
      continue;
    const int64_t begin = header.dataBegin + findTensor(header, stored.tensor->name)->begin;
    const int64_t bytes = stored.elementBytes();
    auto read = [&](int64_t of, int64_t to, int64_t count) {
      return file.read(begin + of * bytes, stored.data + to * bytes, count * bytes, error);
    };
    if (!stored.share.forEachRun(store.rank(), read))
      return false;
  }
  return file.checkUnchanged(error);
}

/// Opens a file and reads its header. Fails if the header does not fit the model.
static xfrt_status openFile(xfrt_parameters &store, const std::string &path, uint32_t contents, InputFile &file,
                            SafetensorsHeader &header) {
  std::string error;
  if (!file.open(path, error))
    return store.fail(XFRT_IO_ERROR, error);
  bool malformed = false;
  if (!readSafetensorsHeader(file, header, malformed, error))
    return store.fail(malformed ? XFRT_BAD_FILE : XFRT_IO_ERROR, printable(path) + ": " + error);
  Differences differences = compare(store, header, contents);
  if (!differences.empty())
    return store.fail(XFRT_PARAMETER_MISMATCH, differences.take(path, store.model->name));
  return XFRT_OK;
}

/// Returns the status of `work`, or XFRT_OUT_OF_MEMORY if it throws bad_alloc. An exception must not pass, because
/// other ranks wait for this rank's status.
template <typename Work>
static xfrt_status statusOf(xfrt_parameters &store, const Work &work) {
  try {
    return work();
  } catch (const std::bad_alloc &) {
    return store.fail(XFRT_OUT_OF_MEMORY, "out of memory");
  }
}

static xfrt_status load(xfrt_parameters &store, const char *given, uint32_t contents) {
  InputFile file;
  SafetensorsHeader header;
  std::string path, error;
  xfrt_status status = statusOf(store, [&] {
    path = given ? given : "";
    return given ? openFile(store, path, contents, file, header) : store.fail(XFRT_INVALID_ARGUMENT, "expected a path");
  });
  if ((status = xfrt::agree(store, uint64_t(file.size()) << 3 | contents, status))) // before any value changes
    return status;
  status = statusOf(store, [&] {
    return readTensors(store, file, header, contents, error)
               ? XFRT_OK
               : store.fail(XFRT_IO_ERROR, printable(path) + ": " + error);
  });
  if ((status = xfrt::agree(store, contents, status)))
    return status;
  store.metadata = std::move(header.metadata);
  return XFRT_OK;
}

xfrt_status xfrt_parameters_load(xfrt_parameters *store, const char *path, uint32_t contents) {
  if (!store)
    return XFRT_INVALID_ARGUMENT;
  if (xfrt_status status = requireRanks(*store))
    return status;
  try {
    return load(*store, path, contents);
  } catch (const std::bad_alloc &) {
    return store->fail(XFRT_OUT_OF_MEMORY, "out of memory");
  }
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

/// Describes a tensor of the store as a file declares it.
static DeclaredTensor declared(const StoredTensor &stored) {
  return {stored.tensor->name, &fileTypeOf(stored.tensor->dtype), stored.share.whole};
}

/// Returns the tensors of `contents` in the order in which a file has them.
static std::vector<const StoredTensor *> fileOrder(const xfrt_parameters &store, uint32_t contents) {
  std::vector<const StoredTensor *> order;
  for (const StoredTensor &stored : store.tensors)
    if (stored.isIn(contents))
      order.push_back(&stored);
  std::sort(order.begin(), order.end(),
            [](const StoredTensor *a, const StoredTensor *b) { return declared(*a).isBefore(declared(*b)); });
  return order;
}

/// Sets `header` to the bytes of a file before its data. `metadata` has `count` pairs of key and value.
static xfrt_status makeHeader(xfrt_parameters &store, const std::vector<const StoredTensor *> &order,
                              const char *const *metadata, int32_t count, std::string &header) {
  std::map<std::string, std::string> texts;
  for (const char *const *pair = metadata; pair != metadata + 2 * count; pair += 2)
    if (!pair[0] || !pair[1] || !texts.emplace(pair[0], pair[1]).second)
      return store.fail(XFRT_INVALID_ARGUMENT, "expected metadata of different keys and values");
  std::vector<DeclaredTensor> tensors;
  for (const StoredTensor *stored : order)
    tensors.push_back(declared(*stored));
  std::string error;
  return makeSafetensorsHeader(tensors, texts, header, error) ? XFRT_OK : store.fail(XFRT_INVALID_ARGUMENT, error);
}

namespace {
/// The state of a file that is being written.
struct Saving {
  std::vector<const StoredTensor *> order;
  GatherShares shares;
  OutputFile file; ///< the file, which only rank 0 writes
};
} // namespace

/// Allocates all memory for saving, so that no rank fails for lack of it later. On rank 0 also creates the file and
/// writes the header.
static xfrt_status beginSaving(xfrt_parameters &store, const char *path, uint32_t contents, const char *const *metadata,
                               int32_t metadataCount, Saving &saving) {
  std::string header, error;
  saving.order = fileOrder(store, contents);
  if (!path || metadataCount < 0 || (metadataCount > 0 && !metadata))
    return store.fail(XFRT_INVALID_ARGUMENT, "expected a path, and metadata or none");
  if (xfrt_status status = makeHeader(store, saving.order, metadata, metadataCount, header))
    return status;
  for (const StoredTensor *stored : saving.order)
    if (!saving.shares.reserve(stored->share, stored->bytes))
      return store.fail(XFRT_OUT_OF_MEMORY, "out of memory");
  if (store.rank() == 0 &&
      (!saving.file.create(path, error) || !saving.file.write(header.data(), int64_t(header.size()), error)))
    return store.fail(XFRT_IO_ERROR, error);
  return XFRT_OK;
}

/// Saves the tensors of `contents` to the file `path`. Rank 0 writes the file. If one of its writes fails, rank 0 still
/// receives the tensors that other ranks send. All ranks return the same status, after the file is complete.
static xfrt_status save(xfrt_parameters &store, const char *path, uint32_t contents, const char *const *metadata,
                        int32_t metadataCount) {
  const bool writes = store.rank() == 0;
  std::string error;
  Saving saving = {{}, GatherShares(store.channel.get()), {}};
  xfrt_status status =
      statusOf(store, [&] { return beginSaving(store, path, contents, metadata, metadataCount, saving); });
  if ((status = xfrt::agree(store, contents, status)))
    return status;
  for (const StoredTensor *stored : saving.order) {
    Message message;
    const char *all = nullptr;
    if (xfrt_status lost =
            saving.shares.gather(stored->share, stored->data, stored->bytes, stored->elementBytes(), &all, message))
      return store.fail(lost, message.get());
    if (writes && status == XFRT_OK)
      status = statusOf(store, [&] {
        return saving.file.write(all, stored->wholeBytes, error) ? XFRT_OK : store.fail(XFRT_IO_ERROR, error);
      });
  }
  if (writes && status == XFRT_OK)
    status = statusOf(store, [&] { return saving.file.commit(error) ? XFRT_OK : store.fail(XFRT_IO_ERROR, error); });
  return xfrt::agree(store, contents, status);
}

xfrt_status xfrt_parameters_save(xfrt_parameters *store, const char *path, uint32_t contents,
                                 const char *const *metadata, int32_t metadataCount) {
  if (!store)
    return XFRT_INVALID_ARGUMENT;
  if (xfrt_status status = requireRanks(*store))
    return status;
  try {
    return save(*store, path, contents, metadata, metadataCount);
  } catch (const std::bad_alloc &) {
    return store->fail(XFRT_OUT_OF_MEMORY, "out of memory");
  }
}

//===- Memory.cpp - Device memory of the simulated machine ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/Memory.h"
#include "test/ptx/execution/Shadow.h"

#include <string.h>

using namespace xf::ptx;

/// Where allocations begin, and what lies between them at least.
static constexpr uint64_t firstAddress = uint64_t(1) << 36;
static constexpr uint64_t guardBytes = 4096;

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

Allocation::Allocation() = default;
Allocation::~Allocation() = default;

/// The bits of word `word` that bytes [offset, end) have.
static uint64_t bitsOf(uint64_t word, uint64_t offset, uint64_t end) {
  uint64_t first = word * 64, bits = ~uint64_t(0);
  if (offset > first)
    bits &= ~uint64_t(0) << (offset - first);
  if (end < first + 64)
    bits &= ~uint64_t(0) >> (first + 64 - end);
  return bits;
}

bool Allocation::isInitialised(uint64_t offset, uint64_t count) const {
  uint64_t end = offset + count;
  for (uint64_t word = offset / 64; word * 64 < end; ++word) {
    uint64_t bits = bitsOf(word, offset, end);
    if ((initialised[word] & bits) != bits)
      return false;
  }
  return true;
}

void Allocation::setInitialised(uint64_t offset, uint64_t count, bool value) {
  uint64_t end = offset + count;
  for (uint64_t word = offset / 64; word * 64 < end; ++word) {
    uint64_t bits = bitsOf(word, offset, end);
    initialised[word] = value ? initialised[word] | bits : initialised[word] & ~bits;
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Memory::Memory(uint64_t limit) : limitBytes(limit), next(firstAddress) {}
Memory::~Memory() = default;

uint64_t Memory::allocate(uint64_t bytes, uint64_t alignment) {
  if (bytes == 0 || bytes > limitBytes - usedBytes || alignment == 0 || (alignment & (alignment - 1)))
    return 0;
  auto allocation = std::make_unique<Allocation>();
  allocation->address = (next + alignment - 1) & ~(alignment - 1);
  allocation->size = bytes;
  allocation->bytes.assign(bytes, 0xcd);
  allocation->initialised.assign((bytes + 63) / 64, 0);
  uint64_t address = allocation->address;
  next = address + bytes + guardBytes;
  usedBytes += bytes;
  allocations[address] = std::move(allocation);
  return address;
}

bool Memory::free(uint64_t address) {
  auto found = allocations.find(address);
  if (found == allocations.end())
    return false;
  usedBytes -= found->second->size;
  last = nullptr;
  allocations.erase(found);
  return true;
}

const Allocation *Memory::find(uint64_t address, uint64_t bytes) const {
  auto holds = [&](const Allocation *allocation) {
    return address >= allocation->address && bytes <= allocation->size &&
           address - allocation->address <= allocation->size - bytes;
  };
  if (last && holds(last))
    return last;
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return nullptr;
  Allocation *allocation = std::prev(after)->second.get();
  if (!holds(allocation))
    return nullptr;
  return last = allocation;
}

Allocation *Memory::find(uint64_t address, uint64_t bytes) {
  return const_cast<Allocation *>(std::as_const(*this).find(address, bytes));
}

bool Memory::write(uint64_t address, const void *data, uint64_t bytes) {
  Allocation *allocation = find(address, bytes);
  if (!allocation)
    return false;
  memcpy(allocation->bytes.data() + (address - allocation->address), data, bytes);
  allocation->setInitialised(address - allocation->address, bytes);
  return true;
}

bool Memory::read(uint64_t address, void *data, uint64_t bytes, bool allowUninitialised) const {
  const Allocation *allocation = find(address, bytes);
  if (!allocation || (!allowUninitialised && !allocation->isInitialised(address - allocation->address, bytes)))
    return false;
  memcpy(data, allocation->bytes.data() + (address - allocation->address), bytes);
  return true;
}

bool Memory::fill(uint64_t address, const void *pattern, uint64_t size, uint64_t count) {
  if (size != 0 && count > limitBytes / size)
    return false;
  Allocation *allocation = find(address, size * count);
  if (!allocation)
    return false;
  uint64_t offset = address - allocation->address;
  for (uint64_t i = 0; i < count; ++i)
    memcpy(allocation->bytes.data() + offset + i * size, pattern, size);
  allocation->setInitialised(offset, size * count);
  return true;
}

bool Memory::copy(uint64_t destination, uint64_t source, uint64_t bytes) {
  Allocation *from = find(source, bytes), *to = find(destination, bytes);
  if (!from || !to)
    return false;
  uint64_t fromOffset = source - from->address, toOffset = destination - to->address;
  std::vector<bool> written(bytes);
  for (uint64_t i = 0; i < bytes; ++i)
    written[i] = from->isInitialised(fromOffset + i, 1);
  memmove(to->bytes.data() + toOffset, from->bytes.data() + fromOffset, bytes);
  for (uint64_t i = 0; i < bytes; ++i)
    to->setInitialised(toOffset + i, 1, written[i]);
  return true;
}

void Memory::clearShadows() {
  for (auto &entry : allocations)
    entry.second->shadow.reset();
}

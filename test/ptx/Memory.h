//===- Memory.h - Device memory of the simulated machine --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocations at device addresses, each with a guard behind it, its initialised bytes, and who touched it last.
// Not thread-safe: one thread uses a Memory at a time.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_MEMORY_H
#define XF_TEST_PTX_MEMORY_H

#include <map>
#include <memory>
#include <stddef.h>
#include <stdint.h>
#include <string>
#include <utility>
#include <vector>

namespace xf::ptx {

class Shadow;

/// One allocation. `initialised` has a bit per byte.
struct Allocation {
  uint64_t address = 0;
  uint64_t size = 0;
  bool constant = false; // kernels may not write it
  std::vector<uint8_t> bytes;
  std::vector<uint64_t> initialised;
  std::unique_ptr<Shadow> shadow; // of the running launch

  Allocation();
  ~Allocation();
  bool isInitialised(uint64_t offset, uint64_t count) const;
  void setInitialised(uint64_t offset, uint64_t count, bool value = true);
};

class Memory {
public:
  /// At most `limit` bytes are allocated at a time, by default 8 GiB.
  explicit Memory(uint64_t limit = uint64_t(8) << 30);
  ~Memory();

  /// Address of `bytes` new, uninitialised bytes; 0 when they are beyond the limit, or `bytes` is 0 or `alignment` is
  /// no power of two.
  uint64_t allocate(uint64_t bytes, uint64_t alignment = 256);

  /// False when `address` is not the address of an allocation.
  bool free(uint64_t address);

  /// Copies from and to the host. False, and nothing is copied, when a byte lies outside one allocation; `read` also
  /// when a byte was never written, unless `allowUninitialised`.
  bool write(uint64_t address, const void *data, uint64_t bytes);
  bool read(uint64_t address, void *data, uint64_t bytes, bool allowUninitialised = false) const;

  /// Repeats the `size` bytes at `pattern` `count` times.
  bool fill(uint64_t address, const void *pattern, uint64_t size, uint64_t count);

  /// Copies on the device. Bytes that were never written stay so at the destination. The ranges may overlap.
  bool copy(uint64_t destination, uint64_t source, uint64_t bytes);

  /// The allocation that holds all of [address, address + bytes), or null.
  Allocation *find(uint64_t address, uint64_t bytes = 1);
  const Allocation *find(uint64_t address, uint64_t bytes = 1) const;

  uint64_t used() const { return usedBytes; }
  uint64_t limit() const { return limitBytes; }

  /// Forgets who touched memory: a launch begins.
  void clearShadows();

private:
  friend uint64_t variableAddress(const class Module &module, const std::string &name, Memory &memory);
  friend void unload(const class Module &module, Memory &memory);

  uint64_t limitBytes;
  uint64_t usedBytes = 0;
  uint64_t next;
  std::map<uint64_t, std::unique_ptr<Allocation>> allocations;
  std::map<std::pair<const void *, std::string>, uint64_t> variables; // of loaded modules
  mutable Allocation *last = nullptr;                                 // that find() returned
};

} // namespace xf::ptx

#endif // XF_TEST_PTX_MEMORY_H

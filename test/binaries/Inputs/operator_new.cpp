//===- operator_new.cpp - An operator new of an application ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As pools have it: what it returns is nothing that free() or another operator delete could take.
//
//===----------------------------------------------------------------------===//

#include <cstdlib>
#include <new>

static constexpr std::size_t header = 64;

void *operator new(std::size_t size) {
  if (char *memory = static_cast<char *>(std::malloc(size + header)))
    return memory + header;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept {
  if (memory)
    std::free(static_cast<char *>(memory) - header);
}
void operator delete(void *memory, std::size_t) noexcept { operator delete(memory); }

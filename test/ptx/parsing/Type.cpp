//===- Type.cpp - Types of PTX instructions -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/parsing/Type.h"

using namespace xf::ptx;

namespace {
struct TypeRow {
  const char *name;
  uint32_t bits;
};
} // namespace

/// In the order of Type.
static constexpr TypeRow types[] = {{"", 0},      {"pred", 1}, {"b8", 8},   {"b16", 16},   {"b32", 32},  {"b64", 64},
                                    {"u8", 8},    {"u16", 16}, {"u32", 32}, {"u64", 64},   {"s8", 8},    {"s16", 16},
                                    {"s32", 32},  {"s64", 64}, {"f16", 16}, {"f16x2", 32}, {"bf16", 16}, {"bf16x2", 32},
                                    {"tf32", 32}, {"f32", 32}, {"f64", 64}};

Type xf::ptx::typeNamed(std::string_view name) {
  for (int i = 1; i <= static_cast<int>(Type::F64); ++i)
    if (name == types[i].name)
      return static_cast<Type>(i);
  return Type::None;
}

const char *xf::ptx::nameOf(Type type) { return types[static_cast<int>(type)].name; }

uint32_t xf::ptx::bitsOf(Type type) { return types[static_cast<int>(type)].bits; }

//===- Type.h - Types of PTX instructions -----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_PARSING_TYPE_H
#define XF_TEST_PTX_PARSING_TYPE_H

#include <stdint.h>
#include <string_view>

namespace xf::ptx {

enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  F16x2,
  BF16,
  BF16x2,
  TF32,
  F32,
  F64
};

/// Type::None when `name` ("f32") is no type.
Type typeNamed(std::string_view name);
const char *nameOf(Type type);

/// 1 for predicates.
uint32_t bitsOf(Type type);
inline uint32_t bytesOf(Type type) { return bitsOf(type) / 8; }

inline bool isSigned(Type type) { return type >= Type::S8 && type <= Type::S64; }
inline bool isUnsigned(Type type) { return type >= Type::U8 && type <= Type::U64; }
inline bool isBits(Type type) { return type >= Type::B8 && type <= Type::B64; }
inline bool isFloat(Type type) { return type >= Type::F16; }

} // namespace xf::ptx

#endif // XF_TEST_PTX_PARSING_TYPE_H

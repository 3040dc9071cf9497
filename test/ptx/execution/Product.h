//===- Product.h - Small products of matrices -------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_EXECUTION_PRODUCT_H
#define XF_TEST_PTX_EXECUTION_PRODUCT_H

#include <stdint.h>

namespace xf::ptx {

/// c[rows][columns] += a[rows][depth] b[depth][columns], row-major. Each sum is a chain of f32 fused multiply-adds over
/// the depth, in order, that begins with c. Tensor cores add in an order and with roundings of their own.
void multiply(float *c, const float *a, const float *b, int rows, int columns, int depth);

/// The value of 16 bits of f16 or bf16, and of an f32 with the 13 bits cut off that tf32 lacks.
enum class Element : uint8_t { F16, BF16, TF32 };
float elementOf(Element type, uint32_t bits);
/// Of 16 bytes: eight of 16 bits, or four tf32.
void elementsOf(Element type, const uint8_t *bytes, float *values);
inline int elementsOfUnit(Element type) { return type == Element::TF32 ? 4 : 8; }

} // namespace xf::ptx

#endif // XF_TEST_PTX_EXECUTION_PRODUCT_H

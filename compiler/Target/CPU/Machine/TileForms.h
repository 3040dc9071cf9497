//===- TileForms.h - Instructions on tiles of matrices -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix unit multiplies *tiles*: registers of 16 rows of 64 bytes. One instruction adds the product of a tile
// A[16][32] (bf16) and a tile B[16][16][2] (bf16) to a tile of sums C[16][16] (f32). Rows of A are read as they lie in
// memory. B is a part of a panel that is packed for a vector instruction of two terms (ProductForm.h).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_MACHINE_TILEFORMS_H
#define XF_COMPILER_TARGET_CPU_MACHINE_TILEFORMS_H

#include "compiler/Target/CPU/Machine/ProductForms.h"

namespace mlir::xf::cpu {

/// The instructions of a matrix unit: Intel's AMX, or code that emulates it as Intel's manual defines it. Use each tile
/// value once, because an addition may overwrite the tile of sums.
class TileForm {
public:
  static constexpr int64_t rows = 16;     ///< of a tile of A and of sums
  static constexpr int64_t columns = 16;  ///< of a tile of B and of sums
  static constexpr int64_t terms = 32;    ///< that one instruction adds
  static constexpr int64_t rowBytes = 64; ///< of any tile

  /// Returns the form that a machine has for matrices of `stored` whose terms are adjacent. Returns nullopt if it has
  /// none.
  static std::optional<TileForm> get(const CpuMachine &machine, Type stored);

  /// Returns the form in which panels are packed: the vector instruction that adds two terms.
  const ProductForm &panels() const { return form; }

  /// Returns the type of a value that stands for a tile.
  Type type(KernelBuilder &kb) const;
  /// Returns a tile of zeros.
  Value zero(KernelBuilder &kb) const;
  /// Load and store a tile whose rows lie `stride` bytes apart.
  Value load(KernelBuilder &kb, Value pointer, Value stride) const;
  void store(KernelBuilder &kb, Value tile, Value pointer, Value stride) const;
  /// Returns sum + a b.
  Value addProduct(KernelBuilder &kb, Value sum, Value a, Value b) const;

private:
  TileForm(const ProductForm &form, bool isEmulated) : form(form), isEmulated(isEmulated) {}

  ProductForm form;
  bool isEmulated;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_MACHINE_TILEFORMS_H

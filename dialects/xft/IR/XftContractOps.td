//===- XftContractOps.td - Matrix products as kernels --------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums. The sum over k of xft.contract is made of runs of 512 terms. The terms of a run are added in order, one fused
// multiply-add each, in f32 (f64 for f64). The sum of a run is then added to the sum of the runs before it. On a GPU,
// runs have the target's own length, and their terms are added as its instructions do. So the bits of an element depend
// neither on tile sizes nor on other rows.
//
// Tiles. The register tile has `rows` x `columns` elements. The grid has batch x ceil(N / columns) x ceil(M / block)
// tiles, the last dimension fastest. A tile has at most `block` rows of C, and `columns` columns, which is the width of
// a panel of B. With `panels`, a tile has that many panels, and goes through blocks of `depth` terms of all of them: a
// sum too long for the caches then reads A once for all these panels. Without `panels`, `depth` is the largest number
// of terms that are summed before the sums of a tile are put aside, so that a panel of B stays in the second-level
// cache.
//
// Operands. Their static strides name their form:
// - `a` [.., M, K] has any strides. Code is good at a stride of 1 in k (row-major) or in m (transposed). With a static
//   stride of 1 in m, each worker packs the rows of a block into its scratch memory, once per run of tiles with the
//   same rows; the second dimension of the grid is then the fastest. With `widened`, a worker also packs rows: 16-bit
//   floats become numbers of the type of sums, which instructions multiply.
// - `b` [.., K, N] has a stride of 1 in n, or in k (the weight of y = x W^T). Each worker packs panels into its scratch
//   memory, once per run of tiles with the same panels or, if rows are packed, once per tile. With one dimension more,
//   [.., ceil(N / columns), K, columns], `b` holds panels that xft.pack_panels wrote, with zeros beyond N.
//
// Warpgroups. With `warpgroups`, terms come by TMA copies of a and b (`xft.tensor_maps`), in boxes of 64 elements along
// their unit strides. The grid has bands of 16 blocks of rows. In a band, rows run fastest, then columns.
//
//===----------------------------------------------------------------------===//

#ifndef XFT_CONTRACT_OPS_TD
#define XFT_CONTRACT_OPS_TD

include "dialects/xft/IR/XftRegions.td"
include "dialects/xft/IR/XftSchedules.td"

def Xft_ContractOp : Xft_Op<"contract", [AttrSizedOperandSegments, SingleBlock, HasParent<"::mlir::func::FuncOp">]> {
  let summary = "C[b, m, n] = epilogue(sum_k A[b, m, k] B[b, k, n], extra operands[b, m, n]..)";
  let description = [{
    The grid, the order of sums and the forms of operands are those at the head of this file. Operands have any number of
    equal leading batch dimensions.

    `ins` and `outs` [.., M, N] have an innermost stride of 1, or of 0 for a value per row (`ins` only); a stride of 0 in m
    makes a value per column. An operand both in `ins` and `outs` is updated in place. The region sees the
    sum and one element of each of `ins`, in the type that is computed in, and yields one element for each of `outs`.

    C1 ranks and static strides as said. C2 one element type of A and B; panels may have that of sums. C3 the region as said. C4 `columns`
    is a multiple of 2, `block` of `rows`, `depth` of a run's 512 terms; sizes are positive. C5 `warpgroups` go with one
    panel, unpacked floats of 16 bits, static unit strides in a and b, `block` a multiple of 64 rows for each consumer
    warpgroup and `columns` of 64, 256 at most. C6 `widened` rows are floats of 16 bits with a static stride of 1 in k,
    without `warpgroups`.

    ```mlir
    func.func private @linear(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>,
                              %w: memref<?x?xf32, strided<[1, ?]>>, %bias: memref<?x?xf32, strided<[0, 1]>>,
                              %y: memref<?x?xf32, strided<[?, 1]>>) attributes {xft.kernel} {
      xft.contract %x, %w ins(%bias) outs(%y) rows 6 columns 16 block 96 depth 4096
          : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[1, ?]>>, memref<?x?xf32, strided<[0, 1]>>, memref<?x?xf32, strided<[?, 1]>> {
      ^bb0(%sum: f32, %b: f32):
        %z = arith.addf %sum, %b : f32
        xft.yield %z : f32
      }
      return
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$a, AnyMemRef:$b, Variadic<AnyMemRef>:$ins, Variadic<AnyMemRef>:$outs,
                   ConfinedAttr<I64Attr, [IntPositive]>:$rows, ConfinedAttr<I64Attr, [IntPositive]>:$columns,
                   ConfinedAttr<I64Attr, [IntPositive]>:$block, ConfinedAttr<I64Attr, [IntPositive]>:$depth,
                   DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$panels,
                   UnitAttr:$widened, OptionalAttr<Xft_Warpgroups>:$warpgroups);
  let regions = (region SizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    $a `,` $b (`ins` `(` $ins^ `)`)? `outs` `(` $outs `)` `rows` $rows `columns` $columns `block` $block `depth` $depth
    (`panels` $panels^)? (`widened` $widened^)? (`warpgroups` $warpgroups^)? attr-dict `:` type(operands) $epilogue
  }];
  let extraClassDeclaration = [{
    /// Whether `b` holds panels that `xft.pack_panels` wrote.
    bool isPacked();
    /// Whether workers pack rows of `a`: elements of a row are not adjacent, or rows are widened.
    bool packsRows();
    /// Whether workers write panels of `b` to scratch memory before products read them: panels are not packed, or they
    /// are widened for many rows.
    bool packsPanels();
    /// The number of terms of a run.
    static constexpr int64_t runTerms = 512;
    /// With warpgroups: the number of terms of a stage, the number of rows of the tile that a warpgroup computes at
    /// once, and the number of blocks of rows in a band.
    static constexpr int64_t stageTerms = 64, groupRows = 64, bandBlocks = 16;
    /// The least number of rows of a register tile for which it pays to write widened panels to scratch memory.
    static constexpr int64_t manyRows = 6;
    /// The number of elements between the packed rows of two register tiles, in addition to their terms.
    static constexpr int64_t packedTilePadding = 16;
    /// Returns the element type of the sums.
    ::mlir::Type getSumType();
    /// Returns the bytes of a worker's scratch memory that the kernel uses.
    int64_t getScratchBytes();
  }];
  let hasVerifier = 1;
}

def Xft_PackPanelsOp : Xft_Op<"pack_panels", [HasParent<"::mlir::func::FuncOp">]> {
  let summary = "panels[b, n div columns, k, n mod columns] = B[b, k, n], zero beyond N";
  let description = [{
    The body of a kernel whose grid is batch x ceil(N / columns) tiles: writes B once in the order in which
    `xft.contract` reads it, for products that use it many times (weights). Elements stay as they are, or become those
    that sums have.

    C1 `b` [.., K, N] with a static stride of 1 in n or k. C2 `panels` [.., ceil(N / columns), K, columns] with static innermost size
    and strides [.., columns, 1], of b's type or that of sums, f32 (f64 for f64).

    ```mlir
    func.func private @pack(%begin: i64, %end: i64, %scratch: !llvm.ptr, %w: memref<?x?xf32, strided<[1, ?]>>,
                            %panels: memref<?x?x16xf32, strided<[?, 16, 1]>>) attributes {xft.kernel} {
      xft.pack_panels %w into %panels : memref<?x?xf32, strided<[1, ?]>>, memref<?x?x16xf32, strided<[?, 16, 1]>>
      return
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$b, AnyMemRef:$panels);
  let assemblyFormat = "$b `into` $panels attr-dict `:` type($b) `,` type($panels)";
  let hasVerifier = 1;
}

#endif // XFT_CONTRACT_OPS_TD

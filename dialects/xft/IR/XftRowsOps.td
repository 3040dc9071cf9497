//===- XftRowsOps.td - Rows and columns as kernels ------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that go over rows. They compute all that is not a product: element-wise maps, norms, softmax, reductions,
// losses, embeddings, optimisers, copies.
//
//===----------------------------------------------------------------------===//

#ifndef XFT_ROWS_OPS_TD
#define XFT_ROWS_OPS_TD

include "dialects/xft/IR/XftRegions.td"

def Xft_Combiner : I32Enum<"Combiner", "how partial results become one", [
    I32EnumCase<"add", 0>,
    I32EnumCase<"max", 1> // NaN if either is
  ]> {
  let cppNamespace = "::mlir::xft";
}
def Xft_CombinerAttr : EnumAttr<Xft_Dialect, Xft_Combiner, "combiner">;

def Xft_RowsOp : Xft_Op<"rows", [AttrSizedOperandSegments, SingleBlock, NoTerminator, HasParent<"::mlir::func::FuncOp">]> {
  let summary = "for each row of an outer space: phases over its columns, scalars between them";
  let description = [{
    The body of a kernel. Rows are the points of the space `outer`; each has `columns` elements. The last outer dimension is
    cut into `blocks` blocks of ceil(size / blocks) rows, the columns into a second number of blocks (multiples of 64
    columns): the grid is product(outer but the last) x row blocks x column blocks tiles, the last
    one fastest.

    The body runs once per row, whose number is the block's argument: `xft.cols` loops over the columns, other ops compute
    one value per row.

    Memrefs have one dimension for each outer one and one for the columns; a stride of 0 repeats. The static stride of the
    columns is 1 (contiguous), 0 (one element for the whole row) or another.

    C1 at least one outer dimension. C2 a body of the ops above, of arith and of math. C3 no reduction over columns that are cut into blocks.

    ```mlir
    func.func private @l2(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>,
                          %y: memref<?x?xf32, strided<[?, 1]>>, %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
      xft.rows outer(%n) columns(%d) blocks(%blocks) {
      ^bb0(%row: i64):
        %sum = xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) combine(add) -> f32 {
        ^bb0(%column: i64, %e: f32):
          %s = arith.mulf %e, %e : f32
          xft.yield %s : f32
        }
        %norm = math.sqrt %sum : f32
        xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) {
        ^bb0(%column: i64, %e: f32):
          %s = arith.divf %e, %norm : f32
          xft.yield %s : f32
        }
      }
      return
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$outer, Index:$columns, Index:$rowBlocks, Optional<Index>:$columnBlocks);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `outer` `(` $outer `)` `columns` `(` $columns `)` `blocks` `(` $rowBlocks (`,` $columnBlocks^)? `)` attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Xft_ColsOp : Xft_Op<"cols", [AttrSizedOperandSegments, SingleBlock, HasParent<"RowsOp">]> {
  let summary = "one loop over the columns of a row";
  let description = [{
    The region sees the number of the column and one element of each of `ins`, in the type that is computed in (f32 for
    f16 and bf16), and yields, in this order: a term of each reduction, an element of each of `outs`, a term of each of
    `accs`. Reductions and accumulators have a combiner each: `combine` lists them, reductions first. A reduction's result is one scalar of the row.
    An accumulator belongs to a tile and its columns: it starts at the combiner's identity when the tile starts; its last outer coordinate is the
    row block.

    C1 ranks: outer + 1, or 1 for the result of `xft.row`. C2 outputs and accumulators have a column stride of 1 or,
    outputs only, a dynamic one. C3 accumulators hold the type that is computed in. C4 one combiner for each result and accumulator. C5 the
    region, see above.

    ```mlir
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %table: memref<?x?xf32, strided<[?, 1]>>,
                         %y: memref<?x?xf32, strided<[?, 1]>>, %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
      xft.rows outer(%n) columns(%d) blocks(%blocks) {
      ^bb0(%row: i64):
        %sum = xft.cols ins(%table : memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) combine(add) -> f32 {
        ^bb0(%column: i64, %e: f32):
          %s = arith.mulf %e, %e : f32
          xft.yield %s, %e : f32, f32
        }
      }
      return
    }
    ```
  }];
  let arguments = (ins Variadic<AnyMemRef>:$ins, Variadic<AnyMemRef>:$outs, Variadic<AnyMemRef>:$accs,
                   TypedArrayAttrBase<Xft_CombinerAttr, "combiners">:$combiners);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $ins^ `:` type($ins) `)`)? (`outs` `(` $outs^ `:` type($outs) `)`)? (`accs` `(` $accs^ `:` type($accs) `)`)?
    custom<Combiners>($combiners) (`->` type($results)^)? attr-dict-with-keyword $body
  }];
  let extraClassDeclaration = [{
    Combiner getCombiner(unsigned number) { return ::mlir::cast<CombinerAttr>(getCombiners()[number]).getValue(); }
    /// The operands of the region's terminator: the terms of reductions, the elements of outputs and the terms of
    /// accumulators.
    ::mlir::OperandRange getReductionTerms();
    ::mlir::OperandRange getOutputElements();
    ::mlir::OperandRange getAccumulatorTerms();
  }];
  let hasVerifier = 1;
}

def Xft_RowOp : Xft_Op<"row", [Pure, HasParent<"RowsOp">]> {
  let summary = "the row of `source` whose last outer coordinate is `index`, limited to the rows that exist";
  let description = [{
    C1 `source` has the rank of the kernel's operands; the result has rank 1, its element type and its static column stride.

    ```mlir
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %table: memref<?x?xf32, strided<[?, 1]>>,
                         %y: memref<?x?xf32, strided<[?, 1]>>, %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
      xft.rows outer(%n) columns(%d) blocks(%blocks) {
      ^bb0(%row: i64):
        %r = xft.row %table[%row] : memref<?x?xf32, strided<[?, 1]>> to memref<?xf32, strided<[1]>>
        xft.cols ins(%r : memref<?xf32, strided<[1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) {
        ^bb0(%column: i64, %e: f32):
          xft.yield %e : f32
        }
      }
      return
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$source, I64:$index);
  let results = (outs AnyMemRef:$row);
  let assemblyFormat = "$source `[` $index `]` attr-dict `:` type($source) `to` type($row)";
  let hasVerifier = 1;
}

def Xft_ElementLoadOp : Xft_Op<"element_load", [HasParent<"RowsOp">, MemoryEffects<[MemRead]>]> {
  let summary = "one element of the row, of column 0 if none is given, in the type that is computed in";
  let description = [{
    element = source[row, column], or source[row, 0], as a number of the type that is computed in (f32 for f16 and bf16).

    ```mlir
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %table: memref<?x?xf32, strided<[?, 1]>>,
                         %y: memref<?x?xf32, strided<[?, 1]>>, %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
      xft.rows outer(%n) columns(%d) blocks(%blocks) {
      ^bb0(%row: i64):
        %first = xft.element_load %table : memref<?x?xf32, strided<[?, 1]>> -> f32
        %c = arith.constant 1 : i64
        xft.element_store %first, %y[%c] : f32, memref<?x?xf32, strided<[?, 1]>>
      }
      return
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$source, Optional<I64>:$column);
  let results = (outs AnyType:$element);
  let assemblyFormat = "$source (`[` $column^ `]`)? attr-dict `:` type($source) `->` type($element)";
  let hasVerifier = 1;
}

def Xft_ElementStoreOp : Xft_Op<"element_store", [HasParent<"RowsOp">, MemoryEffects<[MemWrite]>]> {
  let summary = "writes one element of the row, of column 0 if none is given";
  let description = [{
    destination[row, column] = element, or destination[row, 0], rounded to the destination's type.

    ```mlir
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %table: memref<?x?xf32, strided<[?, 1]>>,
                         %y: memref<?x?xf32, strided<[?, 1]>>, %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
      xft.rows outer(%n) columns(%d) blocks(%blocks) {
      ^bb0(%row: i64):
        %one = arith.constant 1.0 : f32
        xft.element_store %one, %y : f32, memref<?x?xf32, strided<[?, 1]>>
      }
      return
    }
    ```
  }];
  let arguments = (ins AnyType:$element, AnyMemRef:$destination, Optional<I64>:$column);
  let assemblyFormat = "$element `,` $destination (`[` $column^ `]`)? attr-dict `:` type($element) `,` type($destination)";
  let hasVerifier = 1;
}

#endif // XFT_ROWS_OPS_TD

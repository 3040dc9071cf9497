//===- XftRowOrderOps.td - Rows whose columns depend on others ------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row ops in which columns depend on each other, so that xft.cols cannot compute them: running sums, sorted columns,
// and sums by index. Such an op is the only one in the body of an xft.rows.
//
//===----------------------------------------------------------------------===//

#ifndef XFT_ROW_ORDER_OPS_TD
#define XFT_ROW_ORDER_OPS_TD

include "dialects/xft/IR/XftDialect.td"

def Xft_CumsumOp : Xft_Op<"cumsum", [HasParent<"RowsOp">]> {
  let summary = "y[n] = x[0] + .. + x[n] in each row";
  let description = [{
    y[row, n] = the sum of x[row, m] over m <= n, or m >= n with `reverse`: of floats in f64, of integers modulo 2^width.

    C1 x and y have one dimension for each outer one of the xft.rows and one for the columns, which are not cut into
    blocks, and one element type.

    ```mlir
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>,
                         %y: memref<?x?xf32, strided<[?, 1]>>, %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
      xft.rows outer(%n) columns(%d) blocks(%blocks) {
      ^bb0(%row: i64):
        xft.cumsum %x to %y : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>
      }
      return
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$x, AnyMemRef:$y, UnitAttr:$reverse);
  let assemblyFormat = "$x `to` $y (`reverse` $reverse^)? attr-dict `:` type($x) `,` type($y)";
  let hasVerifier = 1;
}

def Xft_SortRowOp : Xft_Op<"sort_row", [HasParent<"RowsOp">]> {
  let summary = "the first columns of each row in order";
  let description = [{
    values[row, n] = x[row, indices[row, n]], where indices[row, ..] are the columns of the row's largest elements, the
    largest first, or of the smallest ones with `smallest`. Equal elements have the order of their columns, and NaN
    counts as larger than every number. values and indices have as many columns as are wanted, at most those of x.

    `keys` and `columns` are scratch memory with a row for each row block, of two halves: candidates are collected in the
    first one and sorted through the second. Half a row holds all columns of x, or those that are wanted and at least 256
    more, which bounds how often candidates are sorted.

    C1 memrefs have one dimension for each outer one of the xft.rows and one for the columns, which are not cut into
    blocks. C2 x and values have one type of floats, keys integers as wide, indices and columns integers. C3 scratch
    memory has unit stride.

    ```mlir
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>,
                         %v: memref<?x?xf32, strided<[?, 1]>>, %i: memref<?x?xi64, strided<[?, 1]>>,
                         %keys: memref<?x?xi32, strided<[?, 1]>>, %columns: memref<?x?xi32, strided<[?, 1]>>,
                         %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
      xft.rows outer(%n) columns(%d) blocks(%blocks) {
      ^bb0(%row: i64):
        xft.sort_row %x to %v, %i scratch %keys, %columns
          : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>, memref<?x?xi64, strided<[?, 1]>>,
            memref<?x?xi32, strided<[?, 1]>>, memref<?x?xi32, strided<[?, 1]>>
      }
      return
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$x, AnyMemRef:$values, AnyMemRef:$indices, AnyMemRef:$keys, AnyMemRef:$columns,
                       UnitAttr:$smallest);
  let assemblyFormat = [{
    $x `to` $values `,` $indices `scratch` $keys `,` $columns (`smallest` $smallest^)? attr-dict
    `:` type($x) `,` type($values) `,` type($indices) `,` type($keys) `,` type($columns)
  }];
  let hasVerifier = 1;
}

def Xft_SumRowOp : Xft_Op<"sum_row", [HasParent<"RowsOp">]> {
  let summary = "sums of the elements of each row by index";
  let description = [{
    y[row, c] = the sum of the x[row, n] with indices[row, n] = c, in the order of n; 0 where there is none. Indices
    outside of the columns of y, which are those of the xft.rows, count as the nearest ones.

    C1 memrefs have one dimension for each outer one of the xft.rows and one for the columns, which are not cut into
    blocks. C2 y has the type in which elements of x are computed, a float; indices are integers.

    ```mlir
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %i: memref<?x?xi32, strided<[?, 1]>>,
                         %x: memref<?x?xf16, strided<[?, 1]>>, %y: memref<?x?xf32, strided<[?, 1]>>,
                         %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
      xft.rows outer(%n) columns(%d) blocks(%blocks) {
      ^bb0(%row: i64):
        xft.sum_row %i, %x to %y : memref<?x?xi32, strided<[?, 1]>>, memref<?x?xf16, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>
      }
      return
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$indices, AnyMemRef:$x, AnyMemRef:$y);
  let assemblyFormat = "$indices `,` $x `to` $y attr-dict `:` type($indices) `,` type($x) `,` type($y)";
  let hasVerifier = 1;
}

#endif // XFT_ROW_ORDER_OPS_TD

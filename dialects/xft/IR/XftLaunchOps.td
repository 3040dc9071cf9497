//===- XftLaunchOps.td - What a host program is made of ------------*- tablegen -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFT_LAUNCH_OPS_TD
#define XFT_LAUNCH_OPS_TD

include "dialects/xft/IR/XftHostSteps.td"

def Xft_LaunchOp : Xft_Op<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>,
                                     DeclareOpInterfaceMethods<Xft_HostStep, ["getReadBuffers", "getWrittenBuffers"]>]> {
  let summary = "runs the tiles [0, tiles) of a kernel, in any order and on any worker";
  let description = [{
    C1 the callee is a kernel of the module. C2 operands match its operands after (begin, end, scratch): indices, and
    memrefs of equal rank and element type whose static sizes and strides, where the kernel's type states one, are equal.
    As a step it may read and write every buffer among its operands: what its kernel does with each is not derived.

    ```mlir
    func.func private @fill(%begin: i64, %end: i64, %scratch: !llvm.ptr, %y: memref<?x?xf32>, %n: index, %d: index,
                            %blocks: index) attributes {xft.kernel} {
      xft.rows outer(%n) columns(%d) blocks(%blocks) {
      ^bb0(%row: i64):
        xft.cols outs(%y : memref<?x?xf32>) {
        ^bb0(%column: i64):
          %zero = arith.constant 0.0 : f32
          xft.yield %zero : f32
        }
      }
      return
    }
    func.func @zeros(%y: memref<8x16xf32> {xft.result = 0 : i64}) attributes {xft.entry} {
      %n = arith.constant 8 : index
      %d = arith.constant 16 : index
      xft.launch @fill tiles(%n) (%y, %n, %d, %n : memref<8x16xf32>, index, index, index)
      return
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Index:$tiles, Variadic<AnyTypeOf<[AnyMemRef, Index]>>:$actuals);
  let assemblyFormat = "$kernel `tiles` `(` $tiles `)` (`(` $actuals^ `:` type($actuals) `)`)? attr-dict";
}

def Xft_TensorMap : AttrDef<Xft_Dialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "how a kernel on a GPU reads one of its operands by boxes";
  let description = [{
    The operand (its number among those after (begin, end, scratch)) seen as a tensor whose dimensions are listed innermost
    first: `sizes` maps the operand's sizes to those of the tensor, `strides` its strides; the innermost one is 1. A copy
    takes `box` elements from where its coordinates say, zeros outside of the tensor, and writes them to shared memory in
    the swizzle of 128 bytes: a row of the box is 128 bytes long. The list `xft.tensor_maps` of a kernel has them all.
  }];
  let parameters = (ins "int64_t":$operand, "::mlir::AffineMap":$sizes, "::mlir::AffineMap":$strides,
      ArrayRefParameter<"int64_t">:$box);
  let assemblyFormat = "`<` `operand` `=` $operand `,` `sizes` `=` $sizes `,` `strides` `=` $strides `,` `box` `=` `[` $box `]` `>`";
}

def Xft_ArenaOp : Xft_Op<"arena", [Pure]> {
  let summary = "a buffer at a byte offset of the entry's arena";
  let description = [{
    An intermediate buffer of a host program, after the stage `memory`. Buffers whose lifetimes overlap do not.

    ```mlir
    %offset = arith.constant 4096 : index
    %buffer = xft.arena %offset : memref<64x64xf32>
    ```
  }];
  let arguments = (ins Index:$offset);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "$offset attr-dict `:` type($buffer)";
}

def Xft_ArenaSizeOp : Xft_Op<"arena_size"> {
  let summary = "bytes of the entry's arena";
  let description = [{
    The runtime allocates the arena of a call with at least so many bytes, aligned to a cache line.

    ```mlir
    %bytes = arith.constant 65536 : index
    xft.arena_size %bytes
    ```
  }];
  let arguments = (ins Index:$bytes);
  let assemblyFormat = "$bytes attr-dict";
}

def Xft_RequireEqualOp : Xft_Op<"require_equal"> {
  let summary = "two dynamic sizes that the runtime checks to be equal before the first step";
  let description = [{
    A call whose arguments break the equality fails with an error that names both arguments; nothing has run then.

    ```mlir
    func.func @same(%x: memref<?xf32>, %y: memref<?xf32>) attributes {xft.entry} {
      %zero = arith.constant 0 : index
      %n = memref.dim %x, %zero : memref<?xf32>
      %m = memref.dim %y, %zero : memref<?xf32>
      xft.require_equal %n, %m
      return
    }
    ```
  }];
  let arguments = (ins Index:$x, Index:$y);
  let assemblyFormat = "$x `,` $y attr-dict";
}

#endif // XFT_LAUNCH_OPS_TD

//===- XftLaunchOps.td - What a host program is made of ------------*- tablegen -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFT_LAUNCH_OPS_TD
#define XFT_LAUNCH_OPS_TD

include "dialects/xft/IR/XftDialect.td"

def Xft_LaunchOp : Xft_Op<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs the tiles [0, tiles) of a kernel, in any order and on any worker";
  let description = [{
    C1 the callee is a kernel of the module. C2 operands match its operands after (begin, end, scratch): indices, and
    memrefs of equal rank and element type whose static sizes and strides, where the kernel's type states one, are equal.

    ```mlir
    xft.launch @add tiles(%n) (%a, %b : memref<8xf32>, memref<8xf32>)
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
  let arguments = (ins Index:$offset);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "$offset attr-dict `:` type($buffer)";
}

def Xft_ArenaSizeOp : Xft_Op<"arena_size"> {
  let summary = "bytes of the entry's arena";
  let arguments = (ins Index:$bytes);
  let assemblyFormat = "$bytes attr-dict";
}

def Xft_RequireEqualOp : Xft_Op<"require_equal"> {
  let summary = "two dynamic sizes that the runtime checks to be equal before the first launch";
  let arguments = (ins Index:$x, Index:$y);
  let assemblyFormat = "$x `,` $y attr-dict";
}

#endif // XFT_LAUNCH_OPS_TD

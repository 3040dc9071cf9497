//===- XftLaunchOps.td - What a host program is made of ------------*- tablegen -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFT_LAUNCH_OPS_TD
#define XFT_LAUNCH_OPS_TD

include "dialects/xft/IR/XftDialect.td"

def Xft_When : I32Enum<"When", "in which calls a launch runs", [
    I32EnumCase<"always", 0>,
    I32EnumCase<"fills_held", 1>, // the handle holds parameters and the form that the launch writes is out of date
    I32EnumCase<"if_held", 2>,
    I32EnumCase<"if_not_held", 3>
  ]> {
  let cppNamespace = "::mlir::xft";
}
def Xft_WhenAttr : EnumAttr<Xft_Dialect, Xft_When, "when">;

def Xft_LaunchOp : Xft_Op<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs the tiles [0, tiles) of a kernel, in any order and on any worker";
  let description = [{
    C1 the callee is a kernel of the module. C2 operands match its operands after (begin, end, scratch): indices, and
    memrefs of equal rank and element type whose static sizes and strides, where the kernel's type states one, are equal.
    C3 a launch that fills a held form reads an argument, its first operand, and writes an `xft.held`, its second.

    ```mlir
    xft.launch @add tiles(%n) (%a, %b : memref<8xf32>, memref<8xf32>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Index:$tiles, Variadic<AnyTypeOf<[AnyMemRef, Index]>>:$actuals,
                   DefaultValuedAttr<Xft_WhenAttr, "::mlir::xft::When::always">:$when);
  let assemblyFormat = "$kernel `tiles` `(` $tiles `)` (`(` $actuals^ `:` type($actuals) `)`)? (`when` $when^)? attr-dict";
  let hasVerifier = 1;
}

def Xft_HeldOp : Xft_Op<"held", [Pure]> {
  let summary = "memory for another form of a parameter, which a handle that holds parameters keeps from call to call";
  let description = [{
    Ops with equal keys, in any entry, are the same memory. Only launches that fill it and launches `if_held` use it.

    ```mlir
    %panels = xft.held "w, panels of 16" : memref<48x768x16xf32>
    ```
  }];
  let arguments = (ins StrAttr:$key);
  let results = (outs AnyStaticShapeMemRef:$buffer);
  let assemblyFormat = "$key attr-dict `:` type($buffer)";
}

def Xft_ArenaOp : Xft_Op<"arena", [Pure]> {
  let summary = "a buffer at a byte offset of the entry's arena";
  let arguments = (ins Index:$offset);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "$offset attr-dict `:` type($buffer)";
}

def Xft_ArenaSizeOp : Xft_Op<"arena_size"> {
  let summary = "bytes of the entry's arena, and the least that any plan could take where all sizes are constants";
  let arguments = (ins Index:$bytes, OptionalAttr<I64Attr>:$lower_bound);
  let assemblyFormat = "$bytes (`lower_bound` $lower_bound^)? attr-dict";
}

def Xft_RequireEqualOp : Xft_Op<"require_equal"> {
  let summary = "two dynamic sizes that the runtime checks to be equal before the first launch";
  let arguments = (ins Index:$x, Index:$y);
  let assemblyFormat = "$x `,` $y attr-dict";
}

#endif // XFT_LAUNCH_OPS_TD

//===- XftDialect.td - The dialect of kernels and launches -------*- tablegen -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFT_DIALECT_TD
#define XFT_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

def Xft_Dialect : Dialect {
  let name = "xft";
  let summary = "Kernels over one-dimensional grids, and host programs that launch them";
  let description = [{
    Below the `Tile` stage a module holds two kinds of functions.

    *Host programs* (`xft.entry`): memref arguments for inputs and, after them, results; index arithmetic on their sizes;
    `memref.alloc` for intermediate buffers (`xft.arena` after the `Memory` stage); `memref.reinterpret_cast` for index
    maps; and *steps* (interface `HostStep`): `xft.launch`, `xft.copy`, `xft.collective`, `xft.wait`. Nothing else: a host
    program becomes a table of steps (xfrt/model.h).

    *Kernels* (`xft.kernel`): `func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, operands..)`, where operands
    are memrefs and indices. The body is one structured op (`xft.attend`, `xft.contract`, `xft.rows`, ..) that runs the tiles
    [begin, end) of the kernel's grid; tiles are independent of each other. Operand types say what code generation may
    rely on: static sizes and strides are constants in the code, dynamic ones are scalars of the launch.
  }];
  let cppNamespace = "::mlir::xft";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::xf::XfDialect", "::mlir::memref::MemRefDialect", "::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect",
                           "::mlir::arith::ArithDialect"];
}

class Xft_Op<string m, list<Trait> t = []> : Op<Xft_Dialect, m, t>;

#endif // XFT_DIALECT_TD

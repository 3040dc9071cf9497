//===- XftHostSteps.td - Steps of a host program ----------------*- tablegen -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of a host program, which a call runs in order: launches (XftLaunchOps.td), copies, collectives between
// ranks, and waits for collectives. Through one interface, every step tells which buffers it reads and writes. The
// memory plan depends on nothing else. Each step becomes one xfrt_step (xfrt/model.h).
//
//===----------------------------------------------------------------------===//

#ifndef XFT_HOST_STEPS_TD
#define XFT_HOST_STEPS_TD

include "dialects/xft/IR/XftDialect.td"

def Xft_HostStep : OpInterface<"HostStep"> {
  let description = [{
    An op of a host program that a call runs in its place: steps take effect as if each began after the one before it
    had ended. A step may read or write a buffer (a memref, or a view of one) only if it lists it.
  }];
  let cppNamespace = "::mlir::xft";
  let methods = [
    InterfaceMethod<"Returns the buffers that the step may read.", "::llvm::SmallVector<::mlir::Value>",
                    "getReadBuffers">,
    InterfaceMethod<"Returns the buffers that the step may write.", "::llvm::SmallVector<::mlir::Value>",
                    "getWrittenBuffers">,
    InterfaceMethod<"Returns the condition under which a call runs the step.", "::mlir::xft::StepCondition",
                    "getCondition", (ins), "", [{ return ::mlir::xft::conditionOf($_op); }]>
  ];
}

def Xft_CopyOp : Xft_Op<"copy", [DeclareOpInterfaceMethods<Xft_HostStep, ["getReadBuffers", "getWrittenBuffers"]>]> {
  let summary = "copies the bytes of a buffer to another";
  let description = [{
    to = from, byte by byte. C1 both have one element type, and equal sizes where both are static. C2 each is dense:
    one run of memory in row-major order, of which at most the first size is dynamic. C3 they are views of different
    buffers. Copies that convert elements or change their order are launches.

    ```mlir
    %y = memref.alloc() : memref<8x16xf32>
    xft.copy %x to %y : memref<8x16xf32> to memref<8x16xf32>
    ```
  }];
  let arguments = (ins AnyMemRef:$from, AnyMemRef:$to);
  let assemblyFormat = "$from `to` $to attr-dict `:` type($from) `to` type($to)";
  let hasVerifier = 1;
}

def Xft_CollectiveKind : I32Enum<"CollectiveKind", "what ranks send and receive together", [
    I32EnumCase<"all_reduce", 0>,     // receive = the sum of all ranks' send, added in the order of ranks
    I32EnumCase<"all_gather", 1>,     // receive = all ranks' send, in the order of ranks
    I32EnumCase<"reduce_scatter", 2>, // receive = this rank's part of the sum of all ranks' send
    I32EnumCase<"all_to_all", 3>,     // receive = the parts that each rank's send has for this rank
    I32EnumCase<"exchange", 4>,       // receive = all_gather's, of which the rows that no pair of this rank uses are undefined
    I32EnumCase<"all_slice", 5>,      // receive = this rank's part of its send; nothing travels
    I32EnumCase<"return_reduce", 6>      // receive = reduce_scatter's, of which each rank adds the rows that its pairs use
  ]> {
  let cppNamespace = "::mlir::xft";
}
def Xft_CollectiveKindAttr : EnumAttr<Xft_Dialect, Xft_CollectiveKind, "collective_kind">;

def Xft_Ticket : TypeDef<Xft_Dialect, "Ticket"> {
  let mnemonic = "ticket";
  let summary = "a collective that has been started";
}

def Xft_CollectiveOp
    : Xft_Op<"collective", [AttrSizedOperandSegments,
                            DeclareOpInterfaceMethods<Xft_HostStep, ["getReadBuffers", "getWrittenBuffers"]>]> {
  let summary = "starts to send and receive parts of buffers between the ranks along axes of the mesh";
  let description = [{
    Sends `send` and receives into `receive`; both are in use until `xft.wait` takes the ticket. Kinds that send each rank
    another part (`reduce_scatter`, `all_to_all`, `all_slice`, `return_reduce`) cut `send` along dimension `split`; kinds that
    receive other parts (`all_gather`, `all_to_all`, `exchange`) join them along dimension `join`. Parts have equal sizes.

    `exchange` and `return_reduce` send the keys, elements of dimension `join` or `split`, that pairs use: rank p of P computes
    the pairs of part p of the queries, of which it has `queries`; `plan` lists the pairs, as xfrt_collective::plan says. With `segments`,
    numbers of all queries and all keys of each entry of the first dimension, those pairs count alone whose numbers are equal
    and not negative; both buffers are read until `xft.wait`.

    C1 send and receive have one element type. C2 each is in row-major order without gaps, as far as sizes and strides are
    static. C3 axes are named, at least one and each once. C4 `split` and `join` are dimensions; besides those that the kind
    cuts or joins, sizes are equal. C5 `exchange` and `return_reduce`, and nothing else, have `queries` and a plan. C6 one
    `xft.wait` takes the ticket. C7 segments where there is a plan alone, both of one integer type, of rank 2 and without gaps.

    ```mlir
    %ticket = xft.collective all_gather over ["sequence"] %mine, %all : memref<?x64xf32>, memref<?x64xf32>
    xft.wait %ticket
    ```
  }];
  let arguments = (ins Xft_CollectiveKindAttr:$kind, StrArrayAttr:$axes, AnyMemRef:$send, AnyMemRef:$receive,
      DefaultValuedAttr<I64Attr, "0">:$split, DefaultValuedAttr<I64Attr, "0">:$join,
      Optional<Index>:$queries, Optional<AnyMemRef>:$segments_q, Optional<AnyMemRef>:$segments_k,
      OptionalAttr<DenseI64ArrayAttr>:$plan);
  let results = (outs Xft_Ticket:$ticket);
  let assemblyFormat = [{
    $kind `over` $axes (`split` $split^)? (`join` $join^)? (`queries` $queries^)? (`plan` `(` $plan^ `)`)?
    (`segments` `(` $segments_q^ `,` $segments_k `:` type($segments_q) `,` type($segments_k) `)`)? $send `,` $receive attr-dict
    `:` type($send) `,` type($receive)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the kind cuts the sent buffer into parts along dimension `split`.
    bool splits();
    /// Whether the kind joins parts along dimension `join` into the received buffer.
    bool joins();
  }];
}

def Xft_WaitOp : Xft_Op<"wait", [DeclareOpInterfaceMethods<Xft_HostStep, ["getReadBuffers", "getWrittenBuffers"]>]> {
  let summary = "waits for the end of a collective";
  let description = [{
    Behind it, what the collective has received may be read, and both of its buffers be written. It reads and writes them
    itself, so that they live until here. C1 the ticket is the result of a collective.

    ```mlir
    %ticket = xft.collective all_reduce over ["data"] %part, %sum : memref<64xf32>, memref<64xf32>
    xft.wait %ticket
    ```
  }];
  let arguments = (ins Xft_Ticket:$ticket);
  let assemblyFormat = "$ticket attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the collective that the step waits for.
    CollectiveOp getCollective() { return getTicket().getDefiningOp<CollectiveOp>(); }
  }];
}

#endif // XFT_HOST_STEPS_TD

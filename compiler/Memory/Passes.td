//===- Passes.td - The memory stage ------------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_MEMORY_PASSES_TD
#define XF_COMPILER_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def SinkWaitsPass : Pass<"xf-sink-waits", "::mlir::func::FuncOp"> {
  let summary = "Wait for other ranks as late as can be";
  let description = [{
    Moves each `xft.wait` behind all steps that touch neither buffer of its collective, so that they run while messages
    travel. Runs before the arena is planned, because buffers are needed until the wait.

    Before `-xf-sink-waits`:
    ```mlir
    func.func @f(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>) attributes {xft.entry} {
      %one = arith.constant 1 : index
      %part = memref.alloc() : memref<16xf32>
      xft.launch @k tiles(%one) (%x, %part : memref<16xf32>, memref<16xf32>)
      %ticket = xft.collective all_reduce over ["data"] %part, %y : memref<16xf32>, memref<16xf32>
      xft.wait %ticket
      xft.launch @k tiles(%one) (%x, %z : memref<16xf32>, memref<16xf32>)
      return
    }
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<16xf32>, %y: memref<16xf32>)
        attributes {xft.kernel} {
      return
    }
    ```
    After:
    ```mlir
    func.func @f(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>) attributes {xft.entry} {
      %one = arith.constant 1 : index
      %part = memref.alloc() : memref<16xf32>
      xft.launch @k tiles(%one) (%x, %part : memref<16xf32>, memref<16xf32>)
      %ticket = xft.collective all_reduce over ["data"] %part, %y : memref<16xf32>, memref<16xf32>
      xft.launch @k tiles(%one) (%x, %z : memref<16xf32>, memref<16xf32>)
      xft.wait %ticket
      return
    }
    func.func private @k(..) attributes {xft.kernel} {
      return
    }
    ```
  }];
}

def HoistStartsPass : Pass<"xf-hoist-starts", "::mlir::ModuleOp"> {
  let summary = "Send to other ranks as early as can be";
  let description = [{
    Moves launches that a collective does not wait for behind its start, so that they run while messages travel.

    Before `-xf-hoist-starts`:
    ```mlir
    func.func @f(%x: memref<1x16xf32>, %y: memref<1x16xf32>, %z: memref<1x16xf32>) attributes {xft.entry} {
      %one = arith.constant 1 : index
      %part = memref.alloc() : memref<1x16xf32>
      %rest = memref.alloc() : memref<1x16xf32>
      %sum = memref.alloc() : memref<1x16xf32>
      xft.launch @k tiles(%one) (%x, %part : memref<1x16xf32>, memref<1x16xf32>)
      xft.launch @k tiles(%one) (%x, %rest : memref<1x16xf32>, memref<1x16xf32>)
      %ticket = xft.collective all_reduce over ["data"] %part, %sum : memref<1x16xf32>, memref<1x16xf32>
      xft.wait %ticket
      xft.launch @k tiles(%one) (%sum, %y : memref<1x16xf32>, memref<1x16xf32>)
      xft.launch @k tiles(%one) (%rest, %z : memref<1x16xf32>, memref<1x16xf32>)
      return
    }
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<1x16xf32>, %y: memref<1x16xf32>)
        attributes {xft.kernel} {
      %one = arith.constant 1 : index
      %n = arith.constant 16 : index
      xft.rows outer(%one) columns(%n) blocks(%one) {
      ^bb0(%row: i64):
        xft.cols ins(%x : memref<1x16xf32>) outs(%y : memref<1x16xf32>) {
        ^bb0(%column: i64, %element: f32):
          xft.yield %element : f32
        }
      }
      return
    }
    ```
    After:
    ```mlir
    func.func @f(%x: memref<1x16xf32>, %y: memref<1x16xf32>, %z: memref<1x16xf32>) attributes {xft.entry} {
      %one = arith.constant 1 : index
      %part = memref.alloc() : memref<1x16xf32>
      %rest = memref.alloc() : memref<1x16xf32>
      %sum = memref.alloc() : memref<1x16xf32>
      xft.launch @k tiles(%one) (%x, %part : memref<1x16xf32>, memref<1x16xf32>)
      %ticket = xft.collective all_reduce over ["data"] %part, %sum : memref<1x16xf32>, memref<1x16xf32>
      xft.launch @k tiles(%one) (%x, %rest : memref<1x16xf32>, memref<1x16xf32>)
      xft.wait %ticket
      xft.launch @k tiles(%one) (%sum, %y : memref<1x16xf32>, memref<1x16xf32>)
      xft.launch @k tiles(%one) (%rest, %z : memref<1x16xf32>, memref<1x16xf32>)
      return
    }
    func.func private @k(..) attributes {xft.kernel} {
      ..
      return
    }
    ```
  }];
}

def PlanArenaPass : Pass<"xf-plan-arena", "::mlir::func::FuncOp"> {
  let summary = "Place the buffers of a host program in one arena";
  let description = [{
    Gives the intermediate buffers of a host program offsets in one arena, so that buffers share memory unless both are
    needed at a step, and records the size of the arena. A buffer is needed from the first to the last step that reads or
    writes it (interface HostStep). Refuses buffers of 2^63 bytes together. Forms of parameters that a handle holds stay
    allocations. Runs on the final steps, because lifetimes are counted in steps.

    Before `-xf-plan-arena`:
    ```mlir
    func.func @f(%x: memref<16xf32>, %y: memref<16xf32>) attributes {xft.entry} {
      %one = arith.constant 1 : index
      %a = memref.alloc() : memref<16xf32>
      xft.launch @k tiles(%one) (%x, %a : memref<16xf32>, memref<16xf32>)
      %b = memref.alloc() : memref<16xf32>
      xft.launch @k tiles(%one) (%a, %b : memref<16xf32>, memref<16xf32>)
      %c = memref.alloc() : memref<16xf32>
      xft.launch @k tiles(%one) (%b, %c : memref<16xf32>, memref<16xf32>)
      xft.launch @k tiles(%one) (%c, %y : memref<16xf32>, memref<16xf32>)
      return
    }
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<16xf32>, %y: memref<16xf32>)
        attributes {xft.kernel} {
      return
    }
    ```
    After:
    ```mlir
    func.func @f(%x: memref<16xf32>, %y: memref<16xf32>) attributes {xft.arena_bound = 128 : i64, xft.entry} {
      %one = arith.constant 1 : index
      %bytes = arith.constant 128 : index
      xft.arena_size %bytes
      %at_a = arith.constant 0 : index
      %at_b = arith.constant 64 : index
      %at_c = arith.constant 0 : index
      %a = xft.arena %at_a : memref<16xf32>
      xft.launch @k tiles(%one) (%x, %a : memref<16xf32>, memref<16xf32>)
      %b = xft.arena %at_b : memref<16xf32>
      xft.launch @k tiles(%one) (%a, %b : memref<16xf32>, memref<16xf32>)
      %c = xft.arena %at_c : memref<16xf32>
      xft.launch @k tiles(%one) (%b, %c : memref<16xf32>, memref<16xf32>)
      xft.launch @k tiles(%one) (%c, %y : memref<16xf32>, memref<16xf32>)
      return
    }
    func.func private @k(..) attributes {xft.kernel} {
      return
    }
    ```
  }];
}

#endif // XF_COMPILER_MEMORY_PASSES_TD

//===- XfSharding.td - Meshes of ranks and shardings --------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks that share a program, and the dimensions that they share. As in Shardy, a mesh has named axes, and a
// sharding has a list of axes for each dimension. In addition, a dimension may have zigzag chunks, which suit a
// sequence with causal attention.
//
//===----------------------------------------------------------------------===//

#ifndef XF_SHARDING_TD
#define XF_SHARDING_TD

include "dialects/xf/IR/XfDialect.td"
include "mlir/IR/AttrTypeBase.td"

def Xf_MeshAttr : AttrDef<Xf_Dialect, "Mesh"> {
  let mnemonic = "mesh";
  let summary = "the ranks that run a program, by named axes: xf.mesh of a module";
  let description = [{
    A program without one is for one rank. The last axis runs fastest: its neighbours are neighbours in the order of ranks.
    A size of 0 stands for as many ranks as a job has.

    C1 at least one axis, and names that are not empty and differ. C2 sizes of at least 0, one 0 at most, and a product of
    at most 65536.

    ```mlir
    module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {}
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$axes, ArrayRefParameter<"int64_t">:$sizes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The number of ranks along `axis`. It is 0 if it is known only when a job starts, and nullopt if the mesh has no
    /// such axis.
    std::optional<int64_t> getSize(::llvm::StringRef axis) const;
  }];
}

def Xf_ShardingAttr : AttrDef<Xf_Dialect, "Sharding"> {
  let mnemonic = "sharding";
  let summary = "the axes over which each dimension of a tensor is sharded: xf.sharding of an argument or result";
  let description = [{
    A dimension with several axes is sharded over the first, its parts over the second, and so on; one without axes is whole
    on every rank, and so is the tensor along axes that it does not name. Sizes need not be multiples of the ranks.

    Rank p of P has part p. With `zigzag m` it has m chunks of mP equal ones, in ascending order, which it gets in
    m turns: of an even turn t it has chunk tP + p, of an odd one chunk (t + 1)P - 1 - p. So in 2 turns to 4 ranks chunks
    go to the ranks 0 1 2 3 3 2 1 0: what costs more the later it stands, as rows of causal attention, costs all alike.

    C1 no axis twice. C2 one list for each dimension of the tensor. C3 axes of the module's xf.mesh. C4 a dimension with
    zigzag chunks has one axis, and of each rank 2 to 64 chunks.

    ```mlir
    module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
      func.func private @f(%x: tensor<4x64x8xf32> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {} ]>},
                           %y: tensor<4x64xi32> {xf.sharding = #xf.sharding<[{"data"}, {"sequence" zigzag 2} ]>})
    }
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::ArrayAttr">:$dims, ArrayRefParameter<"int64_t">:$chunks);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether the tensor is whole on every rank.
    bool isWhole() const;
    /// The number of chunks of dimension `dim` that each rank has.
    int64_t chunksOf(size_t dim) const { return getChunks()[dim]; }
  }];
}

#endif // XF_SHARDING_TD

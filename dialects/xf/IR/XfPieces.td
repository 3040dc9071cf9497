//===- XfPieces.td - Solved patterns ------------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The solution of a pattern, which the pattern stage finds: pieces in interval normal form, or a predicate that kernels
// evaluate tile by tile. Kernels are generated from these attributes, and no later stage names a pattern. i is the
// position of a query on the key axis (row + Nk - Nq), and j a key. Maps and sets have the dimensions (i), (j) or (i,
// j) and the symbols [Nq, Nk, p..], where p.. are the op's operands `symbols`.
//
//===----------------------------------------------------------------------===//

#ifndef XF_PIECES_TD
#define XF_PIECES_TD

include "dialects/xf/IR/XfPatterns.td"

class Nested<string cpp> : AttrParameter<cpp, ""> { let printer = "$_printer.printAttribute($_self)"; }
def OptMap : OptionalParameter<"::mlir::AffineMap"> {
  let parser = "::mlir::xf::parseMap($_parser)";
  let printer = "$_printer.printAttribute(::mlir::AffineMapAttr::get($_self))";
}
class PieceAttr<string cpp, string m> : AttrDef<Xf_Dialect, cpp> { let mnemonic = m; }

def Xf_IndexMap : PieceAttr<"IndexMap", "index_map"> {
  let summary = "x(r, a) = M (a div w) + a mod w + o + e ((alpha r + beta) mod R)";
  let description = [{
    The order in which a piece walks one axis: within residue r, the window of `width` w indices at `offset` o of the
    r-th `cell` (of size e) of every `period` M, packed. Identity is R = M = w = e = 1, o = 0; a stride is M = R, a
    compaction R = 1, M > w. For each r, x grows strictly with a, and a runs over all of Z.

    C1 R, M, w, e >= 1, o >= 0. C2 o + w <= e if R > 1, and o + w <= M or M = w. C3 R e = M if R > 1.

    ```mlir
    #xf.index_map<residues = 4, period = 4, multiplier = 1>   // 4 a + r
    #xf.index_map<period = 8, width = 3, offset = 5>          // 8 (a div 3) + a mod 3 + 5
    ```
  }];
  let parameters = (ins Int<"1">:$residues, Int<"1">:$period, Int<"1">:$width, Int<"0">:$offset, Int<"1">:$cell,
                        Int<"0">:$multiplier, Int<"0">:$shift);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isIdentity() const { return getPeriod() == getWidth() && getOffset() == 0 && getResidues() == 1; }
    /// The index that has rank 0 in residue r: o + e ((alpha r + beta) mod R).
    int64_t getStart(int64_t r) const;
    /// Returns x(r, a): the index that has rank a in residue r.
    int64_t at(int64_t r, int64_t a) const;
    /// Returns the smallest rank a in residue r with x(r, a) >= x.
    int64_t rank(int64_t r, int64_t x) const;
    /// Returns x(r, a) as text, such as "128a + r". `variable` is the name of a.
    std::string str(::llvm::StringRef variable) const;
  }];
}

def Xf_Piece : PieceAttr<"Piece", "piece"> {
  let summary = "an interval of keys for every query, in the order of two index maps";
  let description = [{
    For r in [0, residues): i = queries(r, a), j = keys(r, b). Query i sees, of the keys of residue r, exactly those
    with max(0, lower(i)) <= j <= min(Nk - 1, upper(i)); a map without results (or none) is no bound. Key j is seen by
    exactly the queries of residue r with max(Nk - Nq, query_lower(j)) <= i <= min(Nk - 1, query_upper(j)). Where some
    result of `rows` (`columns`) is negative at i (j), that query sees nothing (that key is not seen).

    Bounds of an empty row are whatever the maps give: clamp the end to the start.

    - `monotone`: every result of lower, upper, query_lower and query_upper is non-decreasing over all rows (columns),
      so that the bounds of a tile are those of its first and last row.
    - `has_inverse`: the query maps are there. Without them the gradient goes by queries, or by tiles.
    - `keys_disjoint`, `queries_disjoint`: no key (query) belongs to two residues.

    C1 the index maps have 1 residue or `residues`. C2 all maps are quasi-affine, over one dimension and [Nq, Nk, ..].
    C3 no query maps where has_inverse is false.
  }];
  let parameters = (ins Nested<"::mlir::xf::IndexMapAttr">:$queries, Nested<"::mlir::xf::IndexMapAttr">:$keys,
      Int<"1">:$residues, OptMap:$lower, OptMap:$upper, OptMap:$rows, OptMap:$query_lower, OptMap:$query_upper,
      OptMap:$columns, Flag<"true">:$monotone, Flag<"true">:$has_inverse, Flag<"true">:$keys_disjoint,
      Flag<"true">:$queries_disjoint);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether i = R a + r and j = R b + r, so that neighbouring positions have neighbouring residues on both axes.
    bool hasAdjacentResidues() const;
  }];
}

def Xf_Datum : PieceAttr<"Datum", "datum"> {
  let summary = "an integer of a query, of a key or of a pair that a predicate asks for";
  let description = [{
    `row` and `column` are maps (i)[Nq, Nk, p.., d..] -> (x) and (j)[Nq, Nk, p.., d..] -> (y), where d.. are the
    predicate's data: earlier ones, of queries in `row` and of keys in `column`. A datum of a query has no column, one
    of a key no row, one of a pair both.

    - `segments`: element x of the op's query segments, or y of its key segments; -1 where there is none.
    - `numbers`: element x, or y, of `numbers`; -1 where there is none.
    - `table`: 1 where y is in list x of the op's table, of the batch entry and head if it has lists for each, else 0.
    - `lists`: 1 where y is in list x + (h mod heads) rows of `offsets` and `columns`, else 0, there being `heads` times
      `rows` lists, each of which increases.

    C1 segments and numbers have one map, table and lists both. C2 a map is quasi-affine, over one dimension and [Nq,
    Nk, ..], with one result. C3 offsets and columns belong to lists, numbers to numbers. C4 `offsets` starts with 0,
    does not decrease and ends with the size of `columns`; every list increases. C5 heads >= 1 divides the number of
    lists.

    ```mlir
    #xf.datum<source = segments, row = affine_map<(i)[Nq, Nk, x] -> (i - Nk + Nq)>>
    ```
  }];
  let parameters = (ins Choice<Xf_DatumSource, "DatumSource::k_segments">:$source, OptMap:$row, OptMap:$column,
      OptionalParameter<"::mlir::DenseI64ArrayAttr">:$numbers, OptionalParameter<"::mlir::DenseIntElementsAttr">:$offsets,
      OptionalParameter<"::mlir::DenseIntElementsAttr">:$columns, Int<"1">:$heads);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isOfPair() const { return getRow() && getColumn(); }
    /// Whether the datum is known when a program is compiled.
    bool isStatic() const { return getSource() == DatumSource::k_numbers || getSource() == DatumSource::k_lists; }
    /// The number of lists of one head.
    int64_t getRows() const;
  }];
}

def Xf_Tiles : PieceAttr<"Tiles", "tiles"> {
  let summary = "a predicate that kernels evaluate tile by tile";
  let description = [{
    The pairs of a union of conjunctions over (i, j)[Nq, Nk, p.., d..], inside the box of rows and keys, where d.. are
    `data`: the last symbols of every set. `reason` says why there are no pieces.

    C1 constraints are quasi-affine. C2 where there are data, there is a set, and all sets have the same symbols, one
    for each datum among them. C3 a datum's maps use sizes, run-time symbols and earlier data of the same axis.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::IntegerSet">:$conjunctions,
                        OptionalArrayRefParameter<"::mlir::xf::DatumAttr">:$data, "::mlir::StringAttr":$reason);
  let assemblyFormat = [{
    `<` custom<AffineSets>($conjunctions) `,` `reason` `=` $reason (`,` `data` `=` `[` $data^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The number of the symbol that stands for datum `number`.
    unsigned getSymbol(unsigned number) const;
    /// Whether all data are known when a program is compiled.
    bool isStatic() const;
  }];
}

def Xf_Solution : PieceAttr<"Solution", "solution"> {
  let summary = "how one pattern runs";
  let description = [{
    Pieces in execution order, disjoint as sets of pairs, those with equal query maps next to each other (they can share
    a kernel), and `tiles` for the pairs that no piece has. Neither is the empty pattern.
  }];
  let parameters = (ins OptionalArrayRefParameter<"::mlir::xf::PieceAttr">:$pieces,
                        OptionalParameter<"::mlir::xf::TilesAttr">:$tiles);
  let hasCustomAssemblyFormat = 1;
}

def Xf_KernelSum : PieceAttr<"KernelSum", "kernel_sum"> {
  let summary = "how kernelised attention runs";
  let description = [{
    All that the pattern leaves to defaults, decided. A query sees every key, with `causal` those at or before its
    position, of both with `segments` those of its own segment.
  }];
  let parameters = (ins "::mlir::xf::Feature":$feature, "::mlir::xf::Stabilizer":$stabilizer,
      "::mlir::xf::Normalizer":$normalizer, Flag<"false">:$causal, Flag<"false">:$segments, Flag<"true">:$scale_input,
      Nested<"::mlir::FloatAttr">:$epsilon, Nested<"::mlir::FloatAttr">:$guard);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // XF_PIECES_TD

//===- XfPieces.td - Solved patterns ------------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pattern stage makes of a pattern: pieces in interval normal form, or a predicate for the tile-by-tile path.
// Kernels are generated from these attributes; nothing below that stage names a pattern. i is a query's position on
// the key axis (row + Nk - Nq), j a key; maps and sets are over (i), (j) or (i, j) with the symbols [Nq, Nk, p..],
// p.. being the op's `symbols` operands.
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
    /// First index that residue r can reach in the period from 0: o + e ((alpha r + beta) mod R).
    int64_t getStart(int64_t r) const;
    /// x(r, a).
    int64_t at(int64_t r, int64_t a) const;
    /// The smallest a with x(r, a) >= x.
    int64_t rank(int64_t r, int64_t x) const;
    /// The same as text, e.g. "128a + r".
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
  }];
  let parameters = (ins Nested<"::mlir::xf::IndexMapAttr">:$queries, Nested<"::mlir::xf::IndexMapAttr">:$keys,
      Int<"1">:$residues, OptMap:$lower, OptMap:$upper, OptMap:$rows, OptMap:$query_lower, OptMap:$query_upper,
      OptMap:$columns, Flag<"true">:$monotone, Flag<"true">:$has_inverse, Flag<"true">:$keys_disjoint,
      Flag<"true">:$queries_disjoint);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Xf_Tiles : PieceAttr<"Tiles", "tiles"> {
  let summary = "a predicate that kernels evaluate tile by tile";
  let description = [{
    The pairs of a union of conjunctions over (i, j)[Nq, Nk, p..], inside the box of rows and keys. `reason` says why
    there are no pieces.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::IntegerSet">:$conjunctions, "::mlir::StringAttr":$reason);
  let assemblyFormat = "`<` custom<AffineSets>($conjunctions) `,` `reason` `=` $reason `>`";
  let genVerifyDecl = 1;
}

def Xf_Solution : PieceAttr<"Solution", "solution"> {
  let summary = "how one pattern runs";
  let description = [{
    Pieces in execution order, disjoint as sets of pairs, those with equal query maps next to each other (they can share
    a kernel); or `tiles`, and then no pieces. Neither is the empty pattern.
  }];
  let parameters = (ins OptionalArrayRefParameter<"::mlir::xf::PieceAttr">:$pieces,
                        OptionalParameter<"::mlir::xf::TilesAttr">:$tiles);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
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

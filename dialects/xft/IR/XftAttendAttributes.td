//===- XftAttendAttributes.td - What ops of attention share --------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFT_ATTEND_ATTRIBUTES_TD
#define XFT_ATTEND_ATTRIBUTES_TD

include "dialects/xft/IR/XftSchedules.td"

class Xft_AttrOf<string cpp> : Attr<CPred<"::llvm::isa<" # cpp # ">($_self)">, cpp> {
  let storageType = cpp;
  let returnType = cpp;
  let convertFromStorage = "$_self";
}
def Xft_IndexMap : Xft_AttrOf<"::mlir::xf::IndexMapAttr">;
def Xft_Schedule : Xft_AttrOf<"::mlir::xft::AttendSchedule">;

def Xft_QueryOrder : AttrDef<Xft_Dialect, "QueryOrder"> {
  let mnemonic = "query_order";
  let summary = "the pairs of one launch: pieces that walk the queries in the same order, and the heads they hold for";
  let description = [{
    Residue r, 0 <= r < `residues`, has the queries at positions i = queries(r, a) for its ranks a, which are rows
    i - (Nk - Nq) of q. Query i sees the keys that some of
    `pieces` lets it see; keys and values of piece n are operands number `buffers`[n] of the op (none for ops that read k
    and v in place). With `tiles` there is one piece, with identity maps, and of its pairs only those count for which the
    predicate holds. A pair that no piece holds, or whose score is -inf, is not observable, whatever its key and value hold.
    The order is that of heads `first_head` + t `head_step`.

    C1 the pieces have the query map `queries`, and `residues`. C2 with `tiles`, one piece with identity maps. C3
    `first_head` >= 0, `head_step` >= 1.

    ```mlir
    #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
    ```
  }];
  let parameters = (ins Xft_Nested<"::mlir::xf::IndexMapAttr">:$queries, Xft_Int<"1">:$residues,
      Xft_Nested<"::mlir::ArrayAttr">:$pieces, OptionalParameter<"::mlir::DenseI64ArrayAttr">:$buffers,
      OptionalParameter<"::mlir::xf::TilesAttr">:$tiles, Xft_Int<"0">:$first_head, Xft_Int<"1">:$head_step);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the query order of a single piece.
    static QueryOrderAttr of(::mlir::xf::PieceAttr piece, ::mlir::xf::TilesAttr tiles, int64_t firstHead, int64_t headStep);
    /// Returns the only piece. Requires that there is one.
    ::mlir::xf::PieceAttr getPiece() const { return ::mlir::cast<::mlir::xf::PieceAttr>(getPieces()[0]); }
    ::llvm::ArrayRef<int64_t> getBufferNumbers() const;
  }];
}

def Xft_Weights : AttrDef<Xft_Dialect, "Weights"> {
  let mnemonic = "weights";
  let summary = "how the weights of a row follow from the products of queries and keys";
  let description = [{
    The score of a pair is s(i, j) = score(scale <q(i), k(j)>, b, h, i, j), `score` being the op's region, if any, and the
    weight P(i, j) = exp(s(i, j) - lse(i)). With `linear`, the score itself is the weight: it may be negative, 0 or
    infinite, none of which masks the pair; lse is not used. With `dropout` p, the weight of a pair is multiplied by
    k = 1 / (1 - p), or by 0 for pairs that are dropped, as xf.attention says.

    C1 `linear` without `dropout`.
  }];
  let parameters = (ins Xft_Nested<"::mlir::FloatAttr">:$scale, OptionalParameter<"::mlir::FloatAttr">:$dropout,
                        Xft_Flag:$linear);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===--- groups of operands ---===//
//
// Optional operands that ops share are one variadic group of groups with names; the printed form leaves out empty ones:
//
//   lengths(%n : memref<?xi64>) symbols(%p, %s : memref<1xi64>, memref<1xi64>)
//
// The clauses of attention: `lengths` and `query_lengths` (one number for each b), `symbols` (run-time parameters of
// patterns), `data` (two operands for each datum of a predicate: of a query or key what xft.tabulate writes, with ranges
// of the tile's rows or of a panel's keys; of a pair the offsets and columns of lists), `captures` (tensors that the
// score region reads), `seed` (of dropout) and `part` (p and P: q is part p of P equal parts of the queries; Nq and numbers
// of rows are those of all parts).
//
// The row state of a softmax: `lse` (log sum exp of each row), `sums` (m and l; l = 0 where no key was seen),
// `accumulator` (unnormalised o, where o itself is narrower than the type that is computed in), and what a gradient
// reads: `kept` (m and log l, -inf and 0 where no key was seen, and, where there is a third one, o before it is rounded).

defvar Xft_AttendClauses = (ins VariadicOfVariadic<AnyMemRef, "clause_sizes">:$clauses, DenseI32ArrayAttr:$clause_sizes);
defvar Xft_RowState = (ins VariadicOfVariadic<AnyMemRef, "state_sizes">:$state, DenseI32ArrayAttr:$state_sizes);

defvar Xft_AttendAccessors = [{
    /// The clauses of the op by name, null or empty if the op does not have them.
    ::mlir::Value getLengths() { return optionalOperand(getClauses()[0]); }
    ::mlir::Value getQueryLengths() { return optionalOperand(getClauses()[1]); }
    ::mlir::OperandRange getSymbols() { return getClauses()[2]; }
    ::mlir::OperandRange getData() { return getClauses()[3]; }
    ::mlir::OperandRange getCaptures() { return getClauses()[4]; }
    ::mlir::Value getSeed() { return optionalOperand(getClauses()[5]); }
    ::mlir::Value getPart() { return optionalOperand(getClauses()[6]); }
    /// The pairs that the op computes, and their weights.
    ::mlir::ArrayAttr getPieces() { return getOrder().getPieces(); }
    std::optional<::mlir::xf::TilesAttr> getTiles() {
      return getOrder().getTiles() ? std::optional(getOrder().getTiles()) : std::nullopt;
    }
    int64_t getFirstHead() { return getOrder().getFirstHead(); }
    int64_t getHeadStep() { return getOrder().getHeadStep(); }
    double getScale() { return getWeights().getScale().getValueAsDouble(); }
    std::optional<double> getDropout() {
      auto dropout = getWeights().getDropout();
      return dropout ? std::optional(dropout.getValueAsDouble()) : std::nullopt;
    }
    bool getLinear() { return getWeights().getLinear(); }
}];
defvar Xft_ScheduleAccessors = [{
    AttendTileAttr getTile() { return ::llvm::cast<AttendTileAttr>(getSchedule().getTile()); }
    /// The warpgroups of the schedule, null for other schedules.
    WarpgroupsAttr getWarpgroups() {
      auto tiles = ::llvm::dyn_cast<WarpgroupTilesAttr>(getSchedule());
      return tiles ? tiles.getWarpgroups() : WarpgroupsAttr();
    }
}];
defvar Xft_RowStateAccessors = [{
    /// The operands of the row state by name, null or empty if the op does not have them.
    ::mlir::Value getLse() { return optionalOperand(getState()[0]); }
    ::mlir::OperandRange getSums() { return getState()[1]; }
    ::mlir::Value getAccumulator() { return optionalOperand(getState()[2]); }
    ::mlir::OperandRange getKept() { return getState()[3]; }
}];

#endif // XFT_ATTEND_ATTRIBUTES_TD

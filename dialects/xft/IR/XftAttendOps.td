//===- XftAttendOps.td - Attention as kernels ---------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vocabulary. A *panel* is a block of `width` keys with the head dimension outermost: the operand of a register tile
// that is loaded as vectors. A *stage* is one launch over the pieces of a pattern that walk the queries in the same order;
// the online-softmax state (maximum m, sum l, unnormalised o) lives in registers and scratch inside a stage and in
// memory between stages.
//
//===----------------------------------------------------------------------===//

#ifndef XFT_ATTEND_OPS_TD
#define XFT_ATTEND_OPS_TD

include "dialects/xft/IR/XftDialect.td"
include "dialects/xft/IR/XftWarpgroups.td"

class Xft_AttrOf<string cpp> : Attr<CPred<"::llvm::isa<" # cpp # ">($_self)">, cpp> {
  let storageType = cpp;
  let returnType = cpp;
  let convertFromStorage = "$_self";
}
def Xft_IndexMap : Xft_AttrOf<"::mlir::xf::IndexMapAttr">;
def Xft_TilesOrNone : Xft_AttrOf<"::mlir::xf::TilesAttr">;
def Xft_Pieces : TypedArrayAttrBase<Xft_AttrOf<"::mlir::xf::PieceAttr">, "pieces of a solved pattern">;

def Xft_AttendTile : AttrDef<Xft_Dialect, "AttendTile"> {
  let mnemonic = "attend_tile";
  let summary = "register tile and blocks of an attention kernel";
  let description = [{
    A register tile is `rows` queries by `registers` vector registers of `lanes` keys each: that is the width of a panel.
    A key block has `keys` keys (a multiple of the width), a query block `queries` queries (a multiple of `rows`).
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$registers, "int64_t":$lanes, "int64_t":$queries, "int64_t":$keys);
  let extraClassDeclaration = "int64_t getWidth() const { return getRegisters() * getLanes(); }";
  let assemblyFormat = "`<` struct(params) `>`";
}

def Xft_GatherPanelsOp : Xft_Op<"gather_panels", []> {
  let summary = "rows of a matrix, gathered through an index map, as panels or as padded rows";
  let description = [{
    For every batch b, head h, residue r and rank a with 0 <= map(r, a) < N, row x[b, h, map(r, a), :] is converted to
    the destination's element type and written,
    - `transposed`: to panel a div W, column a mod W: to[b, h, r, a div W, d * W + a mod W], W = `width`;
    - otherwise: to[b, h, r, a, d], with zeros for d >= D.

    Columns of the last panel that have no row hold any finite or gathered number. The grid is (b, h, r, block of W ranks).

    C1 x is BxHxNxD with unit inner stride. C2 the destination is BxHxRxPx(D W), or BxHxRxCxD' with D' >= D.

    ```mlir
    xft.gather_panels %x to %panels by #xf.index_map<> transposed width 16 : memref<?x?x?x64xf32, strided<[?, ?, ?, 1]>>, memref<?x?x1x?x1024xf32>
    ```
  }];
  let arguments = (ins AnyMemRef:$x, AnyMemRef:$to, Xft_IndexMap:$map, UnitAttr:$transposed, I64Attr:$width);
  let assemblyFormat = "$x `to` $to `by` $map (`transposed` $transposed^)? `width` $width attr-dict `:` type($x) `,` type($to)";
  let hasVerifier = 1;
}

def Xft_TabulateOp : Xft_Op<"tabulate", []> {
  let summary = "numbers of rows or keys, and their ranges in groups";
  let description = [{
    For every batch b and n in [0, count), with x = n + first (a row's position, or a key) and d.. the elements n of
    `inputs`,

        values[b, n] = source[b, at(x)[Nq, Nk, .., d..]], or -1 where there is no such element
        ranges[b, g, 0], ranges[b, g, 1] = the least and the greatest of values[b, g group .. (g + 1) group)

    and -1 behind the last one, up to a whole group, which no range holds. The grid is (b, group).

    C1 source BxM, values Bx(whole groups), ranges BxGx2, of one integer type. C2 `at` has one dimension and one result;
    symbols 0 and 1 are Nq and Nk, and symbol `symbols`[n] is input n, a buffer like values.

    ```mlir
    xft.tabulate %ids to %values, %ranges count %n first %first nq %nq nk %nk at affine_map<(i)[Nq, Nk] -> (i)> symbols [] group 6 : ..
    ```
  }];
  let arguments = (ins AnyMemRef:$source, AnyMemRef:$values, AnyMemRef:$ranges, Index:$count, Index:$first, Index:$nq,
      Index:$nk, Variadic<AnyMemRef>:$inputs, AffineMapAttr:$at, DenseI64ArrayAttr:$symbols, I64Attr:$group);
  let assemblyFormat = [{
    $source `to` $values `,` $ranges `count` $count `first` $first `nq` $nq `nk` $nk (`inputs` `(` $inputs^ `:` type($inputs) `)`)?
    `at` $at `symbols` $symbols `group` $group attr-dict `:` type($source) `,` type($values) `,` type($ranges)
  }];
  let hasVerifier = 1;
}

def Xft_SortListsOp : Xft_Op<"sort_lists", []> {
  let summary = "lists of numbers in increasing order";
  let description = [{
    For every n with n + 1 < O: to[offsets[n]], .., to[offsets[n + 1] - 1] are the same elements of columns, in
    increasing order. Offsets outside [0, M] count as its ends, and a list that would end before it begins is empty. The
    grid is (n).

    C1 offsets O, columns M, to M, of rank 1; columns and to of one integer type and with unit stride.

    ```mlir
    xft.sort_lists %offsets, %columns to %sorted : memref<?xi32>, memref<?xi32>, memref<?xi32>
    ```
  }];
  let arguments = (ins AnyMemRef:$offsets, AnyMemRef:$columns, AnyMemRef:$to);
  let assemblyFormat = "$offsets `,` $columns `to` $to attr-dict `:` type($offsets) `,` type($columns) `,` type($to)";
  let hasVerifier = 1;
}

def Xft_AttendOp : Xft_Op<"attend", [AttrSizedOperandSegments]> {
  let summary = "softmax(scale Q K^T) V over pieces that share one order of queries";
  let description = [{
    For every batch b, head h = first_head + head_step t, residue r and query rank a, row i - (Nk - Nq) of position
    i = queries(r, a) receives, over the keys j that some piece lets it see,

        lse = log sum exp s(i, j),   o = sum exp(s(i, j) - lse) v(j),   s(i, j) = score(scale <q(i), k(j)>, b, h, i, j)

    With `resume`, sums go on from the state (m, l, o unnormalised; l = 0 where no key was seen); with `save` they are left
    there. With `kept`, the last stage leaves there what a gradient wants: m and log l (-inf and 0 where no key was seen)
    and, if there is a third one, o before it is rounded. A row that saw no key gives o = 0, lse = -inf. With `linear`,
    what the region yields is the weight itself, o = sum s(i, j) v(j): it may be negative, 0 or infinite, none of which
    hides the pair. `dropout` leaves pairs out of o as xf.attention says, by the row's number. A pair that no piece holds,
    or whose modified score is -inf, is not observable, whatever its key and value hold.

    The grid has a tile for each b, t, r and block of queries, `blocks` of them for each residue, the last one first: causal
    rows are longest there. A target numbers them as it likes.
    Keys are panels of `xft.pack`, one buffer per distinct key map; values are the rows in place (rank 4, key map identity)
    or packed (rank 5). `buffers` gives each piece its number. With `tiles` there is one piece, with identity maps: of its
    pairs, those that the predicate holds for. `data` has two operands for each datum of the predicate: of a query or a
    key what xft.tabulate writes (ranges of `tile.rows` rows or of a panel's keys), of a pair the offsets and the columns
    of lists.

    With `gathered`, tasks (b, t, r) gather the keys and values of their residue themselves, and walk its blocks: `keys`
    and `values` are k and v, and `gathered` is the most ranks that a residue has, in whole panels. Residues are many and
    short then, and what a task gathers stays in a cache.

    With `in_place`, `keys` and `values` are k and v, whose rows tasks read through the key map of each piece.

    With `warpgroups`, products take every value of a tile: 0 P of a masked pair times a value that is not finite is not 0.
    Such a task leaves 1 in one of its elements of `suspects` - as many for each tile of the grid as there are warps that
    compute - wherever a result is not finite. The same op with `careful` computes the tasks again of which an element of
    `suspects` is not 0, and leaves the others alone: it takes values that are not finite for zeros in products, and adds
    them where rows see them, so that rows that see none get the bits that they would get if there were none.

    C1 q BxHxNqxD, o BxHxNqxDv with unit inner strides and static D, Dv. C2 as many `buffers` as pieces, each a number of
    keys and values. C3 all pieces have the query map `queries` and `residues`. C4 `sums` (m, l) with `save` or `resume`,
    and `accumulator` BxHxNqxDv too where o is narrower than the state; `kept` (m, log l) or (m, log l, o) without `save`
    and `linear`. C5 the tile's blocks are multiples.
    C6 the score region takes (s, b, h, i, j, captures as tensors). C7 two `data` for each datum of `tiles`.
    C8 with `gathered` or `in_place` one k and one v of rank 4 with unit inner stride; with `gathered` one key map with residues. C9 `linear` goes with a score region,
    without lse and dropout. C10 `warpgroups` go with `suspects` and `in_place`, without score region, tiles, dropout and
    linear; `save` and `resume` not both. C11 `careful` goes with `warpgroups`.

    ```mlir
    xft.attend %q to %o, %lse blocks %blocks nk %nk keys(%p) values(%v) pieces [#xf.piece<..>] ..
    ```
  }];
  let arguments = (ins AnyMemRef:$q, AnyMemRef:$o, Optional<AnyMemRef>:$lse, Index:$nk, Index:$blocks, Variadic<AnyMemRef>:$keys,
      Variadic<AnyMemRef>:$values, Variadic<AnyMemRef>:$sums, Optional<AnyMemRef>:$accumulator,
      Variadic<AnyMemRef>:$kept, Optional<AnyMemRef>:$lengths, Optional<AnyMemRef>:$query_lengths, Variadic<AnyMemRef>:$symbols,
      Variadic<AnyMemRef>:$data, Variadic<AnyMemRef>:$captures, Optional<AnyMemRef>:$seed, Optional<AnyMemRef>:$suspects,
      Xft_Pieces:$pieces, DenseI64ArrayAttr:$buffers, Xft_IndexMap:$queries, DefaultValuedAttr<I64Attr, "1">:$residues,
      OptionalAttr<Xft_TilesOrNone>:$tiles, OptionalAttr<F64Attr>:$dropout, F64Attr:$scale, Xft_AttendTile:$tile,
      OptionalAttr<Xft_Warpgroups>:$warpgroups,
      DefaultValuedAttr<I64Attr, "0">:$first_head, DefaultValuedAttr<I64Attr, "1">:$head_step,
      OptionalAttr<I64Attr>:$gathered, UnitAttr:$in_place, UnitAttr:$linear, UnitAttr:$resume, UnitAttr:$save,
      UnitAttr:$careful);
  let regions = (region MaxSizedRegion<1>:$score);
  let assemblyFormat = [{
    $q `to` $o (`,` $lse^)? `blocks` $blocks `nk` $nk
    (`keys` `(` $keys^ `:` type($keys) `)`)? (`values` `(` $values^ `:` type($values) `)`)?
    (`sums` `(` $sums^ `:` type($sums) `)`)? (`accumulator` `(` $accumulator^ `:` type($accumulator) `)`)?
    (`kept` `(` $kept^ `:` type($kept) `)`)?
    (`lengths` `(` $lengths^ `:` type($lengths) `)`)? (`query_lengths` `(` $query_lengths^ `:` type($query_lengths) `)`)?
    (`symbols` `(` $symbols^ `:` type($symbols) `)`)? (`data` `(` $data^ `:` type($data) `)`)? (`captures` `(` $captures^ `:` type($captures) `)`)?
    (`dropout` $dropout^ `(` $seed `:` type($seed) `)`)? (`suspects` `(` $suspects^ `:` type($suspects) `)`)?
    `scale` $scale (`score` $score^)? attr-dict `:` type($q) `,` type($o) (`,` type($lse)^)?
  }];
  let hasVerifier = 1;
}

def Xft_VjpSide : I32Enum<"VjpSide", "whose gradients a kernel computes", [
    I32EnumCase<"rows", 0>, I32EnumCase<"keys", 1>, I32EnumCase<"captures", 2>
  ]> {
  let cppNamespace = "::mlir::xft";
}
def Xft_VjpSideAttr : EnumAttr<Xft_Dialect, Xft_VjpSide, "side">;

def Xft_AttendVjpOp : Xft_Op<"attend_vjp", [AttrSizedOperandSegments]> {
  let summary = "adds the gradients of attention over one piece";
  let description = [{
    With s, the pairs (i, j) of the piece and the numbering of xft.attend, and with P(i, j) = exp(s(i, j) - lse(0, i) -
    lse(1, i)), dP(i, j) = <d_o(i), v(j)> - delta(i), dS = P dP ds/d<q,k>:

        d_v(j) += sum_i P(i, j) d_o(i),   d_k(j) += sum_i dS(i, j) q(i),   d_q(i) += sum_j dS(i, j) k(j)

    Keys stay, queries pass: five products for each block of pairs. Every sum runs in a fixed order. lse has two parts, m
    and log l as xft.attend keeps them: of large scores their sum would have lost log l. A row with m = -inf adds nothing,
    nor does a pair that the piece does not hold, whatever its operands hold.

    With a `score` region, s is what it yields; `derivative`, of the same arguments, yields s, f = ds/d<q,k> and, for
    each read of a capture, the indices of the element and g = ds/d(element): dS = P dP f, and P dP g is added to that
    element in the task's part of the buffer of `d_captures` that `reads` names. Its leading dimensions are b and the group
    of heads; one of size 1 serves all tasks, whose elements differ then.

    `dropout` leaves pairs out as xft.attend does: with k = 1 / (1 - p) for a pair that stays and k = 0 for others,
    d_v(j) += sum_i k P(i, j) d_o(i) and dP(i, j) = k <d_o(i), v(j)> - delta(i); the value of a pair that goes is not
    observable. With `tiles` the piece has identity maps, and its pairs are those that the predicate holds for.

    With `linear`, as there: P = s and dS = dP f, P dP g without the factor P; lse and delta are zeros.

    The grid is (b, group of heads, r, slice): a task owns the rows of d_k and d_v that belong to its heads, and the rows
    of its slice of d_q. The key blocks of a residue are dealt to the slices in turn; `d_q` has one buffer for each. With
    residues that share keys or queries, or with d_captures, r is not part of the grid: a task walks all of them. With
    `assigns` d_q.., d_k and d_v are written, not added to, whatever they hold: the piece's rows and keys are all there are.

    With `side` - where tasks that share nothing are worth two products more - a kernel computes one side alone: `rows`,
    whose grid is (b, t, r, block of queries), d_q; `keys`, whose grid is (b, group of heads, r, block of keys), d_k and
    d_v; `captures`, whose grid is (b, group of heads), d_captures. There are `blocks` of queries or keys for each
    residue. With `residue`, r is that one, and not part of the grid. `warpgroups` leave `suspects` as those of xft.attend
    do; an op with `suspects` alone computes the tasks again of which one of these elements is not 0, and no others.

    C1 q, k, v, d_o, d_q, d_k, d_v are rank 4 with unit inner stride and static D, Dv; d_q.. and d_captures.. have the
    type that is computed in, and so do lse, 2xBxHxNq, and delta. C2 one d_q at least; exactly one where the piece has
    residues. C3 the tile's blocks are multiples: keys of the width and the rows, queries of the rows. C4 `tiles` go with
    identity maps. C5 two `data` for each datum of `tiles`, as for xft.attend. C6 `assigns` goes with one solution for all
    heads. C7 `linear` goes with a score region, without dropout. C8 `blocks` go with `side`, and one d_q; d_captures with
    no other side than theirs; `residue` with rows or keys. C9 `warpgroups` go with `suspects` and a side of rows or keys,
    without score region, tiles, dropout and linear.

    ```mlir
    xft.attend_vjp %q, %k, %v, %d_o, %lse, %delta to %d_q, %d_k, %d_v groups %n nk %nk piece ..
    ```
  }];
  let arguments = (ins AnyMemRef:$q, AnyMemRef:$k, AnyMemRef:$v, AnyMemRef:$d_o, AnyMemRef:$lse, AnyMemRef:$delta,
      Variadic<AnyMemRef>:$d_q, AnyMemRef:$d_k, AnyMemRef:$d_v, Index:$groups,
      Optional<Index>:$blocks, Optional<Index>:$residue,
      Optional<AnyMemRef>:$lengths, Optional<AnyMemRef>:$query_lengths, Variadic<AnyMemRef>:$symbols,
      Variadic<AnyMemRef>:$data, Variadic<AnyMemRef>:$captures, Variadic<AnyMemRef>:$d_captures, Optional<AnyMemRef>:$seed,
      Optional<AnyMemRef>:$suspects, Xft_AttrOf<"::mlir::xf::PieceAttr">:$piece, OptionalAttr<Xft_TilesOrNone>:$tiles, OptionalAttr<F64Attr>:$dropout,
      F64Attr:$scale, Xft_AttendTile:$tile, OptionalAttr<Xft_Warpgroups>:$warpgroups,
      DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$reads,
      DefaultValuedAttr<I64Attr, "0">:$first_head, DefaultValuedAttr<I64Attr, "1">:$head_step, UnitAttr:$linear,
      UnitAttr:$assigns, OptionalAttr<Xft_VjpSideAttr>:$side);
  let regions = (region MaxSizedRegion<1>:$score, MaxSizedRegion<1>:$derivative);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $d_o `,` $lse `,` $delta `to` `(` $d_q `:` type($d_q) `)` `,` $d_k `,` $d_v `groups` $groups
    (`blocks` $blocks^)? (`residue` $residue^)?
    (`lengths` `(` $lengths^ `:` type($lengths) `)`)? (`query_lengths` `(` $query_lengths^ `:` type($query_lengths) `)`)?
    (`symbols` `(` $symbols^ `:` type($symbols) `)`)? (`data` `(` $data^ `:` type($data) `)`)? (`captures` `(` $captures^ `:` type($captures) `)`)?
    (`d_captures` `(` $d_captures^ `:` type($d_captures) `)`)? (`dropout` $dropout^ `(` $seed `:` type($seed) `)`)?
    (`suspects` `(` $suspects^ `:` type($suspects) `)`)? `piece` $piece `scale` $scale (`score` $score^ `derivative` $derivative)? attr-dict
    `:` type($q) `,` type($k) `,` type($v) `,` type($d_o) `,` type($lse) `,` type($delta) `,` type($d_k) `,` type($d_v)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Residues that the grid has; the others are walked by each task.
    int64_t getGridResidues();
  }];
}

def Xft_LaneTile : AttrDef<Xft_Dialect, "LaneTile"> {
  let mnemonic = "lane_tile";
  let summary = "register tile and blocks of attention with a residue in every lane";
  let description = [{
    A register tile has `rows` queries by `keys` keys of `lanes` residues. A residue has at most `ranks` keys (a multiple
    of `keys`); gradients take `queries` queries of it at a time (a multiple of `rows`).
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$keys, "int64_t":$lanes, "int64_t":$queries, "int64_t":$ranks);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Xft_AttendLanesOp : Xft_Op<"attend_lanes", [AttrSizedOperandSegments]> {
  let summary = "softmax(scale Q K^T) V over a piece of short residues, one in every lane";
  let description = [{
    What xft.attend computes for one piece whose residues are r, r + R, r + 2R, .. of queries and keys alike. Neighbours
    are rows of different residues, so that a register holds an element of each: no pair of a lane waits for those of
    another, no tile is rounded to registers, and rows are read and written as they lie.

    The grid is (b, t, group of `lanes` residues). A row that saw no key gives o = 0, lse = -inf. With `save`, m and l are
    left in `sums`, and the unnormalised o in `accumulator` or, without one, in o. `kept` is as for xft.attend.

    C1 q, k, v, o BxHxNxD with unit inner strides and static D. C2 the piece walks queries and keys by the same map
    R a + r, R >= lanes. C3 the tile's blocks are multiples. C4 `sums` (m, l) with `save`, and not `kept` then.

    ```mlir
    xft.attend_lanes %q, %k, %v to %o, %lse piece #xf.piece<..> scale 0.125 {tile = #xft.lane_tile<..>} : ..
    ```
  }];
  let arguments = (ins AnyMemRef:$q, AnyMemRef:$k, AnyMemRef:$v, AnyMemRef:$o, Optional<AnyMemRef>:$lse,
      Variadic<AnyMemRef>:$sums, Optional<AnyMemRef>:$accumulator, Variadic<AnyMemRef>:$kept,
      Optional<AnyMemRef>:$lengths, Optional<AnyMemRef>:$query_lengths, Variadic<AnyMemRef>:$symbols, Xft_AttrOf<"::mlir::xf::PieceAttr">:$piece,
      F64Attr:$scale, Xft_LaneTile:$tile, DefaultValuedAttr<I64Attr, "0">:$first_head,
      DefaultValuedAttr<I64Attr, "1">:$head_step, UnitAttr:$save);
  let assemblyFormat = [{
    $q `,` $k `,` $v `to` $o (`,` $lse^)? (`sums` `(` $sums^ `:` type($sums) `)`)?
    (`accumulator` `(` $accumulator^ `:` type($accumulator) `)`)? (`kept` `(` $kept^ `:` type($kept) `)`)?
    (`lengths` `(` $lengths^ `:` type($lengths) `)`)?
    (`query_lengths` `(` $query_lengths^ `:` type($query_lengths) `)`)? (`symbols` `(` $symbols^ `:` type($symbols) `)`)?
    `piece` $piece `scale` $scale attr-dict `:` type($q) `,` type($k) `,` type($v) `,` type($o) (`,` type($lse)^)?
  }];
  let hasVerifier = 1;
}

def Xft_AttendLanesVjpOp : Xft_Op<"attend_lanes_vjp", [AttrSizedOperandSegments]> {
  let summary = "adds the gradients of attention over a piece of short residues, one in every lane";
  let description = [{
    What xft.attend_vjp adds to d_q, d_k and d_v for such a piece, in the lanes of xft.attend_lanes; with `assigns` they
    are written. The grid is (b, group of heads, group of `lanes` residues): a task owns the rows of its residues.

    C1 to C3 as for xft.attend_lanes.

    ```mlir
    xft.attend_lanes_vjp %q, %k, %v, %d_o, %lse, %delta to %d_q, %d_k, %d_v groups %n piece #xf.piece<..> scale 0.125 {..} : ..
    ```
  }];
  let arguments = (ins AnyMemRef:$q, AnyMemRef:$k, AnyMemRef:$v, AnyMemRef:$d_o, AnyMemRef:$lse, AnyMemRef:$delta,
      AnyMemRef:$d_q, AnyMemRef:$d_k, AnyMemRef:$d_v, Index:$groups, Optional<AnyMemRef>:$lengths,
      Optional<AnyMemRef>:$query_lengths, Variadic<AnyMemRef>:$symbols, Xft_AttrOf<"::mlir::xf::PieceAttr">:$piece,
      F64Attr:$scale, Xft_LaneTile:$tile, DefaultValuedAttr<I64Attr, "0">:$first_head,
      DefaultValuedAttr<I64Attr, "1">:$head_step, UnitAttr:$assigns);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $d_o `,` $lse `,` $delta `to` $d_q `,` $d_k `,` $d_v `groups` $groups
    (`lengths` `(` $lengths^ `:` type($lengths) `)`)? (`query_lengths` `(` $query_lengths^ `:` type($query_lengths) `)`)?
    (`symbols` `(` $symbols^ `:` type($symbols) `)`)? `piece` $piece `scale` $scale attr-dict
    `:` type($q) `,` type($k) `,` type($v) `,` type($d_o) `,` type($lse) `,` type($delta) `,` type($d_q) `,` type($d_k) `,` type($d_v)
  }];
  let hasVerifier = 1;
}

#endif // XFT_ATTEND_OPS_TD

//===- XftSchedules.td - How kernels run ---------------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel op says what is computed; its schedule, an attribute, says how a target computes it: tiles, where operands
// come from, which threads do what. Targets create schedules (TileModel) and read them; verifiers of ops check them
// against operands.
//
//===----------------------------------------------------------------------===//

#ifndef XFT_SCHEDULES_TD
#define XFT_SCHEDULES_TD

include "dialects/xft/IR/XftDialect.td"
include "mlir/IR/Interfaces.td"

//===--- parameters ---===//

class Xft_Int<string default> : DefaultValuedParameter<"int64_t", default>;
class Xft_Nested<string cpp> : AttrParameter<cpp, ""> { let printer = "$_printer.printAttribute($_self)"; }
def Xft_Flag : DefaultValuedParameter<"bool", "false"> {
  let parser = "::mlir::xf::parseFlag($_parser)";
  let printer = "$_printer << ($_self ? \"true\" : \"false\")";
}

//===--- tiles ---===//

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

def Xft_ResiduesTile : AttrDef<Xft_Dialect, "ResiduesTile"> {
  let mnemonic = "residues_tile";
  let summary = "register tile and blocks of attention with a residue in every lane";
  let description = [{
    A register tile has `rows` queries by `keys` keys of `lanes` residues. A residue has at most `ranks` keys (a multiple
    of `keys`); gradients take `queries` queries of it at a time (a multiple of `rows`).
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$keys, "int64_t":$lanes, "int64_t":$queries, "int64_t":$ranks);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Xft_StencilTile : AttrDef<Xft_Dialect, "StencilTile"> {
  let mnemonic = "stencil_tile";
  let summary = "register tile of attention over boxes of a grid, with neighbouring rows in lanes";
  let description = [{
    Position i of a query or key lies in line i div `length`, column i mod `length`, of a grid. A query of line y and column
    x may see the keys of lines y + `first_line` to y + `first_line` + `lines` - 1 and of columns x + `first_shift` to
    x + `first_shift` + `shifts` - 1.

    A task has `rows` lines of queries; lanes hold queries of `lanes` neighbouring columns of a line. A register tile of
    scores has `rows` lines of queries by `columns` shifts of a line of keys; one of o has as many lines by `columns` of v.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "int64_t":$lanes, "int64_t":$length, "int64_t":$first_line,
      "int64_t":$lines, "int64_t":$first_shift, "int64_t":$shifts);
  let extraClassDeclaration = [{
    /// The largest number of keys that a query sees.
    int64_t getPairs() const { return getLines() * getShifts(); }
    /// The number of lines of keys that a task's queries see.
    int64_t getKeyLines() const { return getRows() + getLines() - 1; }
    /// Given `rows` lines of keys: the number of lines of queries among which are all lines that see one of these keys.
    /// It is a multiple of `rows`.
    int64_t getSeeingLines() const { return getRows() * (1 + ::llvm::divideCeil(getLines() - 1, getRows())); }
  }];
  let assemblyFormat = "`<` struct(params) `>`";
}

def Xft_Warpgroups : AttrDef<Xft_Dialect, "Warpgroups"> {
  let mnemonic = "warpgroups";
  let summary = "how the warpgroups of a thread block share the work of a tile";
  let description = [{
    One producer warpgroup issues TMA copies; `consumers` warpgroups compute, each its share of the tile's resident rows.
    Streamed operands have `stages` buffers in shared memory, so that copies run ahead.
  }];
  let parameters = (ins "int64_t":$consumers, "int64_t":$stages);
  let assemblyFormat = "`<` struct(params) `>`";
}

//===--- schedules of attention ---===//

def Xft_AttendSchedule : AttrInterface<"AttendSchedule"> {
  let cppNamespace = "::mlir::xft";
  let description = [{
    How a target runs xft.attend and the ops of its gradient.
  }];
  let methods = [
    InterfaceMethod<"Returns the register tile and the blocks, an #xft.attend_tile.", "::mlir::Attribute", "getTile">,
    InterfaceMethod<"Returns true if the kernel computes only the tiles that an earlier kernel has flagged.", "bool",
                    "getRecheck", (ins), [{}], [{ return false; }]>,
  ];
}

def Xft_RegisterTiles : AttrDef<Xft_Dialect, "RegisterTiles", [Xft_AttendSchedule]> {
  let mnemonic = "register_tiles";
  let summary = "a thread multiplies register tiles with panels of keys";
  let description = [{
    One thread computes a tile of the grid. Keys are panels: blocks of `tile`'s width with the head dimension outermost,
    which xft.gather_panels has written, one buffer for each key map; values are rows in place (rank 4) or packed (rank 5).

    With `gathered` = n > 0, keys and values are k and v in place. If there are residues, the tile is a whole one: it packs
    its keys and values itself, at most n ranks (whole panels), and walks its blocks of queries. This is for many short
    residues, whose packed keys and values stay in a cache. Otherwise a tile packs the keys that its rows see to a ring of
    n ranks, which it leaves to the next tile of the same call, and reads values in place or, with `operand`, packs them
    likewise. This is for rows that see few keys around them, and for heads whose panels stay in a cache.

    With `operand`, a 16-bit element type, numbers have this type where they enter a product; else that of sums. Weights
    and their gradients are rounded to it.
  }];
  let parameters = (ins Xft_Nested<"::mlir::xft::AttendTileAttr">:$tile, Xft_Int<"0">:$gathered,
                        OptionalParameter<"::mlir::Type">:$operand);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Xft_WarpTiles : AttrDef<Xft_Dialect, "WarpTiles", [Xft_AttendSchedule]> {
  let mnemonic = "warp_tiles";
  let summary = "each warp of a thread block computes rows of the tile";
  let description = [{
    Keys and values are k and v in place; the block copies them through shared memory. With `recheck`, only tiles are
    computed that an earlier kernel has flagged (see #xft.warpgroup_tiles).
  }];
  let parameters = (ins Xft_Nested<"::mlir::xft::AttendTileAttr">:$tile, Xft_Flag:$recheck);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Xft_WarpgroupTiles : AttrDef<Xft_Dialect, "WarpgroupTiles", [Xft_AttendSchedule]> {
  let mnemonic = "warpgroup_tiles";
  let summary = "warpgroups of a thread block copy and compute";
  let description = [{
    Keys and values are k and v in place, copied by TMA. Products take all values of a tile: 0, the P of a masked pair,
    times a non-finite value is not 0. So a warp that computes sets its element of the op's `flags` (i32, as many for
    each tile of the grid as there are such warps) to 1 if one of its results is non-finite, and a kernel with `recheck`
    computes flagged tiles again: it replaces non-finite values by zeros in products, and adds them where rows see them.
    Rows that see none get the bits that they would get if there were none.

    C1 at least one consumer and one stage.
  }];
  let parameters = (ins Xft_Nested<"::mlir::xft::AttendTileAttr">:$tile,
                        Xft_Nested<"::mlir::xft::WarpgroupsAttr">:$warpgroups, Xft_Flag:$recheck);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // XFT_SCHEDULES_TD

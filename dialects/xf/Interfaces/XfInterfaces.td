//===- XfInterfaces.td - What passes may ask of patterns and ops -*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_INTERFACES_TD
#define XF_INTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/Interfaces.td"

def Xf_Pattern : AttrInterface<"Pattern"> {
  let cppNamespace = "::mlir::xf";
  let description = [{
    An attention pattern: a set of pairs (i, j), i a query's position on the key axis, j a key (docs/specification.md,
    "Set patterns"). A pattern says what it *is*; how it runs is the pattern stage's business, and no pass below that
    stage uses this interface. Algebra (union, intersection, difference, heads) is known to the stage by class; every
    other static pattern gives itself as a union of conjunctions.
  }];
  let methods = [
    InterfaceMethod<[{
      Appends the pattern as a union of quasi-affine conjunctions over (i, j)[Nq, Nk, run-time symbols..], best order
      first, and returns success; failure where no such form exists (random, segments, table, permute) or where the
      pattern is not a leaf. The box 0 <= j < Nk, Nk-Nq <= i < Nk is implied.
    }],
    "::llvm::LogicalResult", "getConjunctions", (ins "::llvm::SmallVectorImpl<::mlir::IntegerSet> &":$conjunctions), [{}],
    /*defaultImplementation=*/[{ return ::mlir::failure(); }]>,
    InterfaceMethod<[{
      Checks the parameters by themselves (docs/specification.md, "What the verifier refuses"): `emitError` is called
      once, with what was expected and found.
    }],
    "::llvm::LogicalResult", "verifyPattern", (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError), [{}],
    /*defaultImplementation=*/[{ return ::mlir::success(); }]>,
    InterfaceMethod<[{
      Appends what the pattern and those nested in it require of the number of keys, outer patterns first, if a token is
      a block of `block` keys.
    }],
    "void", "addTokenRules", (ins "int64_t":$block, "::llvm::SmallVectorImpl<::mlir::xf::TokenRule> &":$rules), [{}],
    /*defaultImplementation=*/[{ return; }]>,
  ];
}

def Xf_ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::mlir::xf";
  let description = [{
    An op that computes every element of its only result from the broadcast elements of its operands. Fusion, code
    generation and differentiation all work on this scalar form (the reference interpreter does not).
  }];
  let methods = [
    InterfaceMethod<"Builds arith and math ops on scalars of the operands' element types; returns the result's element.",
    "::mlir::Value", "buildScalar", (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$scalars)>,
  ];
}

def Xf_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::mlir::xf";
  let description = [{
    The one interface behind every gradient. Implementations are attached by compiler/Gradient, one per op.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the vector-Jacobian product. `cotangents` has one value per result (null: that result is not used by the
      loss). `gradients` arrives with one null entry per operand; an entry that stays null is a zero gradient. Returns
      failure after emitting an error where the op has no gradient.
    }],
    "::llvm::LogicalResult", "buildVjp", (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$cotangents,
                                          "::llvm::MutableArrayRef<::mlir::Value>":$gradients)>,
  ];
}

def Xf_DimensionFactorsOpInterface : OpInterface<"DimensionFactorsOpInterface"> {
  let cppNamespace = "::mlir::xf";
  let description = [{
    An op that says which dimensions of its operands and results go together. Its row is text, einops' notation: one
    entry for each operand and each result of the op's definition, a factor for each dimension of a tensor.

    - `k`: a factor. Its dimensions have one size, and ranks may share them: alike wherever it stands. From parts of a
      factor that a result lacks, a rank computes a summand of that result.
    - `K`: a factor that each rank needs all of. `2`: the same, of this size. `_`: a dimension that each rank needs all
      of, whose size the row does not say.
    - `k'`: a dimension that ranks share as `k`, of another size.
    - `(hd)`: a dimension that counts several factors in row-major order. Ranks share it as the first of them.
    - `*`: any number of leading dimensions. A tensor that has fewer of them is read for each of the others.
    - `~`, before an entry: a tensor that broadcasts as in numpy. It may lack dimensions, and a size of 1 repeats.
    - `_` or `?`, as all of an entry: a tensor of any rank, which each rank needs all of, or of which it takes what it has.

    Behind `where`, a factor has the value of an attribute or, by `operands`, the number of operands.
    `bn(hD) -> bhnD where h = heads` is the row of xf.split_heads.
  }];
  let methods = [
    InterfaceMethod<"Returns the row. An op without a row returns an empty string, and overrides methods below instead.",
    "std::string", "getFactorRow", (ins), [{}], /*defaultImplementation=*/[{ return ""; }]>,
    InterfaceMethod<"Returns the operands (or results) of entry `number` of the row: the index of the first, and how many.",
    "std::pair<unsigned, unsigned>", "getEntry", (ins "bool":$ofResults, "unsigned":$number), [{}],
    /*defaultImplementation=*/[{
      return ofResults ? $_op.getODSResultIndexAndLength(number) : $_op.getODSOperandIndexAndLength(number);
    }]>,
    InterfaceMethod<"Sets the factors of all dimensions. The default sets the factors of the row.",
    "void", "getDimensionFactors", (ins "::mlir::xf::DimensionFactors &":$factors), [{}],
    /*defaultImplementation=*/[{ ::mlir::xf::readFactors($_op, factors); }]>,
    InterfaceMethod<[{
      Returns the sizes of `result`, computed from the sizes of the operands. Returns nullopt if these are unknown. The
      default computes them by the row.
    }],
    "std::optional<::llvm::SmallVector<::mlir::xf::SizeId>>", "getResultSizes", (ins "::mlir::xf::SizeArithmetic &":$sizes,
    "::mlir::OpResult":$result), [{}], /*defaultImplementation=*/[{ return ::mlir::xf::sizesByRow(result, sizes); }]>,
  ];
}

#endif // XF_INTERFACES_TD

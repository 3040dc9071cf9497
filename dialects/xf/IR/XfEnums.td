//===- XfEnums.td - Words that attributes take --------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_ENUMS_TD
#define XF_ENUMS_TD

include "dialects/xf/IR/XfDialect.td"
include "mlir/IR/EnumAttr.td"

class Word<string n, list<string> words>
    : I32Enum<n, "", !foreach(i, !range(!size(words)), I32EnumCase<"k_" # words[i], i, words[i]>)> {
  let cppNamespace = "::mlir::xf";
}
class WordAttr<EnumInfo e, string mnemonic> : EnumAttr<Xf_Dialect, e, mnemonic>;

def Xf_Part : Word<"Part", ["union", "local", "column"]>;
def Xf_Feature : Word<"Feature", ["favor", "hyperbolic", "trigonometric", "relu", "elu", "exp", "square", "abs",
                                  "sigmoid", "identity", "softmax"]>;
def Xf_Stabilizer : Word<"Stabilizer", ["none", "row", "sequence", "running"]>;
def Xf_StabilizerAttr : WordAttr<Xf_Stabilizer, "stabilizer">;
def Xf_Normalizer : Word<"Normalizer", ["sum", "none", "count", "norm"]>;
def Xf_NormalizerAttr : WordAttr<Xf_Normalizer, "normalizer">;
def Xf_Projection : Word<"Projection", ["learned", "mean", "max", "strided_conv"]>;
def Xf_Granularity : Word<"Granularity", ["token", "position"]>;
def Xf_GridOrder : Word<"GridOrder", ["index", "layer"]>;
def Xf_GridQueries : Word<"GridQueries", ["all", "top"]>;
/// Where a predicate's datum comes from.
def Xf_DatumSource : Word<"DatumSource", ["segments", "numbers", "table", "lists"]>;
def Xf_Pool : Word<"Pool", ["max", "mean", "last"]>;
def Xf_PoolAttr : WordAttr<Xf_Pool, "pool">;
def Xf_Reduction : Word<"Reduction", ["sum", "mean", "max"]>;
def Xf_ReductionAttr : WordAttr<Xf_Reduction, "reduction">;
def Xf_Comparison : Word<"Comparison", ["eq", "ne", "lt", "le", "gt", "ge"]>;
def Xf_ComparisonAttr : WordAttr<Xf_Comparison, "comparison">;
def Xf_Gelu : Word<"Gelu", ["tanh", "erf", "sigmoid"]>;
def Xf_GeluAttr : WordAttr<Xf_Gelu, "gelu_form">;

#endif // XF_ENUMS_TD

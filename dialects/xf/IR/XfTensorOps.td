//===- XfTensorOps.td - Products, norms, shapes -------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TENSOR_OPS_TD
#define XF_TENSOR_OPS_TD

include "dialects/xf/IR/XfOpBase.td"

defvar Ints64 = DenseI64ArrayAttr;

//===--- products ---===//

def Xf_LinearOp : Xf_Op<"linear", [Pure, Factors<"*k, nk, n -> *n">]> {
  let summary = "y = x W^T + b (torch's layout: W is out x in)";
  let description = [{
    Returns y = x W^T + b for each row of x; without a bias b is 0. Sums are taken in f32 (f64 for f64).

    C1 x ..xIn, weight OutxIn, bias Out, y ..xOut. C2 one element type.

    ```mlir
    %y = xf.linear %x, %weight bias(%bias : tensor<4xf32>) : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x, Xf_FloatTensor:$weight, Optional<Xf_FloatTensor>:$bias);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$x `,` $weight (`bias` `(` $bias^ `:` type($bias) `)`)? attr-dict `:` `(` type($x) `,` type($weight) `)` `->` type($y)";
  let hasVerifier = 1;
}
def Xf_MatmulOp : Xf_Op<"matmul", [Pure, FactorsBy<["getFactorRow"]>]> {
  let summary = "y = a b over the last two dimensions, either transposed on request";
  let description = [{
    Returns y = a b for each pair of matrices, with a^T or b^T in place of a factor that is `transposed`.

    C1 a ..xMxK (KxM if transposed), b ..xKxN (NxK if transposed), y ..xMxN. C2 leading dimensions are equal, or
    those of one factor are the last ones of the other's: it is read for each of the rest. C3 one element type.

    ```mlir
    %y = xf.matmul %a, %b transposed : (tensor<5x2x3xf32>, tensor<4x3xf32>) -> tensor<5x2x4xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$a, Xf_FloatTensor:$b, UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$a (`transposed` $transpose_a^)? `,` $b (`transposed` $transpose_b^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Xf_ProductOp : Xf_Op<"product", [Pure, IsolatedFromAbove, SingleBlock, FactorsBy<["getFactorRow"]>]> {
  let summary = "a product and what happens to its elements on the way out: y = epilogue(a b, extras)";
  let description = [{
    Returns outputs = epilogue(a b, extras): the form that the fuse stage gives every linear and matmul. The region runs
    once per element of the product, on the element and on one element of each extra operand, all in the accumulator's
    type (f32; f64 for f64); it yields one element per result, which is rounded to the result's element type.

    C1 a and b as in xf.matmul, results have the product's shape. C2 extra operands broadcast to that shape. C3 the
    region takes 1 + extras scalars of the accumulator's type and yields one per result. C4 arith and math ops only.

    ```mlir
    %y = xf.product %x, %w transposed epilogue(%p : f32, %b = %bias : tensor<4xf32>) {
      %s = arith.addf %p, %b : f32
      xf.yield %s : f32
    } : (tensor<2x3xf32>, tensor<4x3xf32>) -> (tensor<2x4xf32>)
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$a, Xf_FloatTensor:$b, Variadic<Xf_FloatTensor>:$extras, UnitAttr:$transpose_a,
                       UnitAttr:$transpose_b);
  let results = (outs Variadic<Xf_FloatTensor>:$outputs);
  let regions = (region SizedRegion<1>:$epilogue);
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::Value":$a, "bool":$transposeA, "::mlir::Value":$b,
                   "bool":$transposeB, "::mlir::ValueRange":$extras,
                   "::llvm::function_ref<::llvm::SmallVector<::mlir::Value>(::mlir::OpBuilder &, ::mlir::ValueRange)>":$epilogue)>
  ];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===--- rows: the last dimension ---===//

def Xf_SoftmaxOp : Xf_Op<"softmax", [Pure, SameOperandsAndResultType, Factors<"*D -> *D">]> {
  let summary = "softmax over the last dimension";
  let description = [{
    Returns y[.., j] = e^(x[.., j] - m) / sum over k of e^(x[.., k] - m), with m the largest element of the row.

    C1 x has a dimension.

    ```mlir
    %y = xf.softmax %x : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let hasVerifier = 1;
}
def Xf_SoftmaxVjpOp : Xf_Op<"softmax_vjp", [Pure, SameOperandsAndResultType, Factors<"*D, *D -> *D">]> {
  let summary = "dx = y (dy - sum(y dy))";
  let description = [{
    Returns dx = y (dy - sum(y dy)), the sum over the last dimension; y is the result of the softmax.

    C1 y has a dimension. C2 y, d_y and d_x have one type (by type).

    ```mlir
    %d_x = xf.softmax_vjp %y, %d_y : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$y, Xf_FloatTensor:$d_y);
  let results = (outs Xf_FloatTensor:$d_x);
  let assemblyFormat = "$y `,` $d_y attr-dict `:` type($y)";
  let hasVerifier = 1;
}
def Xf_LayerNormOp : Xf_Op<"layer_norm", [Pure, AttrSizedOperandSegments, Factors<"*D, D, D -> *D">]> {
  let summary = "y = (x - mean) / sqrt(var + eps) weight + bias over the last dimension";
  let description = [{
    Returns y = (x - mean) / sqrt(var + eps) weight + bias, with mean and variance (of all elements, not one less) over
    the last dimension. Without a weight it is 1, without a bias 0.

    C1 x has a dimension, y its shape; weight and bias have the last dimension's size. C2 eps >= 0. C3 one element type.

    ```mlir
    %y = xf.layer_norm %x weight(%weight : tensor<3xf32>) bias(%bias : tensor<3xf32>) eps 1.0e-05 : tensor<2x3xf32> -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x, Optional<Xf_FloatTensor>:$weight, Optional<Xf_FloatTensor>:$bias, F64Attr:$eps);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = [{ $x (`weight` `(` $weight^ `:` type($weight) `)`)? (`bias` `(` $bias^ `:` type($bias) `)`)?
    `eps` $eps attr-dict `:` type($x) `->` type($y) }];
  let hasVerifier = 1;
}
def Xf_LayerNormVjpOp : Xf_Op<"layer_norm_vjp", [Pure, AttrSizedResultSegments, Factors<"*D, D, *D -> *D, D, D">]> {
  let summary = "gradients of layer_norm; mean and deviation are recomputed";
  let description = [{
    With z = (x - mean) / sqrt(var + eps) and g = weight d_y, returns d_x = (g - mean(g) - z mean(g z)) / sqrt(var +
    eps), and, where they are results, d_weight = sum of z d_y and d_bias = sum of d_y over all rows.

    C1 x has a dimension, d_y and d_x its shape; weight, d_weight and d_bias have the last dimension's size. C2 eps >=
    0. C3 one element type.

    ```mlir
    %d_x, %d_weight, %d_bias = xf.layer_norm_vjp %x weight(%weight : tensor<3xf32>), %d_y eps 1.0e-05
      : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32> weight(tensor<3xf32>) bias(tensor<3xf32>)
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x, Optional<Xf_FloatTensor>:$weight, Xf_FloatTensor:$d_y, F64Attr:$eps);
  let results = (outs Xf_FloatTensor:$d_x, Optional<Xf_FloatTensor>:$d_weight, Optional<Xf_FloatTensor>:$d_bias);
  let assemblyFormat = [{ $x (`weight` `(` $weight^ `:` type($weight) `)`)? `,` $d_y `eps` $eps attr-dict `:` type($x) `,` type($d_y)
    `->` type($d_x) (`weight` `(` type($d_weight)^ `)`)? (`bias` `(` type($d_bias)^ `)`)? }];
  let hasVerifier = 1;
}
def Xf_RmsNormOp : Xf_Op<"rms_norm", [Pure, Factors<"*D, D -> *D">]> {
  let summary = "y = x / sqrt(mean(x^2) + eps) weight over the last dimension";
  let description = [{
    Returns y = x / sqrt(mean(x^2) + eps) weight, with the mean over the last dimension. Without a weight it is 1.

    C1 x has a dimension, y its shape; weight has the last dimension's size. C2 eps >= 0. C3 one element type.

    ```mlir
    %y = xf.rms_norm %x weight(%weight : tensor<3xf32>) eps 1.0e-05 : tensor<2x3xf32> -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x, Optional<Xf_FloatTensor>:$weight, F64Attr:$eps);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$x (`weight` `(` $weight^ `:` type($weight) `)`)? `eps` $eps attr-dict `:` type($x) `->` type($y)";
  let hasVerifier = 1;
}
def Xf_RmsNormVjpOp : Xf_Op<"rms_norm_vjp", [Pure, Factors<"*D, D, *D -> *D, D">]> {
  let summary = "gradients of rms_norm";
  let description = [{
    With z = x / sqrt(mean(x^2) + eps) and g = weight d_y, returns d_x = (g - z mean(g z)) / sqrt(mean(x^2) + eps), and,
    where it is a result, d_weight = sum of z d_y over all rows.

    C1 x has a dimension, d_y and d_x its shape; weight and d_weight have the last dimension's size. C2 eps >= 0. C3 one
    element type.

    ```mlir
    %d_x, %d_weight = xf.rms_norm_vjp %x weight(%weight : tensor<3xf32>), %d_y eps 1.0e-05
      : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32> weight(tensor<3xf32>)
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x, Optional<Xf_FloatTensor>:$weight, Xf_FloatTensor:$d_y, F64Attr:$eps);
  let results = (outs Xf_FloatTensor:$d_x, Optional<Xf_FloatTensor>:$d_weight);
  let assemblyFormat = [{ $x (`weight` `(` $weight^ `:` type($weight) `)`)? `,` $d_y `eps` $eps attr-dict `:` type($x) `,` type($d_y)
    `->` type($d_x) (`weight` `(` type($d_weight)^ `)`)? }];
  let hasVerifier = 1;
}
def Xf_ReduceOp : Xf_Op<"reduce", [Pure, FactorsBy<["getFactorRow"]>]> {
  let summary = "sum, mean or max over some dimensions, which vanish";
  let description = [{
    Returns y = sum, mean or max, by `kind`, of x over the dimensions `axes`. A maximum with a NaN is NaN.

    C1 axes are dimensions of x, each once; y has the others, in order. C2 one element type.

    ```mlir
    %y = xf.reduce mean %x axes [1] : tensor<2x3xf32> -> tensor<2xf32>
    ```
  }];
  let arguments = (ins Xf_ReductionAttr:$kind, Xf_FloatTensor:$x, Ints64:$axes);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$kind $x `axes` $axes attr-dict `:` type($x) `->` type($y)";
  let hasVerifier = 1;
}
def Xf_ReduceMaxVjpOp : Xf_Op<"reduce_max_vjp", [Pure, AllTypesMatch<["x", "d_x"]>, FactorsBy<["getFactorRow"]>]> {
  let summary = "gradient of reduce max: d_y at the first largest element in row-major order, 0 elsewhere";
  let description = [{
    Returns d_x = d_y at the first largest element of each group in row-major order, 0 elsewhere. A group whose maximum
    is NaN gives it to its first NaN.

    C1 axes are dimensions of x, each once; d_y has the others, in order. C2 one element type.

    ```mlir
    %d_x = xf.reduce_max_vjp %x, %d_y axes [1] : tensor<2x3xf32>, tensor<2xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x, Xf_FloatTensor:$d_y, Ints64:$axes);
  let results = (outs Xf_FloatTensor:$d_x);
  let assemblyFormat = "$x `,` $d_y `axes` $axes attr-dict `:` type($x) `,` type($d_y)";
  let hasVerifier = 1;
}

//===--- shapes ---===//

def Xf_ReshapeOp : Xf_Op<"reshape", [Pure, FactorsBy<["getDimensionFactors", "getResultSizes"]>]> {
  let summary = "the same elements in row-major order under another shape";
  let description = [{
    Returns y with y[n] = x[n] for each row-major number n. Dynamic sizes of y are `sizes`. Without these
    they are those of x, in order; one more is what the number of elements leaves.

    C1 one size per dynamic dimension of y, or at most one dimension of y is dynamic more than of x. C2 the numbers of elements agree. C3 one element type.

    ```mlir
    %y = xf.reshape %x sizes [n / 2] : tensor<?x6xf32> to tensor<?x4x3xf32>
    ```
  }];
  let arguments = (ins Xf_Tensor:$x, OptionalAttr<Xf_SizesAttr>:$sizes);
  let results = (outs Xf_Tensor:$y);
  let builders = [OpBuilder<(ins "::mlir::Type":$y, "::mlir::Value":$x), [{
    build($_builder, $_state, y, x, ::mlir::ArrayAttr());
  }]>];
  let assemblyFormat = "$x (`sizes` custom<Sizes>($sizes)^)? attr-dict `:` type($x) `to` type($y)";
  let hasVerifier = 1;
}
def Xf_TransposeOp : Xf_Op<"transpose", [Pure, FactorsBy<["getFactorRow"]>]> {
  let summary = "dimension d of the result is dimension permutation[d] of x";
  let description = [{
    Returns y with y[n(p(0)), n(p(1)), ..] = x[n(0), n(1), ..] for p = permutation.

    C1 a permutation of the dimensions of x; y has the permuted shape. C2 one element type.

    ```mlir
    %y = xf.transpose %x permutation [0, 2, 1] : tensor<2x3x4xf32> to tensor<2x4x3xf32>
    ```
  }];
  let arguments = (ins Xf_Tensor:$x, Ints64:$permutation);
  let results = (outs Xf_Tensor:$y);
  let assemblyFormat = "$x `permutation` $permutation attr-dict `:` type($x) `to` type($y)";
  let hasVerifier = 1;
}
def Xf_SliceOp : Xf_Op<"slice", [Pure, FactorsBy<["getDimensionFactors", "getResultSizes"]>]> {
  let summary = "y[n] = x[offset + stride n]; the sizes are the result's";
  let description = [{
    Returns y with y[n] = x[offset + stride n] in each dimension. Dynamic sizes of y are `sizes`; without these
    they take all that there is. An offset may be a size.

    C1 one offset >= 0 and one stride >= 1 per dimension of x and y, one size per dynamic dimension of y. C2 the last element lies in x. C3 one element type.

    ```mlir
    %y = xf.slice %x offsets [n - 2, 1] strides [1, 2] : tensor<?x6xf32> to tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Xf_Tensor:$x, Ints64:$offsets, Ints64:$strides, OptionalAttr<Xf_SizesAttr>:$starts,
                       OptionalAttr<Xf_SizesAttr>:$sizes);
  let results = (outs Xf_Tensor:$y);
  let builders = [OpBuilder<(ins "::mlir::Type":$y, "::mlir::Value":$x, "::llvm::ArrayRef<int64_t>":$offsets,
                                 "::llvm::ArrayRef<int64_t>":$strides), [{
    build($_builder, $_state, y, x, offsets, strides, ::mlir::ArrayAttr(), ::mlir::ArrayAttr());
  }]>];
  let assemblyFormat = "$x `offsets` custom<Positions>($offsets, $starts) `strides` $strides (`sizes` custom<Sizes>($sizes)^)? attr-dict `:` type($x) `to` type($y)";
  let hasVerifier = 1;
}
def Xf_SliceUpdateOp : Xf_Op<"slice_update", [Pure, FactorsBy<["getFactorRow"]>]> {
  let summary = "y = state, but y[.., position + n, ..] = x[.., n, ..] along an axis";
  let description = [{
    Returns y with y[.., position + n, ..] = x[.., n, ..] along dimension `axis`, and the elements of `state` elsewhere. A
    call refuses positions below 0 and those from which x would not end within the state. So that it can, `position` is
    an input or state of the entry. If y replaces `state` in a call (`xf.updates`) and nothing reads `state` afterwards,
    only the elements of x are written.

    At a vector of positions, which may be computed and is not checked, x[n, ..] replaces place position[n] of the
    places that the dimensions 0 to `axis` have in row-major order, and nothing where there is no such place; of equal
    positions the last counts.

    C1 state and y of one rank, and an axis among its dimensions; the size of the state along it is static. C2 y has the
    sizes of the state. At one position x does too, but for the axis, along which it has at most as many; at a vector of
    positions x has its size and then the sizes of the state behind the axis, and those up to the axis are static. C3
    one element type.

    ```mlir
    %y = xf.slice_update %state, %x at %position axis 1 : (tensor<2x8xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<2x8xf32>
    ```
  }];
  let arguments = (ins Xf_Tensor:$state, Xf_Tensor:$x, TensorRankOf<[I32, I64], [0, 1]>:$position, I64Attr:$axis);
  let results = (outs Xf_Tensor:$y);
  let assemblyFormat = [{
    $state `,` $x `at` $position `axis` $axis attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}
def Xf_PadOp : Xf_Op<"pad", [Pure, FactorsBy<["getDimensionFactors", "getResultSizes"]>]> {
  let summary = "zeros around x: y[low + stride n] = x[n] (the gradient of slice)";
  let description = [{
    Returns y with y[low + stride n] = x[n] in each dimension, and 0 elsewhere. Dynamic sizes of y are `sizes`; without
    these they end with the last element of x. A low end may be a size.

    C1 one low end >= 0 and one stride >= 1 per dimension of x and y, one size per dynamic dimension of y. C2 y has room for x. C3 one element type.

    ```mlir
    %y = xf.pad %x low [0, 1] strides [1, 2] : tensor<2x3xf32> to tensor<4x6xf32>
    ```
  }];
  let arguments = (ins Xf_Tensor:$x, Ints64:$low, Ints64:$strides, OptionalAttr<Xf_SizesAttr>:$starts,
                       OptionalAttr<Xf_SizesAttr>:$sizes);
  let results = (outs Xf_Tensor:$y);
  let builders = [OpBuilder<(ins "::mlir::Type":$y, "::mlir::Value":$x, "::llvm::ArrayRef<int64_t>":$low,
                                 "::llvm::ArrayRef<int64_t>":$strides), [{
    build($_builder, $_state, y, x, low, strides, ::mlir::ArrayAttr(), ::mlir::ArrayAttr());
  }]>];
  let assemblyFormat = "$x `low` custom<Positions>($low, $starts) `strides` $strides (`sizes` custom<Sizes>($sizes)^)? attr-dict `:` type($x) `to` type($y)";
  let hasVerifier = 1;
}
def Xf_ConcatOp : Xf_Op<"concat", [Pure, FactorsBy<["getFactorRow", "getResultSizes"]>]> {
  let summary = "the operands one after the other along an axis";
  let description = [{
    Returns y with the elements of the first operand, then those of the second, and so on, along the axis.

    C1 at least one operand; their shapes agree besides the axis, where the sizes add up. C2 one element type.

    ```mlir
    %y = xf.concat %a, %b axis 1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Xf_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs Xf_Tensor:$y);
  let assemblyFormat = "$inputs `axis` $axis attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_BroadcastOp : Xf_Op<"broadcast", [Pure, Factors<"~* -> *">]> {
  let summary = "x repeated as in numpy to the result's shape";
  let description = [{
    Returns y with y[.., n] = x[n], and x[0] in dimensions of size 1 of x. Dynamic sizes of y are `sizes`; without these
    they are those of x.

    C1 the shape of x broadcasts to that of y, one size per dynamic dimension of y. C2 one element type.

    ```mlir
    %y = xf.broadcast %x : tensor<3xf32> to tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Xf_Tensor:$x, OptionalAttr<Xf_SizesAttr>:$sizes);
  let results = (outs Xf_Tensor:$y);
  let builders = [OpBuilder<(ins "::mlir::Type":$y, "::mlir::Value":$x), [{
    build($_builder, $_state, y, x, ::mlir::ArrayAttr());
  }]>];
  let assemblyFormat = "$x (`sizes` custom<Sizes>($sizes)^)? attr-dict `:` type($x) `to` type($y)";
  let hasVerifier = 1;
}
def Xf_SplitHeadsOp : Xf_Op<"split_heads", [Pure, Factors<"bn(hD) -> bhnD where h = heads">]> {
  let summary = "B x N x (heads D) to B x heads x N x D, an index map";
  let description = [{
    Returns y with y[b, h, n, d] = x[b, n, h D + d], D being the depth of a head. No element moves: kernels read x by
    this index map.

    C1 x is BxNxE, y is BxHxNx(E / H), where H = heads >= 1 divides E. C2 one element type.

    ```mlir
    %y = xf.split_heads %x heads 2 : (tensor<1x3x8xf32>) -> tensor<1x2x3x4xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x, I64Attr:$heads);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$x `heads` $heads attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_MergeHeadsOp : Xf_Op<"merge_heads", [Pure, Factors<"bhnD -> bn(hD)">]> {
  let summary = "B x H x N x D to B x N x (H D), an index map";
  let description = [{
    Returns y with y[b, n, h D + d] = x[b, h, n, d]: the inverse of xf.split_heads, an index map too.

    C1 x is BxHxNxD, y is BxNx(H D). C2 one element type.

    ```mlir
    %y = xf.merge_heads %x : (tensor<1x2x3x4xf32>) -> tensor<1x3x8xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_StackLayersOp : Xf_Op<"stack_layers", [Pure, Factors<"bnD -> b(nL)D where L = operands">]> {
  let summary = "L tensors B x N x d to B x (N L) x d, token n of layer l at n L + l (OmniNet)";
  let description = [{
    Returns y with y[b, n L + l, c] = x_l[b, n, c] for L layers x_l: the tokens of all layers as one sequence (OmniNet,
    Tay 2021).

    C1 at least one layer, all BxNxd; y is Bx(N L)xd. C2 one element type.

    ```mlir
    %y = xf.stack_layers %a, %b : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x6x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Xf_FloatTensor>:$layers);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$layers attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_PoolLayersOp : Xf_Op<"pool_layers", [Pure, Factors<"b(nL)D -> bnD where L = layers">]> {
  let summary = "B x (N L) x d to B x N x d: max (first wins ties), mean or last over the layers of a token";
  let description = [{
    Returns y[b, n, c] = max, mean or last, by `kind`, of x[b, n L + l, c] over the L layers l. The gradient of `max`
    goes to the first of equal elements.

    C1 x is Bx(N L)xd with L = layers >= 1, y is BxNxd. C2 one element type.

    ```mlir
    %y = xf.pool_layers %x layers 2 kind max : (tensor<1x6x4xf32>) -> tensor<1x3x4xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x, I64Attr:$layers, Xf_PoolAttr:$kind);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$x `layers` $layers `kind` $kind attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif // XF_TENSOR_OPS_TD

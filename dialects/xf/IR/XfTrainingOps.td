//===- XfTrainingOps.td - Embeddings, loss, optimisers ------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TRAINING_OPS_TD
#define XF_TRAINING_OPS_TD

include "dialects/xf/IR/XfOpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Xf_EmbeddingOp : Xf_Op<"embedding", [Pure]> {
  let summary = "y[.., :] = table[ids[..], :]";
  let description = "C1 table VxE, ids .., y ..xE. C2 one element type. Ids outside [0, V) are refused at call time.";
  let arguments = (ins Xf_FloatTensor:$table, Xf_IdTensor:$ids);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$table `,` $ids attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_EmbeddingVjpOp : Xf_Op<"embedding_vjp", [Pure]> {
  let summary = "d_table[v, :] = initial[v, :] + sum of d_y over the places whose id is v, in their order";
  let description = [{
    Without `onto` the initial table is zero. A table that is also read by something else has such a sum as its gradient.

    C1 ids .., d_y ..xE, d_table VxE with a static V. C2 one element type. C3 the initial table has the type of d_table.
  }];
  let arguments = (ins Xf_IdTensor:$ids, Xf_FloatTensor:$d_y, Optional<Xf_FloatTensor>:$initial);
  let results = (outs Xf_FloatTensor:$d_table);
  let assemblyFormat = "$ids `,` $d_y (`onto` $initial^)? attr-dict `:` functional-type(operands, results)";
  let builders = [OpBuilder<(ins "Type":$dTable, "Value":$ids, "Value":$dY), [{ build($_builder, $_state, dTable, ids, dY, Value()); }]>];
  let hasVerifier = 1;
}
def Xf_CrossEntropyOp : Xf_Op<"cross_entropy", [Pure]> {
  let summary = "mean over targets that are not -100 of lse(logits) - logits[target]; 0 when there are none";
  let description = [{
    C1 logits ..xV, V >= 1, targets .., loss scalar, lse .. (kept for the gradient, in any type).
    Targets are in [0, V) or -100.
  }];
  let arguments = (ins Xf_FloatTensor:$logits, Xf_IdTensor:$targets);
  let results = (outs Xf_FloatTensor:$loss, Xf_FloatTensor:$lse);
  let assemblyFormat = "$logits `,` $targets attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_CrossEntropyVjpOp : Xf_Op<"cross_entropy_vjp", [Pure]> {
  let summary = "d_logits = d_loss (softmax(logits) - onehot(target)) / count, 0 for rows of target -100";
  let description = "As xf.cross_entropy: C1 d_loss is a scalar, d_logits has the type of logits.";
  let arguments = (ins Xf_FloatTensor:$logits, Xf_IdTensor:$targets, Xf_FloatTensor:$lse, Xf_FloatTensor:$d_loss);
  let results = (outs Xf_FloatTensor:$d_logits);
  let assemblyFormat = "$logits `,` $targets `,` $lse `,` $d_loss attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_DropoutOp : Xf_Op<"dropout", [Pure, AllTypesMatch<["x", "y"]>]> {
  let summary = "x / (1 - p) with probability 1 - p, else 0, from (seed, element index) only; its own gradient";
  let description = [{
    Element n (row-major) draws word n mod 4 of Philox4x32-10 (Patterns/RandomDraw.h) with the low words of the seed's
    two integers as key and counter = (n div 4, 0), n div 4 in the first two of the four words, low word first; kept
    when word >= p 2^32. The index is the element's, so a replay and any tiling give the same mask.

    C1 the seed holds two integers. C2 0 <= p <= 1.
  }];
  let arguments = (ins Xf_FloatTensor:$x, Xf_IdTensor:$seed, F64Attr:$p);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$x `seed` `(` $seed `:` type($seed) `)` `p` $p attr-dict `:` type($x)";
  let hasVerifier = 1;
}
def Xf_CheckpointOp : Xf_Op<"checkpoint", [Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "a region whose intermediate values are recomputed for the gradient, not kept";
  let description = [{
    C1 one block argument per operand, of its type; yields the results. C2 the region holds ops of the dialect and
    constants. Without a gradient it is the region inlined.

    ```mlir
    %y = xf.checkpoint (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) { %b = xf.exp %a : tensor<4xf32>  xf.yield %b : tensor<4xf32> }
    ```
  }];
  let arguments = (ins Variadic<Xf_Tensor>:$inputs);
  let results = (outs Variadic<Xf_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Xf_AfterOp : Xf_Op<"after", [Pure, AllTypesMatch<["x", "y"]>]> {
  let summary = "x, available only after the dependency; keeps a recomputation from merging with what it repeats";
  let arguments = (ins Xf_Tensor:$x, Xf_Tensor:$dependency);
  let results = (outs Xf_Tensor:$y);
  let assemblyFormat = "$x `,` $dependency attr-dict `:` type($x) `,` type($dependency)";
}

//===--- derivatives of functions; the gradient stage expands both ops in place ---===//

def Xf_GradientOp : Xf_Op<"gradient", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the results of a function and the gradients of its first one (value and gradient)";
  let description = [{
    Calls the function and differentiates its first result, a floating-point scalar, with respect to the arguments
    listed in `wrt`. Further results come along without a derivative. Results are the function's, then one gradient
    per entry of `wrt`, of that argument's type.

    C1 the symbol is a function of one block, with a body. C2 operands have the types of its arguments. C3 its first
    result is a floating-point scalar. C4 `wrt` lists floating-point arguments, each once. C5 the result types.

    ```mlir
    %loss, %d_w = xf.gradient @loss(%w, %x) wrt [0] : (tensor<4xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Xf_Tensor>:$inputs, DenseI64ArrayAttr:$wrt);
  let results = (outs Variadic<Xf_Tensor>:$outputs);
  let assemblyFormat = "$callee `(` $inputs `)` `wrt` $wrt attr-dict `:` functional-type($inputs, $outputs)";
}
def Xf_VjpOp : Xf_Op<"vjp", [Pure, AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the results of a function and its vector-Jacobian product with given cotangents";
  let description = [{
    As xf.gradient for any function: one cotangent per floating-point result, of that result's type (C3).

    ```mlir
    %y, %d_x = xf.vjp @f(%x) cotangents(%d_y : tensor<4xf32>) wrt [0] : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Xf_Tensor>:$inputs, Variadic<Xf_FloatTensor>:$cotangents,
                       DenseI64ArrayAttr:$wrt);
  let results = (outs Variadic<Xf_Tensor>:$outputs);
  let assemblyFormat = [{ $callee `(` $inputs `)` (`cotangents` `(` $cotangents^ `:` type($cotangents) `)`)? `wrt` $wrt
    attr-dict `:` functional-type($inputs, $outputs) }];
}

//===--- optimisers: element-wise on parameters, gradients and state ---===//

def Xf_ClipScaleOp : Xf_Op<"clip_scale", [Pure]> {
  let summary = "min(1, max_norm / (global L2 norm of the gradients + 1e-6))";
  let description = "C1 at least one gradient; the scale is a scalar. C2 max_norm >= 0.";
  let arguments = (ins Variadic<Xf_FloatTensor>:$gradients, F64Attr:$max_norm);
  let results = (outs Xf_FloatTensor:$scale);
  let assemblyFormat = "$gradients `max_norm` $max_norm attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_AdamWOp : Xf_Op<"adamw", [Pure, AllTypesMatch<["parameter", "gradient", "first", "second", "new_parameter", "new_first", "new_second"]>]> {
  let summary = "decoupled weight decay first, then Adam with bias correction, eps outside the root (PyTorch's AdamW)";
  let description = [{
    g = clip gradient; p' = p (1 - lr decay); m' = beta1 m + (1 - beta1) g; v' = beta2 v + (1 - beta2) g^2;
    new p = p' - lr (m' / (1 - beta1^t)) / (sqrt(v' / (1 - beta2^t)) + eps), t = step, from 1.

    C1 lr, clip (tensor<f32>) and step (tensor<i64>) are scalars. C2 betas in [0, 1), eps and decay >= 0.
  }];
  let arguments = (ins Xf_FloatTensor:$parameter, Xf_FloatTensor:$gradient, Xf_FloatTensor:$first, Xf_FloatTensor:$second,
                       Xf_FloatTensor:$rate, Xf_IdTensor:$step, Xf_FloatTensor:$clip,
                       F64Attr:$beta1, F64Attr:$beta2, F64Attr:$eps, F64Attr:$weight_decay);
  let results = (outs Xf_FloatTensor:$new_parameter, Xf_FloatTensor:$new_first, Xf_FloatTensor:$new_second);
  let assemblyFormat = [{ $parameter `,` $gradient `,` $first `,` $second `rate` $rate `step` $step `clip` $clip `betas` $beta1 `,` $beta2
    `eps` $eps `decay` $weight_decay attr-dict `:` type($parameter) `,` type($rate) `,` type($step) `,` type($clip) }];
  let hasVerifier = 1;
}
def Xf_SgdOp : Xf_Op<"sgd", [Pure, AllTypesMatch<["parameter", "gradient", "velocity", "new_parameter", "new_velocity"]>]> {
  let summary = "g = clip gradient + decay p; v' = momentum v + g; new p = p - lr v' (PyTorch's SGD)";
  let description = "C1 lr and clip are scalars. C2 momentum and decay >= 0.";
  let arguments = (ins Xf_FloatTensor:$parameter, Xf_FloatTensor:$gradient, Xf_FloatTensor:$velocity, Xf_FloatTensor:$rate,
                       Xf_FloatTensor:$clip, F64Attr:$momentum, F64Attr:$weight_decay);
  let results = (outs Xf_FloatTensor:$new_parameter, Xf_FloatTensor:$new_velocity);
  let assemblyFormat = [{ $parameter `,` $gradient `,` $velocity `rate` $rate `clip` $clip `momentum` $momentum `decay` $weight_decay
    attr-dict `:` type($parameter) `,` type($rate) `,` type($clip) }];
  let hasVerifier = 1;
}

#endif // XF_TRAINING_OPS_TD

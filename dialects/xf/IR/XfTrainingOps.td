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

def Xf_EmbeddingOp : Xf_Op<"embedding", [Pure, Factors<"Vd, * -> *d">]> {
  let summary = "y[.., :] = table[ids[..], :]";
  let description = [{
    Returns y with y[.., :] = table[ids[..], :]. A call refuses ids outside [0, V).

    C1 table VxE, ids .., y ..xE. C2 one element type.

    ```mlir
    %y = xf.embedding %table, %ids : (tensor<9x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$table, Xf_IdTensor:$ids);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$table `,` $ids attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_EmbeddingVjpOp : Xf_Op<"embedding_vjp", [Pure, Factors<"*, *d, Vd -> Vd">]> {
  let summary = "d_table[v, :] = initial[v, :] + sum of d_y over the places whose id is v, in their order";
  let description = [{
    Returns d_table[v, :] = initial[v, :] + sum of d_y over the places whose id is v, in their order. Without `onto` the
    initial table is zero. A table that is also read by something else has such a sum as its gradient.

    C1 ids .., d_y ..xE, d_table VxE with a static V. C2 one element type. C3 the initial table has the type of d_table.

    ```mlir
    %d_table = xf.embedding_vjp %ids, %d_y onto %initial : (tensor<2xi32>, tensor<2x4xf32>, tensor<9x4xf32>) -> tensor<9x4xf32>
    ```
  }];
  let arguments = (ins Xf_IdTensor:$ids, Xf_FloatTensor:$d_y, Optional<Xf_FloatTensor>:$initial);
  let results = (outs Xf_FloatTensor:$d_table);
  let assemblyFormat = "$ids `,` $d_y (`onto` $initial^)? attr-dict `:` functional-type(operands, results)";
  let builders = [OpBuilder<(ins "Type":$dTable, "Value":$ids, "Value":$dY), [{ build($_builder, $_state, dTable, ids, dY, Value()); }]>];
  let hasVerifier = 1;
}
def Xf_CrossEntropyOp : Xf_Op<"cross_entropy", [Pure, Factors<"*V, * -> , *">]> {
  let summary = "mean over targets that are not -100 of lse(logits) - logits[target]; 0 when there are none";
  let description = [{
    Returns loss = mean of lse[n] - logits[n, target] over the rows n whose target is not -100, 0 where there are none,
    and lse[n] = log sum over v of e^logits[n, v]. Targets are in [0, V) or -100.

    C1 logits ..xV, V >= 1, targets .., loss a scalar, lse .. (kept for the gradient); loss and lse of any float type.

    ```mlir
    %loss, %lse = xf.cross_entropy %logits, %targets : (tensor<2x9xf32>, tensor<2xi64>) -> (tensor<f32>, tensor<2xf32>)
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$logits, Xf_IdTensor:$targets);
  let results = (outs Xf_FloatTensor:$loss, Xf_FloatTensor:$lse);
  let assemblyFormat = "$logits `,` $targets attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_CrossEntropyVjpOp : Xf_Op<"cross_entropy_vjp", [Pure, Factors<"*V, *, *, -> *V">]> {
  let summary = "d_logits = d_loss (softmax(logits) - onehot(target)) / count, 0 for rows of target -100";
  let description = [{
    Returns d_logits = d_loss (softmax(logits) - onehot(target)) / count, 0 for rows of target -100, count being the
    number of other rows; lse is that of xf.cross_entropy.

    C1 logits ..xV, V >= 1, targets .., lse .., d_loss a scalar. C2 d_logits has the shape and the element type of
    logits.

    ```mlir
    %d_logits = xf.cross_entropy_vjp %logits, %targets, %lse, %d_loss : (tensor<2x9xf32>, tensor<2xi64>, tensor<2xf32>, tensor<f32>) -> tensor<2x9xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$logits, Xf_IdTensor:$targets, Xf_FloatTensor:$lse, Xf_FloatTensor:$d_loss);
  let results = (outs Xf_FloatTensor:$d_logits);
  let assemblyFormat = "$logits `,` $targets `,` $lse `,` $d_loss attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_DropoutOp : Xf_Op<"dropout", [Pure, AllTypesMatch<["x", "y"]>, Factors<"*, 2 -> *">]> {
  let summary = "x / (1 - p) with probability 1 - p, else 0, from (seed, element index) only; its own gradient";
  let description = [{
    Returns y = x / (1 - p) where an element is kept, else 0. Element n (row-major) draws word n mod 4 of Philox4x32-10
    (Patterns/RandomDraw.h) with the low words of the seed's two integers as key and counter = (n div 4, 0), n div 4 in
    the first two of the four words, low word first; kept when word >= p 2^32. The index is the element's, so a replay
    and any tiling give the same mask.

    C1 the seed holds two integers. C2 0 <= p <= 1.

    ```mlir
    %y = xf.dropout %x seed(%seed : tensor<2xi64>) p 1.0e-01 : tensor<4xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x, Xf_IdTensor:$seed, F64Attr:$p);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$x `seed` `(` $seed `:` type($seed) `)` `p` $p attr-dict `:` type($x)";
  let hasVerifier = 1;
}
def Xf_CheckpointOp : Xf_Op<"checkpoint", [Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "a region whose intermediate values are recomputed for the gradient, not kept";
  let description = [{
    Returns region(inputs). Without a gradient it is the region inlined.

    C1 one block argument per operand, of its type. C2 the region holds ops of the dialect and constants. C3 it ends in
    an xf.yield of the results' types.

    ```mlir
    %y = xf.checkpoint (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
      %b = xf.exp %a : tensor<4xf32>
      xf.yield %b : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Xf_Tensor>:$inputs);
  let results = (outs Variadic<Xf_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Xf_AfterOp : Xf_Op<"after", [Pure, AllTypesMatch<["x", "y"]>, Factors<"*, ? -> *">]> {
  let summary = "x, available only after the dependency; keeps a recomputation from merging with what it repeats";
  let description = [{
    Returns y = x, once the dependency has been computed. The gradient stage starts the recomputation of a checkpoint
    with it: equal ops on y and on x are not merged.

    ```mlir
    %y = xf.after %x, %dependency : tensor<4xf32>, tensor<2xf32>
    ```
  }];
  let arguments = (ins Xf_Tensor:$x, Xf_Tensor:$dependency);
  let results = (outs Xf_Tensor:$y);
  let assemblyFormat = "$x `,` $dependency attr-dict `:` type($x) `,` type($dependency)";
}

//===--- derivatives of functions; the gradient stage expands both ops in place ---===//

def Xf_GradientOp : Xf_Op<"gradient", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the results of a function and the gradients of its first one (value and gradient)";
  let description = [{
    Returns f(inputs) and, for its first result, a floating-point scalar, the gradients d f_0 / d input of the arguments
    listed in `wrt`. Further results come along without a derivative.

    C1 the symbol is a function of one block, with a body. C2 operands have the types of its arguments. C3 its first
    result is a floating-point scalar. C4 `wrt` lists floating-point arguments, each once. C5 results have the types of
    the function's results, then of the arguments that `wrt` lists.

    ```mlir
    func.func private @loss(%w: tensor<4xf32>) -> tensor<f32> {
      %y = xf.reduce sum %w axes [0] : tensor<4xf32> -> tensor<f32>
      return %y : tensor<f32>
    }
    func.func @train(%w: tensor<4xf32>) -> tensor<4xf32> {
      %loss, %d_w = xf.gradient @loss(%w) wrt [0] : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
      return %d_w : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Xf_Tensor>:$inputs, DenseI64ArrayAttr:$wrt);
  let results = (outs Variadic<Xf_Tensor>:$outputs);
  let assemblyFormat = "$callee `(` $inputs `)` `wrt` $wrt attr-dict `:` functional-type($inputs, $outputs)";
}
def Xf_VjpOp : Xf_Op<"vjp", [Pure, AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the results of a function and its vector-Jacobian product with given cotangents";
  let description = [{
    Returns f(inputs) and, for the arguments listed in `wrt`, the sum over the floating-point results k of
    (d f_k / d input)^T cotangent_k.

    C1 the symbol is a function of one block, with a body. C2 operands have the types of its arguments. C3 one cotangent
    per floating-point result, of its type. C4 `wrt` lists floating-point arguments, each once. C5 results have the
    types of the function's results, then of the arguments that `wrt` lists.

    ```mlir
    func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = xf.exp %x : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    func.func @pull(%x: tensor<4xf32>, %d_y: tensor<4xf32>) -> tensor<4xf32> {
      %y, %d_x = xf.vjp @f(%x) cotangents(%d_y : tensor<4xf32>) wrt [0] : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
      return %d_x : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Xf_Tensor>:$inputs, Variadic<Xf_FloatTensor>:$cotangents,
                       DenseI64ArrayAttr:$wrt);
  let results = (outs Variadic<Xf_Tensor>:$outputs);
  let assemblyFormat = [{ $callee `(` $inputs `)` (`cotangents` `(` $cotangents^ `:` type($cotangents) `)`)? `wrt` $wrt
    attr-dict `:` functional-type($inputs, $outputs) }];
}

//===--- optimisers: element-wise on parameters, gradients and state ---===//

def Xf_ClipScaleOp : Xf_Op<"clip_scale", [Pure, Factors<"? ->">]> {
  let summary = "min(1, max_norm / (global L2 norm of the gradients + 1e-6))";
  let description = [{
    Returns scale = min(1, max_norm / (sqrt(sum of the squares of all elements of all gradients) + 1e-6)), by which an
    optimiser multiplies the gradients.

    C1 at least one gradient; the scale is a scalar. C2 max_norm >= 0.

    ```mlir
    %scale = xf.clip_scale %a, %b max_norm 1.0 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<f32>
    ```
  }];
  let arguments = (ins Variadic<Xf_FloatTensor>:$gradients, F64Attr:$max_norm);
  let results = (outs Xf_FloatTensor:$scale);
  let assemblyFormat = "$gradients `max_norm` $max_norm attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_AdamWOp : Xf_Op<"adamw", [Pure, AllTypesMatch<["parameter", "gradient", "new_parameter"]>,
                                 AllTypesMatch<["first", "second", "new_first", "new_second"]>, Factors<"*, *, *, *, , , , * -> *, *, *, *">]> {
  let summary = "decoupled weight decay first, then Adam with bias correction, eps outside the root (PyTorch's AdamW)";
  let description = [{
    With g = clip gradient, returns new p = p (1 - lr decay) - lr (m' / (1 - beta1^t)) / (sqrt(v' / (1 - beta2^t)) +
    eps), m' = beta1 m + (1 - beta1) g and v' = beta2 v + (1 - beta2) g^2, where lr = rate and t = step, from 1.

    A parameter of 16 bits may have a master, the same numbers in f32. Then p is the master, or the parameter's element
    where the master's does not round to it. The new master is new p, and the new parameter is new p rounded.

    C1 rate, clip and step are scalars. C2 betas in [0, 1), eps and decay >= 0. C3 parameter, gradient and new parameter
    have one type, moments and new moments have one type (by type). C4 without a master, moments have the parameter's
    type. C5 a master is f32, and its parameter f16 or bf16 of the same shape; moments and new master have its type.

    ```mlir
    func.func @update(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %rate: tensor<f32>,
                      %step: tensor<i64>, %clip: tensor<f32>) {
      %new_p, %new_m, %new_v = xf.adamw %p, %g, %m, %v rate %rate step %step clip %clip betas 0.9, 0.999 eps 1.0e-08
        decay 0.01 : tensor<4xf32>, tensor<f32>, tensor<i64>, tensor<f32>
      return
    }
    func.func @update_master(%p: tensor<4xbf16>, %g: tensor<4xbf16>, %m: tensor<4xf32>, %v: tensor<4xf32>,
                             %w: tensor<4xf32>, %rate: tensor<f32>, %step: tensor<i64>, %clip: tensor<f32>) {
      %new_p, %new_m, %new_v, %new_w = xf.adamw %p, %g, %m, %v master %w rate %rate step %step clip %clip
        betas 0.9, 0.999 eps 1.0e-08 decay 0.01
        : tensor<4xbf16> master tensor<4xf32>, tensor<f32>, tensor<i64>, tensor<f32>
      return
    }
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$parameter, Xf_FloatTensor:$gradient, Xf_FloatTensor:$first, Xf_FloatTensor:$second,
                       Xf_FloatTensor:$rate, Xf_IdTensor:$step, Xf_FloatTensor:$clip, Optional<Xf_FloatTensor>:$master,
                       F64Attr:$beta1, F64Attr:$beta2, F64Attr:$eps, F64Attr:$weight_decay);
  let results = (outs Xf_FloatTensor:$new_parameter, Xf_FloatTensor:$new_first, Xf_FloatTensor:$new_second,
                      Optional<Xf_FloatTensor>:$new_master);
  let assemblyFormat = [{ $parameter `,` $gradient `,` $first `,` $second (`master` $master^)? `rate` $rate `step` $step `clip` $clip
    `betas` $beta1 `,` $beta2 `eps` $eps `decay` $weight_decay attr-dict `:`
    custom<UpdateTypes>(type($parameter), type($first), type($master), type($new_master)) `,` type($rate) `,` type($step) `,` type($clip) }];
  let hasVerifier = 1;
}
def Xf_SgdOp : Xf_Op<"sgd", [Pure, AllTypesMatch<["parameter", "gradient", "new_parameter"]>,
                             AllTypesMatch<["velocity", "new_velocity"]>, Factors<"*, *, *, , , * -> *, *, *">]> {
  let summary = "g = clip gradient + decay p; v' = momentum v + g; new p = p - lr v' (PyTorch's SGD)";
  let description = [{
    With g = clip gradient + decay p, returns v' = momentum v + g and new p = p - lr v', where lr = rate. A master is
    that of xf.adamw.

    C1 rate and clip are scalars. C2 momentum and decay >= 0. C3 parameter, gradient and new parameter have one type,
    velocity and new velocity have one type (by type). C4 without a master, the velocity has the parameter's type. C5 a
    master is f32, and its parameter f16 or bf16 of the same shape; velocity and new master have its type.

    ```mlir
    func.func @update(%p: tensor<4xf32>, %g: tensor<4xf32>, %v: tensor<4xf32>, %rate: tensor<f32>, %clip: tensor<f32>) {
      %new_p, %new_v = xf.sgd %p, %g, %v rate %rate clip %clip momentum 0.9 decay 0.0
        : tensor<4xf32>, tensor<f32>, tensor<f32>
      return
    }
    func.func @update_master(%p: tensor<4xf16>, %g: tensor<4xf16>, %v: tensor<4xf32>, %w: tensor<4xf32>,
                             %rate: tensor<f32>, %clip: tensor<f32>) {
      %new_p, %new_v, %new_w = xf.sgd %p, %g, %v master %w rate %rate clip %clip momentum 0.9 decay 0.0
        : tensor<4xf16> master tensor<4xf32>, tensor<f32>, tensor<f32>
      return
    }
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$parameter, Xf_FloatTensor:$gradient, Xf_FloatTensor:$velocity, Xf_FloatTensor:$rate,
                       Xf_FloatTensor:$clip, Optional<Xf_FloatTensor>:$master, F64Attr:$momentum, F64Attr:$weight_decay);
  let results = (outs Xf_FloatTensor:$new_parameter, Xf_FloatTensor:$new_velocity, Optional<Xf_FloatTensor>:$new_master);
  let assemblyFormat = [{ $parameter `,` $gradient `,` $velocity (`master` $master^)? `rate` $rate `clip` $clip `momentum` $momentum
    `decay` $weight_decay attr-dict `:`
    custom<UpdateTypes>(type($parameter), type($velocity), type($master), type($new_master)) `,` type($rate) `,` type($clip) }];
  let hasVerifier = 1;
}

#endif // XF_TRAINING_OPS_TD

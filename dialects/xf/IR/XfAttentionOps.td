//===- XfAttentionOps.td - Attention and its gradient -------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_ATTENTION_OPS_TD
#define XF_ATTENTION_OPS_TD

include "dialects/xf/IR/XfOpBase.td"

defvar AttentionClauses = (ins Variadic<Xf_FloatTensor>:$params, Optional<Xf_FloatTensor>:$decay,
    Optional<Xf_FloatTensor>:$beta, Optional<Xf_FloatTensor>:$relative, Variadic<Xf_Tensor>:$feature_captures,
    Optional<Xf_IdTensor>:$lengths,
    Optional<Xf_IdTensor>:$query_lengths, Optional<Xf_IdTensor>:$segments_q, Optional<Xf_IdTensor>:$segments_k,
    Variadic<Xf_IdTensor>:$symbols, Optional<Xf_IdTensor>:$table_offsets, Optional<Xf_IdTensor>:$table_columns,
    Variadic<Xf_Tensor>:$captures, Optional<Xf_IdTensor>:$seed, Optional<Xf_IdTensor>:$part, OptionalAttr<F64Attr>:$scale,
    OptionalAttr<F64Attr>:$dropout, Xf_Pattern:$pattern, UnitAttr:$exact_weights);

/// The entries of the clauses in a row of dimension factors. Queries and keys have one factor s, because ranks have the
/// same tokens of both, and an exchange plan lists what they send each other. Segments of queries may have the queries
/// of all parts.
defvar ClauseFactors = "_, _, _, _, _, b, b, bs'', bs', _, _, _, _, _, _";

defvar ClauseFormat = [{
    `pattern` `(` $pattern `)`
    (`scale` $scale^)?
    (`params` `(` $params^ `:` type($params) `)`)?
    (`decay` `(` $decay^ `:` type($decay) `)`)?
    (`beta` `(` $beta^ `:` type($beta) `)`)?
    (`relative` `(` $relative^ `:` type($relative) `)`)?
    (custom<Feature>($feature_captures, type($feature_captures), $feature)^)?
    (`lengths` `(` $lengths^ `:` type($lengths) `)`)?
    (`query_lengths` `(` $query_lengths^ `:` type($query_lengths) `)`)?
    (`segments` `(` $segments_q^ `,` $segments_k `:` type($segments_q) `,` type($segments_k) `)`)?
    (`symbols` `(` $symbols^ `:` type($symbols) `)`)?
    (custom<Table>($table_offsets, type($table_offsets), $table_columns, type($table_columns))^)?
    (custom<Score>($captures, type($captures), $score)^)?
    (`dropout` `(` $dropout^ `,` $seed `:` type($seed) `)`)?
    (`part` `(` $part^ `:` type($part) `)`)?
    (`weights` `=` `exact` $exact_weights^)?
}];

def Xf_AttentionOp : Xf_Op<"attention", [Pure, AttrSizedOperandSegments, IsolatedFromAbove, SingleBlock,
                                         DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
                                         Factors<!strconcat("bhsD, bh's'D, bh''s'E, ", ClauseFactors, " -> bhsE, bhs")>]> {
  let summary = "O = softmax over the pattern of score(scale Q K^T), times V";
  let description = [{
    o(i) = sum over j in A(i) of P(i, j) v(j), P(i, j) = exp(s' - lse(i)), lse(i) = log sum exp s', s' = score(scale
    <q(i), k(j)>, b, h, i, j); scale defaults to D^-1/2. A row with an empty set gives o = 0, lse = -inf. i is the
    query's position on the key axis, the row number plus Nk - Nq. A pair whose probability is below 2^-100 of the
    largest of its row (2^-1000 in f64) may count as 0, in gradients too.

    Dropout makes P 0 with probability p, else P / (1 - p); lse stays as it is. The pair (row r, key j) of head h and
    batch b draws as in xf.dropout, word j mod 4 of counter (j div 4, r, h, b).

    Where q, k and v have 16 bits, P and its gradient may be rounded to their type where they enter a product; with
    `weights = exact` they are not.

    With part (p, P), q is part p of P equal parts of the queries: of the PNq queries of whole tensors, with their numbers
    and positions, row r is number pNq + r; all keys are there. Patterns and scores see these, and so do query lengths and
    draws. o, lse and gradients of q are parts too; d_k and d_v are summands, whose sum over all parts is the gradient.

    Kernelised: y(i) = sum w(i, j) v(j) / (sum w(i, j) + guard), w(i, j) = <phi(q(i)), phi(k(j))> times, with decay, the
    product of a(t) over j < t <= i, and times, with relative, e^t[h, j - i + Nk - 1]. With beta, v and the 1 in the
    denominator become beta(j) (v(j) - S^T phi(k(j))), key by key of A(i), S being the state before j, decayed to j: the
    delta rule. A feature region gives u = region(x) in place of W x.

    C1 q BxHxNqxD, k BxHkxNkxD, v BxHvxNkxDv, o BxHxNqxDv, lse BxHxNq of f32 or f64, of f64 only for f64. C2 H is a
    multiple of Hk and of Hv. C3 q, k, v and o have one element type. C4 fewer than 2^63 pairs. C5 the scale is finite,
    and given where D = 0. C6 the pattern is valid, and Nk the number of tokens if the pattern has one. C7 the clauses
    that the pattern needs are there, and no others:

    - lengths and query_lengths B, for every pattern; segments BxNq, with a part of all its queries, and BxNk; symbols [], B or BxH; table offsets (at
      least one) and columns of rank 1 (block CSR, for all batch entries and heads), or columns alone, RxC, BxRxC or
      BxHxRxC: C blocks for each of R rows, of which those outside the columns count for nothing;
    - params: a feature map's mxD, m >= 1; E and F of low rank (one of them: for both) (Nk or more)xrank, for all heads
      or with Hk and Hv in front; the weights of a strided_conv ceil(Nk / rank)xD and ceil(Nk / rank)xDv.

    C8 dropout has 0 <= p <= 1 and a seed of two integers. C9 the score region takes (s, b, h, i, j, captures..) and
    yields s', s and s' of the type that scores have (f32; f64 for f64), by arith, math, tensor.extract and tensor.dim
    ops. C10 kernelised attention has no lse, score or dropout. C11 decay, beta, relative and feature are clauses of
    kernelised attention: decay and beta BxHxNk and only where the pattern is causal by its form, relative Hx(2Nk-1)
    with no more queries than keys, all of the scores' type. C12 beta is not there with relative, nor with a stabilizer
    of the keys, which would not cancel. C13 the feature region takes (row, captures..), a row being D of q's element
    type, and yields phi, M of that type; it holds constants and xf ops without side effects; the pattern has feature =
    identity. C14 part is 1x2, without kernelised and low-rank patterns.

    ```mlir
    %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) lengths(%lengths : tensor<1xi64>)
      : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8xf32>)
    %p = xf.attention %q, %k, %v pattern(#xf.window<left = 3>) score(%s : f32, %b, %h, %i, %j) {
      %t = math.tanh %s : f32
      xf.yield %t : f32
    } : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
    ```
  }];
  let arguments = !con((ins Xf_FloatTensor:$q, Xf_FloatTensor:$k, Xf_FloatTensor:$v), AttentionClauses);
  let results = (outs Xf_FloatTensor:$o, Optional<Xf_FloatTensor>:$lse);
  let regions = (region MaxSizedRegion<1>:$score, MaxSizedRegion<1>:$feature);
  let assemblyFormat = !strconcat("$q `,` $k `,` $v ", ClauseFormat, [{
    attr-dict `:` `(` type($q) `,` type($k) `,` type($v) `)` `->` custom<Results>(type($o), type($lse))
  }]);
  let hasVerifier = 1;
}

def Xf_AttentionVjpOp : Xf_Op<"attention_vjp", [Pure, AttrSizedOperandSegments, IsolatedFromAbove, SingleBlock,
                                                AttrSizedResultSegments,
                                                DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
                                                Factors<!strconcat("bhsD, bh's'D, bh''s'E, bhsE, bhs, bhsE, bhs, ", ClauseFactors,
                                                                   " -> bhsD, bh's'D, bh''s'E, _, _, _, _, _, _"), ["getResultSizes"]>]> {
  let summary = "gradients of attention, by recomputation from lse or, kernelised, from states";
  let description = [{
    With D(i) = <do(i), o(i)> - dlse(i), dS' = P o (dO V^T - D), dS = dS' ds'/ds: dv = P^T dO, dq = scale dS K,
    dk = scale dS^T Q; of a captured tensor, the sum of dS' ds'/dtheta in a fixed order (docs/specification.md,
    "Gradients"). The clauses are those of the forward op, with the same regions. An o and an lse that an attention of
    the program computes are taken as it has them: o before it is rounded, and lse as the sum of two numbers, for log l
    has no digits beside a large m. d_captures and d_feature_captures have one result per floating-point capture.
    Kernelised attention has no lse; gradients pass through its stabilizers.

    `derivative`, of the score region's arguments, yields s', ds'/ds and, for each read of a floating-point capture, the
    indices of the element and ds'/d(element); `reads` numbers those captures. The gradient stage makes it.

    C1 o and d_o BxHxNqxDv of q's element type, lse and d_lse BxHxNq of f32 or f64, of f64 only for f64. C2 gradients
    have the types of what they are gradients of; with a part, d_k and d_v may both have the type of scores. C3 operands, clauses and pattern are as in xf.attention. C4 reads and
    derivative are there both, or neither. C5 lse and d_lse are not there where the pattern is kernelised; elsewhere lse
    is. C6 reads are numbers of floating-point captures. C7 the derivative takes what the score region takes, and yields
    as above, indices of type index and all else of the scores' type, by the ops that a score region may hold.

    ```mlir
    %d_q, %d_k, %d_v = xf.attention_vjp %q, %k, %v, %o, %lse, %d_o pattern(#xf.causal)
      : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8xf32>, tensor<1x2x8x4xf32>)
      -> (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>)
    ```
  }];
  let arguments = !con((ins Xf_FloatTensor:$q, Xf_FloatTensor:$k, Xf_FloatTensor:$v, Xf_FloatTensor:$o,
                            Optional<Xf_FloatTensor>:$lse, Xf_FloatTensor:$d_o, Optional<Xf_FloatTensor>:$d_lse),
                            AttentionClauses,
                            (ins OptionalAttr<DenseI64ArrayAttr>:$reads));
  let results = (outs Xf_FloatTensor:$d_q, Xf_FloatTensor:$d_k, Xf_FloatTensor:$d_v,
                      Variadic<Xf_FloatTensor>:$d_params, Optional<Xf_FloatTensor>:$d_decay,
                      Optional<Xf_FloatTensor>:$d_beta, Optional<Xf_FloatTensor>:$d_relative,
                      Variadic<Xf_FloatTensor>:$d_feature_captures, Variadic<Xf_FloatTensor>:$d_captures);
  let regions = (region MaxSizedRegion<1>:$score, MaxSizedRegion<1>:$feature, MaxSizedRegion<1>:$derivative);
  let assemblyFormat = !strconcat("$q `,` $k `,` $v `,` $o `,` custom<Cotangents>($lse, $d_o, $d_lse) ", ClauseFormat, [{
    (`derivative` `reads` $reads^ $derivative)? attr-dict `:` `(` type($q) `,` type($k) `,` type($v) `,` type($o) `,`
    custom<CotangentTypes>(type($lse), type($d_o), type($d_lse)) `)`
    `->` `(` type($d_q) `,` type($d_k) `,` type($d_v) `)` (`params` `(` type($d_params)^ `)`)? (`decay` `(` type($d_decay)^ `)`)?
    (`beta` `(` type($d_beta)^ `)`)? (`relative` `(` type($d_relative)^ `)`)? (`feature` `(` type($d_feature_captures)^ `)`)?
    (`captures` `(` type($d_captures)^ `)`)?
  }]);
  let hasVerifier = 1;
}

def Xf_YieldOp : Xf_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "the value of a region";
  let description = [{
    Ends a region of an op of xf, or of a kernel's op that keeps such a region, and returns its values to the op.

    C1 the region is not the body of a function.

    ```mlir
    %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
      xf.yield %a : f32
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

#endif // XF_ATTENTION_OPS_TD

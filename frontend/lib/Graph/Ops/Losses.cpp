//===- Losses.cpp - Losses -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/ops/losses.h"
#include "../Node.h"
#include "xf/ops.h"
#include "xf/ops/arrange.h"
#include "xf/ops/indexing.h"
#include "xf/ops/reductions.h"

using namespace xf;
using namespace xf::detail;

static Operand at(const Tensor &x, Here here) { return Operand(x, here); }
static Operand at(double x, Here here) { return Operand(x, here); }

static Tensor reduced(const Tensor &x, Reduction reduction, const char *what, Here here) {
  switch (reduction) {
  case Reduction::none:
    return x;
  case Reduction::sum:
    return sum(x, {}, false, here);
  case Reduction::mean:
    return mean(x, {}, false, here);
  case Reduction::batch_mean:
    break;
  }
  expect(x.rank() >= 1 && x.shape()[0].value() != 0, here, "expected a first dimension for the mean over a batch in ",
         what, ", got ", x.shape());
  if (!x.shape()[0].is_static()) { // the sum of each batch entry, and their mean
    Axes others;
    for (int64_t d = 1; d < x.rank(); ++d)
      others.list.push_back(d);
    return mean(others.list.empty() ? x : sum(x, others, false, here), {}, false, here);
  }
  return at(sum(x, {}, false, here), here) / at(static_cast<double>(x.shape()[0].value()), here);
}

//===----------------------------------------------------------------------===//
// Cross-entropy
//===----------------------------------------------------------------------===//

/// Throws Error unless there is a target for each row of the logits. Returns the shape of the rows.
static Shape expectLogits(const Tensor &logits, const Tensor &targets, Here here) {
  expectFloat(logits, "the logits of cross_entropy", here);
  expectInteger(targets, "the targets of cross_entropy", here);
  expect(logits.rank() >= 1, here, "expected rank 1 or more in the logits of cross_entropy, got a scalar");
  Shape rows = logits.shape();
  rows.pop_back();
  bool same = std::equal(rows.begin(), rows.end(), targets.shape().begin(), targets.shape().end(),
                         [](const Dim &x, const Dim &y) { return x.may_equal(y); });
  expect(same, here, "expected targets of shape ", rows, " in cross_entropy, got ", targets.shape());
  return rows;
}

static void expectOptions(const Tensor &logits, const CrossEntropyOptions &options, Here here) {
  expect(options.label_smoothing >= 0 && options.label_smoothing <= 1, here,
         "expected label_smoothing in [0, 1] in cross_entropy, got ", options.label_smoothing);
  expect(options.reduction != Reduction::batch_mean, here, "expected none, sum or mean in cross_entropy");
  expect(logits.rank() >= 1 && logits.shape().back().is_static(), here,
         "expected a static number of classes in cross_entropy, got ", logits.shape());
  if (!options.weight.defined())
    return;
  expectFloat(options.weight, "the weight of cross_entropy", here);
  expectRank(options.weight, 1, "the weight of cross_entropy", here);
  expect(options.weight.shape()[0].may_equal(logits.shape().back()), here, "expected ", logits.shape().back(),
         " elements in the weight of cross_entropy, got ", options.weight.shape()[0]);
}

namespace {
/// What losses need of each row of logits. Its types are f32, or f64 where logits are f64. Only lse is always f64,
/// because a loss is the difference of lse and a logit that may be almost equal.
struct TargetRows {
  Tensor lse, loss; ///< of each row
  Tensor counts;    ///< whether a row is not ignored
  Tensor targets;   ///< 0 where a row is ignored
  Dtype dtype;
};
} // namespace

static TargetRows findTargets(const Tensor &logits, const Tensor &targets, int64_t ignored, Here here) {
  Dtype dtype = logits.dtype() == f64 ? f64 : f32;
  Tensor counts = at(targets, here) != at(static_cast<double>(ignored), here);
  Tensor known = where(counts, at(targets, here), at(0, here), here);
  restrictRange(targets, std::min<int64_t>(ignored, 0), std::max(ignored, logits.shape().back().value() - 1));
  auto loss = makeNode(Op::crossEntropy, here, {logits, known}, {{dtype, {}}, {f64, targets.shape()}});
  Tensor lse(loss, 1), atTarget = squeeze(gather(logits, -1, unsqueeze(known, -1, here), here), -1, here);
  return {lse, cast(at(lse, here) - at(cast(atTarget, f64, here), here), dtype, here), counts, known, dtype};
}

/// Returns the mean of weight (lse - logit) over the classes, for each row.
static Tensor smoothLoss(const Tensor &logits, const TargetRows &rows, const Tensor &weight, Here here) {
  Tensor lse = unsqueeze(rows.lse, -1, here), reference = stop_gradient(cast(lse, rows.dtype, here), here);
  Tensor rest = cast(at(lse, here) - at(cast(reference, f64, here), here), rows.dtype, here);
  Tensor below = at(reference, here) - at(cast(logits, rows.dtype, here), here);
  Tensor apart = at(below, here) + at(rest, here);
  return mean(weight.defined() ? at(apart, here) * at(cast(weight, rows.dtype, here), here) : apart, -1, false, here);
}

Tensor xf::cross_entropy(const Tensor &logits, const Tensor &targets, Here here) {
  Shape rows = expectLogits(logits, targets, here);
  if (logits.shape().back().is_static())
    restrictRange(targets, -100, logits.shape().back().value() - 1);
  Dtype dtype = logits.dtype() == f64 ? f64 : f32;
  return Tensor(makeNode(Op::crossEntropy, here, {logits, targets}, {{dtype, {}}, {dtype, rows}}), 0);
}

Tensor xf::cross_entropy(const Tensor &logits, const Tensor &targets, const CrossEntropyOptions &options, Here here) {
  if (options.label_smoothing == 0 && options.ignore_index == -100 && !options.weight.defined() &&
      options.reduction == Reduction::mean)
    return cross_entropy(logits, targets, here);
  expectLogits(logits, targets, here);
  expectOptions(logits, options, here);
  TargetRows rows = findTargets(logits, targets, options.ignore_index, here);
  Tensor loss = rows.loss, factor = cast(rows.counts, rows.dtype, here);
  if (options.weight.defined()) {
    Tensor table = cast(unsqueeze(options.weight, -1, here), rows.dtype, here);
    Tensor own = squeeze(embedding(table, rows.targets, here), -1, here);
    factor = at(factor, here) * at(own, here);
    loss = at(loss, here) * at(own, here);
  }
  if (double share = options.label_smoothing; share > 0)
    loss = at(at(loss, here) * at(1 - share, here), here) +
           at(at(smoothLoss(logits, rows, options.weight, here), here) * at(share, here), here);
  loss = where(rows.counts, at(loss, here), at(0, here), here);
  if (options.reduction != Reduction::mean)
    return reduced(loss, options.reduction, "cross_entropy", here);
  Tensor total = sum(factor, {}, false, here), isNone = at(total, here) == at(0, here);
  return at(sum(loss, {}, false, here), here) / at(where(isNone, at(1, here), at(total, here), here), here);
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// Throws Error unless the target has the shape and element type of x.
static void expectTarget(const Tensor &x, const Tensor &target, const char *what, Here here) {
  expectFloat(x, what, here);
  expectFloat(target, what, here);
  bool fits = x.rank() == target.rank() && x.dtype() == target.dtype();
  for (int64_t d = 0; fits && d < x.rank(); ++d)
    fits = x.shape()[d].may_equal(target.shape()[d]);
  expect(fits, here, "expected a target of shape ", x.shape(), " of ", x.dtype(), " in ", what, ", got ",
         target.shape(), " of ", target.dtype());
}

/// Converts x to f32 if it has 16 bits. Losses are computed in this type and rounded to 16 bits at the end.
static Tensor wide(const Tensor &x, Here here) { return size_of(x.dtype()) == 2 ? cast(x, f32, here) : x; }

Tensor xf::mse_loss(const Tensor &x, const Tensor &target, Reduction reduction, Here here) {
  expectTarget(x, target, "mse_loss", here);
  Tensor apart = at(wide(x, here), here) - at(wide(target, here), here);
  return cast(reduced(square(apart, here), reduction, "mse_loss", here), x.dtype(), here);
}

/// Computes (1 - target) x + softplus(-x), a form without cancellation.
Tensor xf::bce_with_logits(const Tensor &logits, const Tensor &targets, const Tensor &positiveWeight,
                           Reduction reduction, Here here) {
  expectTarget(logits, targets, "bce_with_logits", here);
  Tensor x = wide(logits, here), target = wide(targets, here);
  Tensor rest = softplus(-at(x, here), here);
  if (positiveWeight.defined()) {
    Tensor more = at(target, here) * at(at(wide(positiveWeight, here), here) - at(1, here), here);
    rest = at(rest, here) * at(at(more, here) + at(1, here), here);
  }
  Tensor line = at(at(1, here) - at(target, here), here) * at(x, here);
  return cast(reduced(at(line, here) + at(rest, here), reduction, "bce_with_logits", here), logits.dtype(), here);
}

Tensor xf::kl_div(const Tensor &given, const Tensor &targets, Reduction reduction, bool logTarget, Here here) {
  expectTarget(given, targets, "kl_div", here);
  Tensor x = wide(given, here), target = wide(targets, here);
  auto finish = [&](const Tensor &loss) { return cast(reduced(loss, reduction, "kl_div", here), given.dtype(), here); };
  if (logTarget)
    return finish(at(exp(target, here), here) * at(at(target, here) - at(x, here), here));
  Tensor isPositive = at(target, here) > at(0, here);
  Tensor known = where(isPositive, at(target, here), at(1, here), here);
  Tensor loss = at(target, here) * at(at(log(known, here), here) - at(x, here), here);
  return finish(where(isPositive, at(loss, here), at(0, here), here));
}

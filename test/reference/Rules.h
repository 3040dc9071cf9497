//===- Rules.h - How the reference interpreter treats each op --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule says what an op computes and, where it has one, its adjoint. Rules are written from the specification and
// share no code with the compiler: neither the scalar forms of element-wise ops nor the sets of patterns.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_REFERENCE_RULES_H
#define XF_TEST_REFERENCE_RULES_H

#include "dialects/xf/IR/SizeExpression.h"
#include "mlir/IR/Operation.h"
#include "test/reference/Tensor.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace mlir::xf::reference {

/// The tensors of the SSA values computed so far.
class Frame {
public:
  /// The values of named sizes, by the name that expressions of sizes have for them.
  llvm::StringMap<int64_t> sizes;

  const Tensor &operator[](Value value) const { return *tensors.find(value)->second; }
  void set(Value value, Tensor tensor) { tensors[value] = std::make_unique<Tensor>(std::move(tensor)); }

private:
  DenseMap<Value, std::unique_ptr<Tensor>> tensors; // references stay valid when others are set
};

/// The cotangents of SSA values, summed as the uses of a value are met. Integers have none.
class Cotangents {
public:
  explicit Cotangents(const Frame &frame) : frame(frame) {}
  bool has(Value value) const { return tensors.contains(value); }
  /// Zero where nothing was added.
  Tensor operator[](Value value) const;
  void add(Value value, const Tensor &tensor);

private:
  const Frame &frame;
  DenseMap<Value, Tensor> tensors;
};

/// `evaluate` sets the results in the frame; `differentiate` (null: no gradient) reads the cotangents of the results
/// and adds to those of the operands. Both fail after an error at the op.
struct Rule {
  std::function<LogicalResult(Operation *, Frame &)> evaluate;
  std::function<LogicalResult(Operation *, const Frame &, Cotangents &)> differentiate;
};

class Rules {
public:
  /// `evaluate(OpTy, Frame &)` and `differentiate(OpTy, const Frame &, Cotangents &)` return nothing or a
  /// LogicalResult.
  template <typename OpTy, typename Evaluate, typename Differentiate = std::nullptr_t>
  void add(Evaluate evaluate, Differentiate differentiate = nullptr) {
    Rule &rule = rules[OpTy::getOperationName()];
    rule.evaluate = [evaluate](Operation *op, Frame &frame) {
      return succeed([&] { return evaluate(cast<OpTy>(op), frame); });
    };
    if constexpr (!std::is_null_pointer_v<Differentiate>)
      rule.differentiate = [differentiate](Operation *op, const Frame &frame, Cotangents &cotangents) {
        return succeed([&] { return differentiate(cast<OpTy>(op), frame, cotangents); });
      };
  }
  /// Null where the op is not known.
  const Rule *find(Operation *op) const;

private:
  template <typename Call>
  static LogicalResult succeed(Call call) {
    if constexpr (std::is_void_v<decltype(call())>)
      return call(), success();
    else
      return call();
  }
  llvm::StringMap<Rule> rules;
};

void addElementwiseRules(Rules &rules);
void addSelectionRules(Rules &rules);
void addProductRules(Rules &rules);
void addRowRules(Rules &rules);
void addShapeRules(Rules &rules);
void addTrainingRules(Rules &rules);
void addOptimizerRules(Rules &rules);
void addAttentionRules(Rules &rules);

/// Fails after an error at `op` where the tensors differ in shape, which dynamic sizes may hide from the verifier.
LogicalResult verifyEqualShapes(Operation *op, const Frame &frame, ValueRange values);

/// Returns the ids of an op, of which those outside of [0, `size`), but `ignored`, are replaced by the nearest one.
/// Fails after an error at the op if such an id is one of a call's arguments, or if there is no id.
FailureOr<Tensor> idsWithin(Operation *op, const Frame &frame, Value ids, int64_t size,
                            std::optional<int64_t> ignored = std::nullopt);

/// Returns the value of a size. Fails after an error at `op` if it has a name that no argument has, or is negative.
FailureOr<int64_t> evaluateSize(Operation *op, const Frame &frame, const SizeExpression &size);

/// The sum of `tensor` over the dimensions along which `shape` was broadcast.
Tensor sumTo(ArrayRef<int64_t> shape, const Tensor &tensor);

} // namespace mlir::xf::reference

#endif // XF_TEST_REFERENCE_RULES_H

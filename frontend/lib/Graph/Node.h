//===- Node.h - The graph behind Tensor -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The graph of a program: one node for each operation, recorded while the user's functions run. Nodes are immutable,
// except for the range of integer inputs and for the element type of parameters that no operation uses yet. They are
// independent of MLIR: Translate/ turns the graph into a module.
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_NODE_H
#define XF_FRONTEND_GRAPH_NODE_H

#include "Checks.h"
#include "Patterns/PatternNode.h"
#include "xf/attention.h"

#include <variant>

namespace xf::detail {

enum class Op {
  // Leaves.
  argument,
  parameter,
  constant,
// Element by element.
#define XF_ELEMENTWISE(NAME) NAME,
#include "Elementwise.def"
  // Products.
  linear,
  matmul,
// Rows.
#define XF_ROW_KIND(NAME) NAME,
#include "Rows.def"
  // Reductions, attention.
  sum,
  mean,
  max,
  attention,
  // Shapes.
  reshape,
  transpose,
  slice,
  sliceUpdate,
  concat,
  broadcast,
  splitHeads,
  mergeHeads,
  stackLayers,
  poolLayers,
  pad,
  // Training.
  embedding,
  indexAdd,
  takeAlong,
  sumAlong,
  topK,
  cumsum,
  iota,
  crossEntropy,
  dropout,
  checkpoint,
  gradient,
  vjp,
  clipScale,
  adamw,
  sgd,
};

struct Type {
  Dtype dtype;
  Shape shape;
};

struct ParameterData;

/// An argument of a function: an input of an entry, an input of a function to differentiate, or the row that a feature
/// map takes.
struct Argument {
  std::string name;
  /// Lowest and highest valid element of an integer input; nullopt: any. Derived from the uses of the input and
  /// verified by every call of the entry.
  std::optional<std::pair<int64_t, int64_t>> range;
};
struct ParameterReference {
  std::shared_ptr<ParameterData> data;
};
/// Elements of a constant: `reals` for a floating-point type, `integers` for any other. The vector has one number per
/// element, or a single number where all elements are equal.
struct Constant {
  std::vector<double> reals;
  std::vector<int64_t> integers;
};
struct SliceBounds {
  Shape offsets;
  std::vector<int64_t> strides;
};
/// Options of a norm: whether the optional operands weight and bias are present, and eps.
struct NormOptions {
  bool weight, bias;
  double eps;
};
/// The body of a nested function: the nodes recorded with sequence numbers in [begin, end), and the results of the
/// function. All other values that these nodes use are captures.
struct Region {
  uint64_t begin, end;
  std::vector<Tensor> results;
  /// The arguments of the function. For a gradient or vjp, these are the tensors to differentiate with respect to,
  /// which are arguments or parameters. They correspond to the node's operands in order. A vjp has one more operand,
  /// the cotangent. For a feature map, the only argument is the row.
  std::vector<Tensor> withRespectTo;
};
struct LayerPool {
  int64_t layers;
  Pool kind;
};
struct AttentionClauses {
  PatternPtr pattern;
  std::optional<double> scale;
  double dropout = 0;
  ExpressionPtr score = {}; ///< may be null
  bool withLse = false;
  bool exactWeights = false;
  std::optional<Region> feature = {}; ///< a function of one row, `withRespectTo[0]`
  /// Numbers of operands of each kind after q, k and v. The kinds are in the order of the operands.
  unsigned parameters = 0, decay = 0, beta = 0, relative = 0, lengths = 0, queryLengths = 0, segments = 0, symbols = 0,
           table = 0, captures = 0, seed = 0;
};
/// Options of an update by AdamW. Operands: parameter, gradient, first, second, rate, step, clip, and the master if
/// there is one.
struct AdamWOptions {
  double beta1, beta2, eps, weightDecay;
};
/// Options of an update by SGD. Operands: parameter, gradient, velocity, rate, clip, and the master if there is one.
struct SgdOptions {
  double momentum, weightDecay;
};

using Payload =
    std::variant<std::monostate, double, int64_t, std::vector<int64_t>, Gelu, Argument, ParameterReference, Constant,
                 SliceBounds, LayerPool, NormOptions, AttentionClauses, Region, AdamWOptions, SgdOptions>;

struct Node {
  Op op;
  Here here;
  std::vector<Tensor> operands;
  std::vector<Type> results;
  Payload payload;
  /// Index of the node in the order in which the user's program recorded nodes.
  uint64_t sequence;

  /// Frees the chain of nodes that only this node keeps alive, without recursion, since the chain may have any length.
  ~Node();
};

inline ParameterData &dataOf(const Tensor &parameter) {
  return *std::get<ParameterReference>(parameter.node()->payload).data;
}

/// Returns the sequence number that the next node will get.
uint64_t nextSequence();

std::shared_ptr<Node> makeNode(Op op, Here here, std::vector<Tensor> operands, std::vector<Type> results,
                               Payload payload = {});
/// Makes a node with one result, and returns the result.
Tensor makeTensor(Op op, Here here, std::vector<Tensor> operands, Type result, Payload payload = {});

/// The largest number of elements of a regular table, such as 0, 1, 2, .., that a program contains as a constant. A
/// longer table is computed by the program, because as a constant it would make the program's text and object grow with
/// the number of tokens.
inline constexpr int64_t mostWritten = 1024;

/// Returns the vector first, first + step, .. of `count` numbers.
Tensor countUp(const Dim &count, int64_t first, int64_t step, Dtype dtype, Here here);

/// Intersects the valid range of an integer input of the program with [lowest, highest]. `tensor` is the input, maybe
/// in another shape or in a wider integer type. Has no effect on other tensors.
void restrictRange(const Tensor &tensor, int64_t lowest, int64_t highest);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_NODE_H

//===- Node.h - The graph behind Tensor -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One node per operation, recorded as the user's functions run. Nodes are immutable but for the range of integer
// inputs, and know nothing of MLIR: Translate/ turns them into a module.
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_NODE_H
#define XF_FRONTEND_GRAPH_NODE_H

#include "PatternNode.h"
#include "xf/attention.h"
#include "xf/ops.h"

#include <variant>

namespace xf::detail {

enum class Op {
  // Leaves.
  argument,
  parameter,
  constant,
  // Element by element.
  neg,
  exp,
  log,
  sqrt,
  rsqrt,
  tanh,
  sigmoid,
  erf,
  abs,
  square,
  sin,
  cos,
  relu,
  silu,
  gelu,
  add,
  sub,
  mul,
  div,
  maximum,
  minimum,
  pow,
  equal,
  notEqual,
  less,
  lessEqual,
  greater,
  greaterEqual,
  where,
  cast,
  // Products, rows.
  linear,
  matmul,
  softmax,
  layerNorm,
  rmsNorm,
  sum,
  mean,
  max,
  attention,
  // Shapes.
  reshape,
  transpose,
  slice,
  concat,
  broadcast,
  splitHeads,
  mergeHeads,
  stackLayers,
  poolLayers,
  // Training.
  embedding,
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

/// An input of an entry, or a value that a function is differentiated with respect to.
struct Argument {
  std::string name;
  /// Lowest and highest value, found from how the argument is used; checked when the entry is called.
  std::optional<std::pair<int64_t, int64_t>> range;
};
struct ParameterReference {
  std::shared_ptr<ParameterData> data;
};
/// One number for all elements, or one per element.
struct Constant {
  std::vector<double> reals;
  std::vector<int64_t> integers;
};
struct SliceBounds {
  std::vector<int64_t> offsets, strides;
};
/// Which of the optional operands are there, and eps.
struct NormOptions {
  bool weight, bias;
  double eps;
};
/// What was recorded between two moments, and what it returns. Everything else that it uses is a capture.
struct Region {
  uint64_t begin, end;
  std::vector<Tensor> results;
  /// For a gradient: the inputs of the function to differentiate with respect to, one per operand of the node;
  /// arguments of its own, or parameters themselves. For a feature map: its row.
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
  std::optional<Region> feature = {}; ///< of one row, its `withRespectTo`
  /// Operands after q, k, v: how many of each, in this order.
  unsigned parameters = 0, decay = 0, beta = 0, relative = 0, lengths = 0, queryLengths = 0, segments = 0, symbols = 0,
           table = 0, captures = 0, seed = 0;
};
struct AdamWOptions {
  double beta1, beta2, eps, weightDecay;
};
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
  /// The order of the user's program.
  uint64_t sequence;

  /// Frees a chain of nodes of any length without recursion.
  ~Node();
};

/// The sequence number that the next node will have.
uint64_t nextSequence();

std::shared_ptr<Node> makeNode(Op op, Here here, std::vector<Tensor> operands, std::vector<Type> results,
                               Payload payload = {});
/// A node of one result.
Tensor makeTensor(Op op, Here here, std::vector<Tensor> operands, Type result, Payload payload = {});

/// Narrows the declared range of an integer input of the program; other tensors are left alone.
void restrictRange(const Tensor &tensor, int64_t lowest, int64_t highest);

//===--- checks ---===//

/// Joins its arguments into one text; shapes, dimensions and element types are spelled.
inline std::string text(const std::string &value) { return value; }
inline std::string text(const char *value) { return value; }
inline std::string text(const Shape &shape) { return to_string(shape); }
inline std::string text(const Dim &dim) { return to_string(dim); }
inline std::string text(Dtype dtype) { return name(dtype); }
std::string text(double value);
template <std::integral Int>
std::string text(Int value) {
  return std::to_string(value);
}

/// Throws unless the condition holds: expect(a == b, here, "expected .., got ", a).
template <typename... Parts>
void expect(bool condition, Here here, const Parts &...parts) {
  if (!condition)
    throw Error((text(parts) + ...), here);
}

void expectDefined(const Tensor &tensor, const char *what, Here here);
void expectFloat(const Tensor &tensor, const char *what, Here here);
void expectInteger(const Tensor &tensor, const char *what, Here here);
void expectRank(const Tensor &tensor, size_t rank, const char *what, Here here);
/// `axis`, counted from the front; throws where it is out of range.
int64_t normalizeAxis(int64_t axis, int64_t rank, Here here);
/// numpy's rule; throws where two sizes differ and neither is 1.
Shape broadcastShapes(const Shape &a, const Shape &b, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_NODE_H

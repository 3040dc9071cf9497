//===- ShardingModels.cpp - Which dimensions of ops go together -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most ops are a row of a table: tensors separated by commas, a letter for each dimension, `_` where ranks need all of
// it, `*` for leading dimensions, which broadcast as in numpy. An optional operand that is not there has no letters to
// read, and one that a row does not have needs to be whole.
//
// Attention has one letter for the dimensions of queries and of keys: their ranks have the same tokens, and a plan says
// what they send each other. A bias, or what a table's gradient is added onto, is added once, to the sum.
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/ShardingModels.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfSizes.h"
#include "dialects/xf/Ops/XfFunctionOps.h"
#include "dialects/xf/Ops/XfRows.h"
#include "dialects/xf/Ops/XfSelectionOps.h"
#include "dialects/xf/Sharding/ShardableOpInterface.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;

using Dims = SmallVector<int>;

/// Leading dimensions have the letters after these, counted from the last of them.
static constexpr int firstLeading = 256;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Reads the letters of one tensor of a row.
static Dims readTensor(StringRef text, RankedTensorType type) {
  bool hasLeading = text.consume_front("*");
  int64_t leading = type.getRank() - int64_t(text.size());
  Dims dims(type.getRank(), ShardingLetters::whole);
  if (leading < 0 || (leading > 0 && !hasLeading))
    return dims;
  for (int64_t d = 0; d < leading; ++d)
    dims[d] = type.getDimSize(d) == 1 ? ShardingLetters::whole : firstLeading + int(leading - 1 - d);
  for (auto [d, letter] : llvm::enumerate(text))
    dims[leading + int64_t(d)] = letter == '_'   ? ShardingLetters::whole
                                 : letter == '?' ? ShardingLetters::any
                                                 : int(letter);
  return dims;
}

static SmallVector<Dims> readTensors(StringRef text, ValueRange tensors) {
  SmallVector<Dims> all;
  for (Value tensor : tensors) {
    auto [first, rest] = text.split(',');
    all.push_back(readTensor(first.trim(), typeOf(tensor)));
    text = rest;
  }
  return all;
}

static void readRow(StringRef row, Operation *op, ShardingLetters &letters) {
  auto [operands, results] = row.split("->");
  letters.operands = readTensors(operands, op->getOperands());
  letters.results = readTensors(results, op->getResults());
}

static void getLetters(LinearOp op, ShardingLetters &letters) { readRow("*k, nk, n -> *n", op, letters); }
static void getLetters(SplitHeadsOp op, ShardingLetters &letters) { readRow("bnh -> bhn_", op, letters); }
static void getLetters(MergeHeadsOp op, ShardingLetters &letters) { readRow("bhn_ -> bnh", op, letters); }
static void getLetters(PoolLayersOp op, ShardingLetters &letters) { readRow("bn_ -> bn_", op, letters); }
static void getLetters(EmbeddingOp op, ShardingLetters &letters) { readRow("_d, * -> *d", op, letters); }
static void getLetters(EmbeddingVjpOp op, ShardingLetters &letters) { readRow("*, *d, _d -> _d", op, letters); }
/// The loss is the sum and the number of the rows' losses.
static void getLetters(CrossEntropyOp op, ShardingLetters &letters) { readRow("*_, * -> , *", op, letters); }
static void getLetters(CrossEntropyVjpOp op, ShardingLetters &letters) { readRow("*_, *, *, -> *_", op, letters); }

static StringRef productRow(bool transposeA, bool transposeB) {
  return transposeA ? (transposeB ? "*ki, *jk" : "*ki, *kj") : (transposeB ? "*ik, *jk" : "*ik, *kj");
}

static void getLetters(MatmulOp op, ShardingLetters &letters) {
  StringRef operands = productRow(op.getTransposeA(), op.getTransposeB());
  readRow((operands + "-> *ij").str(), op, letters);
}

/// An epilogue runs on sums, behind those of the ranks. Its extra operands broadcast to the product.
static void getLetters(ProductOp op, ShardingLetters &letters) {
  std::string row = productRow(op.getTransposeA(), op.getTransposeB()).str();
  for (Value extra : op.getExtras()) {
    int64_t rank = typeOf(extra).getRank();
    row += rank == 0 ? "," : rank == 1 ? ", j" : ", *ij";
  }
  row += "-> *ij";
  for (unsigned n = 1; n < op->getNumResults(); ++n)
    row += ", *ij";
  readRow(row, op, letters);
  for (auto [extra, dims] : llvm::zip(op.getExtras(), llvm::drop_begin(letters.operands, 2)))
    for (auto [size, letter] : llvm::zip(typeOf(extra).getShape(), dims))
      letter = size == 1 ? ShardingLetters::whole : letter;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Queries, keys and values, what has a number for each token, and what has one for each batch entry.
template <typename OpTy>
static void getAttentionLetters(OpTy op, ShardingLetters &letters) {
  auto dimsOf = [&](Value value) -> StringRef {
    if (value == op.getLengths() || value == op.getQueryLengths())
      return "b";
    if (value == op.getSegmentsQ() || value == op.getSegmentsK())
      return "bs";
    return "";
  };
  unsigned numTokens = isa<AttentionVjpOp>(op) ? 0 : 3; // q, k, v
  if (auto vjp = dyn_cast<AttentionVjpOp>(op.getOperation()))
    numTokens = 5 + (vjp.getLse() ? 1 : 0) + (vjp.getDLse() ? 1 : 0); // and o, lse, d_o, d_lse
  for (auto [number, value] : llvm::enumerate(op->getOperands())) {
    RankedTensorType type = typeOf(value);
    StringRef dims = number < numTokens ? (type.getRank() == 4 ? "bhs_" : "bhs") : dimsOf(value);
    letters.operands.push_back(readTensor(dims, type));
  }
  for (auto [number, value] : llvm::enumerate(op->getResults())) {
    RankedTensorType type = typeOf(value);
    bool isToken = isa<AttentionOp>(op) || number < 3; // o and lse, or d_q, d_k and d_v
    letters.results.push_back(readTensor(!isToken ? "" : type.getRank() == 4 ? "bhs_" : "bhs", type));
  }
}

static void getLetters(AttentionOp op, ShardingLetters &letters) { getAttentionLetters(op, letters); }
static void getLetters(AttentionVjpOp op, ShardingLetters &letters) { getAttentionLetters(op, letters); }

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The letters of a tensor that broadcasts to `to`, whose dimensions have the letters 0, 1, ..
static Dims broadcastLetters(RankedTensorType type, RankedTensorType to) {
  Dims dims;
  int64_t missing = to.getRank() - type.getRank();
  for (int64_t d = 0; d < type.getRank(); ++d) {
    bool repeats = type.getDimSize(d) == 1 && to.getDimSize(missing + d) != 1;
    dims.push_back(repeats ? ShardingLetters::whole : int(missing + d));
  }
  return dims;
}

/// Element by element: results have one shape, to which the operands broadcast.
static void getElementwiseLetters(Operation *op, ShardingLetters &letters) {
  RankedTensorType type = typeOf(op->getResult(0));
  for (Value operand : op->getOperands())
    letters.operands.push_back(broadcastLetters(typeOf(operand), type));
  for (Value result : op->getResults())
    letters.results.push_back(broadcastLetters(typeOf(result), type));
}

static void getLetters(BroadcastOp op, ShardingLetters &letters) { getElementwiseLetters(op, letters); }

/// The elements of y are those of x, whatever the seed, and those of x alone whatever the dependency.
static void getFirstLetters(Operation *op, int others, ShardingLetters &letters) {
  RankedTensorType type = typeOf(op->getResult(0));
  letters.operands.push_back(broadcastLetters(type, type));
  for (Value operand : llvm::drop_begin(op->getOperands()))
    letters.operands.push_back(Dims(typeOf(operand).getRank(), others));
  letters.results.push_back(letters.operands.front());
}

static void getLetters(DropoutOp op, ShardingLetters &letters) { getFirstLetters(op, ShardingLetters::whole, letters); }
static void getLetters(AfterOp op, ShardingLetters &letters) { getFirstLetters(op, ShardingLetters::any, letters); }

/// Tensors with as many dimensions as the first operand keep rows, the last dimension being whole; others are of all.
static void getRowLetters(Operation *op, ShardingLetters &letters) {
  int64_t rank = typeOf(op->getOperand(0)).getRank();
  auto dimsOf = [&](Value value) {
    RankedTensorType type = typeOf(value);
    return readTensor(type.getRank() == rank && rank > 1 ? "*_" : "", type);
  };
  letters.operands = llvm::map_to_vector(op->getOperands(), dimsOf);
  letters.results = llvm::map_to_vector(op->getResults(), dimsOf);
}

/// Tensors of the first operand's shape go together, and so do its elements; others are numbers.
static void getUpdateLetters(Operation *op, ShardingLetters &letters) {
  RankedTensorType first = typeOf(op->getOperand(0));
  auto dimsOf = [&](Value value) {
    RankedTensorType type = typeOf(value);
    bool isAlike = type.getShape() == first.getShape();
    return isAlike ? broadcastLetters(type, first) : Dims(type.getRank(), ShardingLetters::whole);
  };
  letters.operands = llvm::map_to_vector(op->getOperands(), dimsOf);
  letters.results = llvm::map_to_vector(op->getResults(), dimsOf);
}

static void getLetters(AdamWOp op, ShardingLetters &letters) { getUpdateLetters(op, letters); }
static void getLetters(SgdOp op, ShardingLetters &letters) { getUpdateLetters(op, letters); }

/// A largest element is no sum: what it is taken over is whole.
static void getLetters(ReduceOp op, ShardingLetters &letters) {
  RankedTensorType type = op.getX().getType();
  bool sums = op.getKind() != Reduction::k_max;
  Dims &x = letters.operands.emplace_back(), &y = letters.results.emplace_back();
  for (int64_t d = 0; d < type.getRank(); ++d) {
    bool vanishes = llvm::is_contained(op.getAxes(), d);
    x.push_back(vanishes && !sums ? ShardingLetters::whole : int(d));
    if (!vanishes)
      y.push_back(int(d));
  }
}

/// The first of the largest elements is one of the whole group.
static void getLetters(ReduceMaxVjpOp op, ShardingLetters &letters) {
  Dims x, y;
  for (int64_t d = 0; d < op.getX().getType().getRank(); ++d) {
    bool vanishes = llvm::is_contained(op.getAxes(), d);
    x.push_back(vanishes ? ShardingLetters::whole : int(d));
    if (!vanishes)
      y.push_back(int(d));
  }
  letters.operands = {x, std::move(y)};
  letters.results = {std::move(x)};
}

static void getLetters(TransposeOp op, ShardingLetters &letters) {
  Dims &x = letters.operands.emplace_back(), &y = letters.results.emplace_back();
  for (auto [d, from] : llvm::enumerate(op.getPermutation())) {
    x.push_back(int(d));
    y.push_back(int(from));
  }
}

/// All dimensions but one.
static void getLettersBeside(Operation *op, int64_t axis, ShardingLetters &letters) {
  auto dimsOf = [&](Value value) {
    Dims dims;
    for (int64_t d = 0; d < typeOf(value).getRank(); ++d)
      dims.push_back(d == axis ? ShardingLetters::whole : int(d));
    return dims;
  };
  letters.operands = llvm::map_to_vector(op->getOperands(), dimsOf);
  letters.results = llvm::map_to_vector(op->getResults(), dimsOf);
}

static void getLetters(ConcatOp op, ShardingLetters &letters) { getLettersBeside(op, op.getAxis(), letters); }
/// Token n of all layers is token n L and those after it.
static void getLetters(StackLayersOp op, ShardingLetters &letters) { getLettersBeside(op, 2, letters); }

/// The dimensions before the first, and after the last, that differ. Dynamic sizes may differ. Those between, where
/// they become one, are merged; one that becomes several of static sizes is split.
static void getLetters(ReshapeOp op, ShardingLetters &letters) {
  ArrayRef<int64_t> from = op.getX().getType().getShape(), to = op.getY().getType().getShape();
  Dims x(from.size(), ShardingLetters::whole), y(to.size(), ShardingLetters::whole);
  auto areEqual = [](int64_t a, int64_t b) { return a == b && !ShapedType::isDynamic(a); };
  size_t first = 0, last = 0, most = std::min(from.size(), to.size());
  // One dynamic size in front of equal numbers of elements is the same on both sides.
  auto staticCount = [](ArrayRef<int64_t> shape) {
    return llvm::count_if(shape, ShapedType::isDynamic) == 1
               ? std::accumulate(shape.begin(), shape.end(), int64_t(1),
                                 [](int64_t p, int64_t size) { return ShapedType::isDynamic(size) ? p : p * size; })
               : int64_t(-1);
  };
  bool isOneDynamic = staticCount(from) > 0 && staticCount(from) == staticCount(to);
  auto isSame = [&](int64_t a, int64_t b) { return areEqual(a, b) || (isOneDynamic && a == b); };
  while (first < most && isSame(from[first], to[first]))
    x[first] = y[first] = int(first), ++first;
  while (last < most - first && isSame(from[from.size() - 1 - last], to[to.size() - 1 - last])) {
    x[x.size() - 1 - last] = y[y.size() - 1 - last] = firstLeading + int(last);
    ++last;
  }
  if (to.size() == first + last + 1 && from.size() > to.size()) {
    ShardingLetters::Merge &merge = letters.merge.emplace();
    merge.dim = unsigned(first);
    for (size_t d = first; d < from.size() - last; ++d) {
      x[d] = int(d);
      merge.letters.push_back(int(d));
      merge.sizes.push_back(from[d]);
    }
  }
  if (from.size() == first + last + 1 && to.size() > from.size() && op.getY().getType().hasStaticShape()) {
    ShardingLetters::Merge &split = letters.split.emplace();
    split.dim = unsigned(first);
    for (size_t d = first; d < to.size() - last; ++d) {
      y[d] = int(d);
      split.letters.push_back(int(d));
      split.sizes.push_back(to[d]);
    }
  }
  letters.operands.push_back(std::move(x));
  letters.results.push_back(std::move(y));
}

/// A norm is a sum of what ranks have, however each tensor is shared.
static void getLetters(ClipScaleOp op, ShardingLetters &letters) {
  for (Value gradient : op.getGradients())
    letters.operands.push_back(Dims(typeOf(gradient).getRank(), ShardingLetters::any));
  letters.results.push_back({});
}

/// Whether a tensor has all elements of another along dimension `d`, from the first on. Dynamic sizes that are not
/// listed are all that there is.
static bool hasAll(Value part, Value whole, int64_t d, bool areListed, const SymbolicSizes &sizes) {
  int64_t size = typeOf(part).getDimSize(d);
  if (size != typeOf(whole).getDimSize(d) || !ShapedType::isDynamic(size) || !areListed)
    return size == typeOf(whole).getDimSize(d);
  const SizeExpressions *ofPart = sizes.of(part), *ofWhole = sizes.of(whole);
  return ofPart && ofWhole && (*ofPart)[d] == (*ofWhole)[d];
}

/// Dimensions of a slice, or of the pad that is its transpose, of which all is taken, or each n-th element of n times
/// as many.
template <typename OpTy>
static Dims getPartLetters(OpTy op, Value part, Value whole, ArrayRef<int64_t> first, const SymbolicSizes &sizes) {
  Dims dims;
  for (int64_t d = 0; d < typeOf(whole).getRank(); ++d) {
    int64_t all = typeOf(whole).getDimSize(d), size = typeOf(part).getDimSize(d), stride = op.getStrides()[d];
    bool isKept = first[d] == 0 && stride == 1 && hasAll(part, whole, d, bool(op.getSizes()), sizes);
    bool isThinned =
        !ShapedType::isDynamic(all) && first[d] >= 0 && first[d] < stride && size > 0 && all == size * stride;
    dims.push_back(isKept || isThinned ? int(d) : ShardingLetters::whole);
  }
  return dims;
}

static void getLetters(SliceOp op, ShardingLetters &letters) {
  Dims dims = getPartLetters(op, op.getY(), op.getX(), op.getOffsets(), *letters.sizes);
  for (auto [d, letter] : llvm::enumerate(dims)) {
    int64_t first = op.getOffsets()[d], size = op.getType().getDimSize(d);
    if (letter == ShardingLetters::whole && !ShapedType::isDynamic(first) && !ShapedType::isDynamic(size))
      letters.taken.push_back({unsigned(d), first, op.getStrides()[d], size});
  }
  letters.operands.push_back(dims);
  letters.results.push_back(std::move(dims));
}

static void getLetters(PadOp op, ShardingLetters &letters) {
  Dims dims = getPartLetters(op, op.getX(), op.getY(), op.getLow(), *letters.sizes);
  letters.operands.push_back(dims);
  letters.results.push_back(std::move(dims));
}

/// Dimensions beside those in which places count.
static void getLetters(SliceUpdateOp op, ShardingLetters &letters) {
  auto axis = int64_t(op.getAxis());
  Dims position(op.getPosition().getType().getRank(), ShardingLetters::whole), x = position, state;
  for (int64_t d = 0; d < op.getState().getType().getRank(); ++d)
    state.push_back(d == axis || (d < axis && !position.empty()) ? ShardingLetters::whole : int(d));
  if (position.empty())
    x = state;
  else
    llvm::append_range(x, ArrayRef(state).drop_front(axis + 1));
  letters.operands = {state, std::move(x), std::move(position)};
  letters.results = {std::move(state)};
}

/// The dimensions that x has all of.
static void getLetters(AddAtOp op, ShardingLetters &letters) {
  ArrayRef<int64_t> part = cast<RankedTensorType>(op.getX().getType()).getShape();
  Dims dims;
  for (auto [d, size] : llvm::enumerate(op.getY().getType().getShape()))
    dims.push_back(size == part[d] && !ShapedType::isDynamic(size) ? int(d) : ShardingLetters::whole);
  letters.operands.assign(2, dims);
  letters.results.push_back(std::move(dims));
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
using LettersOf = void (*)(Operation *, ShardingLetters &);

template <typename OpTy>
struct Model : ShardableOpInterface::ExternalModel<Model<OpTy>, OpTy> {
  void getLetters(Operation *op, ShardingLetters &letters) const { ::getLetters(cast<OpTy>(op), letters); }
};
/// Of ops that are alike.
template <typename OpTy, LettersOf lettersOf>
struct SharedModel : ShardableOpInterface::ExternalModel<SharedModel<OpTy, lettersOf>, OpTy> {
  void getLetters(Operation *op, ShardingLetters &letters) const { lettersOf(op, letters); }
};
} // namespace

template <typename... Ops>
static void attach(MLIRContext &context) {
  (Ops::template attachInterface<Model<Ops>>(context), ...);
}

template <LettersOf lettersOf, typename... Ops>
static void attachShared(MLIRContext &context) {
  (Ops::template attachInterface<SharedModel<Ops, lettersOf>>(context), ...);
}

/// Attaches a model to each of the dialect's element-wise ops.
template <typename... Ops>
static void attachElementwise(MLIRContext &context) {
  auto attachTo = [&]<typename OpTy>() {
    if constexpr (OpTy::template hasTrait<ElementwiseOpInterface::Trait>())
      OpTy::template attachInterface<SharedModel<OpTy, getElementwiseLetters>>(context);
  };
  (attachTo.template operator()<Ops>(), ...);
}

void xf::registerShardingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, XfDialect *) {
    attachElementwise<
#define GET_OP_LIST
#include "dialects/xf/IR/XfOps.cpp.inc"
        >(*context);
    attachElementwise<
#define GET_OP_LIST
#include "dialects/xf/IR/XfFunctionOps.cpp.inc"
        >(*context);
    attach<AdamWOp, AddAtOp, AfterOp, AttentionOp, AttentionVjpOp, BroadcastOp, ClipScaleOp, ConcatOp, CrossEntropyOp,
           CrossEntropyVjpOp, DropoutOp, EmbeddingOp, EmbeddingVjpOp, LinearOp, MatmulOp, MergeHeadsOp, PadOp,
           PoolLayersOp, ProductOp, ReduceMaxVjpOp, ReduceOp, ReshapeOp, SgdOp, SliceOp, SliceUpdateOp, SplitHeadsOp,
           StackLayersOp, TransposeOp>(*context);
    attachShared<getRowLetters, CumsumOp, IotaOp, TopKOp, TakeAlongOp, TakeAlongVjpOp>(*context);
  });
}

ShardingLetters xf::lettersOf(Operation *op, const SymbolicSizes &sizes) {
  ShardingLetters letters;
  letters.sizes = &sizes;
  if (auto shardable = dyn_cast<ShardableOpInterface>(op))
    shardable.getLetters(letters);
  else if (keepsRows(op))
    getRowLetters(op, letters);
  letters.operands.resize(op->getNumOperands());
  letters.results.resize(op->getNumResults());
  return letters;
}

//===- HostBuilder.cpp - Building a host program --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/HostBuilder.h"
#include "compiler/Tile/Host/KernelLibrary.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xf;

HostBuilder::HostBuilder(func::FuncOp host, KernelLibrary &kernels, const TileModel &model)
    : b(host.getContext()), loc(host.getLoc()), model(model), host(host), kernels(kernels) {
  b.setInsertionPointToEnd(&host.getBody().front());
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Value HostBuilder::value(Size size) {
  if (auto value = dyn_cast<Value>(size))
    return value;
  int64_t number = *getConstantIntValue(size);
  Value &cached = known["constant " + std::to_string(number)];
  if (!cached) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&host.getBody().front());
    cached = arith::ConstantIndexOp::create(b, host.getLoc(), number);
  }
  return cached;
}

HostBuilder::Monomial HostBuilder::monomial(Size size) const {
  if (auto number = constant(size))
    return {*number, {}};
  Value value = cast<Value>(size);
  auto found = products.find(value);
  return found == products.end() ? Monomial{1, {value}} : found->second;
}

template <typename OpTy>
Size HostBuilder::binary(Size x, Size y, std::optional<int64_t> folded) {
  if (folded)
    return size(*folded);
  Value left = value(x), right = value(y);
  std::string key = OpTy::getOperationName().str() + " " +
                    std::to_string(reinterpret_cast<uintptr_t>(left.getAsOpaquePointer())) + " " +
                    std::to_string(reinterpret_cast<uintptr_t>(right.getAsOpaquePointer()));
  Value &cached = known[key];
  if (!cached)
    cached = OpTy::create(b, loc, left, right);
  return cached;
}

Size HostBuilder::build(Monomial monomial) {
  if (monomial.factors.empty() || monomial.constant == 0)
    return size(monomial.constant);
  for (Value factor : monomial.factors)
    order.try_emplace(factor, order.size());
  llvm::sort(monomial.factors, [&](Value x, Value y) { return order[x] < order[y]; });
  Size product = monomial.factors.front();
  for (Value factor : ArrayRef<Value>(monomial.factors).drop_front())
    product = binary<arith::MulIOp>(product, factor, std::nullopt);
  if (monomial.constant != 1)
    product = binary<arith::MulIOp>(product, size(monomial.constant), std::nullopt);
  if (auto value = dyn_cast<Value>(product))
    products[value] = monomial;
  return product;
}

Size HostBuilder::mul(Size x, Size y) {
  Monomial left = monomial(x), right = monomial(y);
  left.constant *= right.constant;
  llvm::append_range(left.factors, right.factors);
  return build(std::move(left));
}

Size HostBuilder::product(ArrayRef<Size> factors) {
  Size result = size(1);
  for (Size factor : factors)
    result = mul(result, factor);
  return result;
}

/// Returns f(x, y) if both sizes are constants, else nullopt.
template <typename F>
static std::optional<int64_t> fold(Size x, Size y, F f) {
  auto left = getConstantIntValue(x), right = getConstantIntValue(y);
  if (left && right)
    return f(*left, *right);
  return std::nullopt;
}

Size HostBuilder::add(Size x, Size y) {
  if (constant(x) == 0)
    return y;
  if (constant(y) == 0)
    return x;
  return binary<arith::AddIOp>(x, y, fold(x, y, std::plus<int64_t>()));
}

Size HostBuilder::sub(Size x, Size y) {
  if (constant(y) == 0)
    return x;
  if (x == y)
    return size(0);
  return binary<arith::SubIOp>(x, y, fold(x, y, std::minus<int64_t>()));
}

std::optional<HostBuilder::Monomial> HostBuilder::quotient(Monomial x, const Monomial &y) {
  if (y.constant == 0 || x.constant % y.constant != 0)
    return std::nullopt;
  x.constant /= y.constant;
  for (Value factor : y.factors) {
    auto *found = llvm::find(x.factors, factor);
    if (found == x.factors.end())
      return std::nullopt;
    x.factors.erase(found);
  }
  return x;
}

Size HostBuilder::floorDiv(Size x, Size y) {
  if (auto exact = quotient(monomial(x), monomial(y)))
    return build(std::move(*exact));
  Size divisor = max(y, size(1)); // avoids a division by 0
  auto divide = [](int64_t l, int64_t r) { return llvm::divideFloorSigned(l, r); };
  return binary<arith::FloorDivSIOp>(x, divisor, fold(x, divisor, divide));
}

Size HostBuilder::floorDiv(Size x, int64_t y) { return floorDiv(x, size(y)); }

Size HostBuilder::ceilDiv(Size x, int64_t y) { return floorDiv(add(x, size(y - 1)), y); }

Size HostBuilder::min(Size x, Size y) {
  return binary<arith::MinSIOp>(x, y, fold(x, y, [](int64_t l, int64_t r) { return std::min(l, r); }));
}

Size HostBuilder::max(Size x, Size y) {
  return binary<arith::MaxSIOp>(x, y, fold(x, y, [](int64_t l, int64_t r) { return std::max(l, r); }));
}

/// Evaluates terms in the order in which the expression has them, so that equal expressions become one value.
Size HostBuilder::evaluate(const SizeExpression &expression) {
  if (std::optional<int64_t> number = expression.constant())
    return size(*number);
  Size total = size(0);
  for (const SizeExpression::Term &term : expression.terms()) {
    Size product = size(term.coefficient < 0 ? -term.coefficient : term.coefficient);
    for (const SizeExpression::Factor &factor : term.factors)
      product = mul(product,
                    factor.dividend ? floorDiv(evaluate(*factor.dividend), factor.divisor) : named.lookup(factor.name));
    total = term.coefficient < 0 ? sub(total, product) : add(total, product);
  }
  requireNotNegative(expression);
  return total;
}

void HostBuilder::requireNotNegative(const SizeExpression &expression) {
  bool isNamed = true;
  expression.forEachName([&](const std::string &name) { isNamed &= named.contains(name); });
  if (!isNamed)
    return;
  auto rangeOf = [&](const std::string &name) { return symbolic->rangeOf(name); };
  Attribute attribute = SizeAttr::get(b.getContext(), expression);
  if (expression.range(rangeOf).min < 0 && !llvm::is_contained(checked, attribute))
    checked.push_back(attribute);
}

void HostBuilder::bindNames(func::FuncOp function) {
  bool isStatic = llvm::all_of(function.getArgumentTypes(),
                               [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); });
  if (isStatic)
    return;
  symbolic.emplace(function);
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto dims = function.getArgAttrOfType<ArrayAttr>(number, "xf.dims");
    size_t taken = 0;
    for (auto [d, extent] : llvm::enumerate(cast<RankedTensorType>(argument.getType()).getShape())) {
      if (!ShapedType::isDynamic(extent))
        continue;
      Size own = sizes(argument)[d];
      named[sizeName(function, number, d)] = own;
      if (auto dim = dims ? dyn_cast<DimAttr>(dims[taken++]) : nullptr)
        named.try_emplace(dim.getName(), own);
    }
  }
}

LogicalResult HostBuilder::checkNames(Operation *op) const {
  std::string unknown;
  for (StringRef list : {"sizes", "starts"})
    if (auto expressions = op->getAttrOfType<ArrayAttr>(list))
      for (auto expression : expressions.getAsRange<SizeAttr>())
        expression.getExpression().forEachName([&](const std::string &name) {
          if (!named.contains(name))
            unknown = name;
        });
  return unknown.empty() ? success() : op->emitOpError("expected a size that an argument has, got '") << unknown << "'";
}

LogicalResult HostBuilder::requireEqual(Size x, Size y) {
  if (x == y)
    return success();
  auto left = constant(x), right = constant(y);
  if (left && right)
    return *left == *right ? success() : emitError(loc, "expected equal sizes, got ") << *left << " and " << *right;
  xft::RequireEqualOp::create(b, loc, value(x), value(y));
  return success();
}

LogicalResult HostBuilder::requireEqualElements(Value x, Value y) {
  const SizeExpressions *from = symbolic ? symbolic->of(x) : nullptr, *to = symbolic ? symbolic->of(y) : nullptr;
  if (from && to) {
    auto elements = [](const SizeExpressions &sizes) {
      SizeExpression product(1);
      for (const SizeExpression &size : sizes)
        product = product * size;
      return product;
    };
    SizeExpression difference = elements(*from) - elements(*to);
    if (difference.isValid() && difference.constant() == 0)
      return success();
    if (difference.isValid() && !difference.constant())
      zeros.push_back(SizeAttr::get(b.getContext(), difference)); // names the sizes in its message
  }
  return requireEqual(product(sizes(x)), product(sizes(y)));
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

SmallVector<Size> HostBuilder::rowMajorStrides(ArrayRef<Size> sizes) {
  SmallVector<Size> strides(sizes.size());
  Size stride = size(1);
  for (size_t d = sizes.size(); d-- > 0;) {
    strides[d] = stride;
    if (constant(sizes[d]) != 0) // no elements, so any stride; one of 0 would say that they are one element
      stride = mul(stride, sizes[d]);
  }
  return strides;
}

Buffer HostBuilder::whole(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  Buffer buffer{memref, type.getElementType(), size(0), {}, {}};
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (!type.isDynamicDim(d)) {
      buffer.sizes.push_back(size(type.getDimSize(d)));
      continue;
    }
    Value &cached = known["dim " + std::to_string(d) + " " +
                          std::to_string(reinterpret_cast<uintptr_t>(memref.getAsOpaquePointer()))];
    if (!cached)
      cached = memref::DimOp::create(b, loc, memref, value(size(d)));
    buffer.sizes.push_back(cached);
  }
  buffer.strides = rowMajorStrides(buffer.sizes);
  return buffer;
}

void HostBuilder::bind(Value tensor, Value argument) { buffers[tensor] = whole(argument); }

Buffer HostBuilder::buffer(Value tensor) const {
  auto found = buffers.find(tensor);
  assert(found != buffers.end() && "expected the tensor's op to be tiled before its users");
  return found->second;
}

void HostBuilder::alias(Value tensor, Buffer view) { buffers[tensor] = std::move(view); }

Buffer HostBuilder::allocate(Type element, ArrayRef<Size> sizes) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  // `dynamic` holds only index values: constant sizes are attributes, because Size folds.
  Value root = memref::AllocOp::create(b, loc, MemRefType::get(shape, element), dynamic);
  Buffer buffer{root, element, size(0), SmallVector<Size>(sizes), rowMajorStrides(sizes)};
  return buffer;
}

Buffer HostBuilder::constantBuffer(DenseElementsAttr elements) {
  auto type = cast<RankedTensorType>(elements.getType());
  bool splat = elements.isSplat();
  auto stored = RankedTensorType::get(splat ? ArrayRef<int64_t>() : type.getShape(), type.getElementType());
  auto memref = MemRefType::get(stored.getShape(), stored.getElementType());
  auto module = host->getParentOfType<ModuleOp>();
  DenseElementsAttr value = splat ? elements.resizeSplat(stored) : elements;
  StringAttr name;
  for (auto global : module.getOps<memref::GlobalOp>())
    if (global.getInitialValueAttr() == value)
      name = global.getSymNameAttr();
  if (!name) {
    OpBuilder start = OpBuilder::atBlockBegin(module.getBody());
    size_t count = llvm::range_size(module.getOps<memref::GlobalOp>());
    auto global =
        memref::GlobalOp::create(start, loc, ("xf_constant_" + Twine(count)).str(), b.getStringAttr("private"), memref,
                                 value, /*constant=*/true, /*alignment=*/b.getI64IntegerAttr(64));
    name = global.getSymNameAttr();
  }
  Value root = memref::GetGlobalOp::create(b, loc, memref, name.getValue());
  Buffer buffer{root, type.getElementType(), size(0), {}, {}};
  for (int64_t extent : type.getShape())
    buffer.sizes.push_back(size(extent));
  buffer.strides = splat ? SmallVector<Size>(type.getRank(), size(0)) : rowMajorStrides(buffer.sizes);
  return buffer;
}

Value HostBuilder::memref(const Buffer &buffer) {
  auto rootType = cast<MemRefType>(buffer.root.getType());
  if (rootType.hasStaticShape() && constant(buffer.offset) == 0 && rootType.getRank() == buffer.rank()) {
    Buffer all = whole(buffer.root);
    if (all.sizes == buffer.sizes && all.strides == buffer.strides)
      return buffer.root;
  }
  SmallVector<int64_t> sizes, strides, offsets;
  SmallVector<Value> unused;
  dispatchIndexOpFoldResults(buffer.sizes, unused, sizes);
  dispatchIndexOpFoldResults(buffer.strides, unused, strides);
  dispatchIndexOpFoldResults({buffer.offset}, unused, offsets);
  auto type = MemRefType::get(sizes, buffer.element, StridedLayoutAttr::get(b.getContext(), offsets[0], strides));
  return memref::ReinterpretCastOp::create(b, loc, type, buffer.root, buffer.offset, buffer.sizes, buffer.strides);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Buffer HostBuilder::permuted(const Buffer &buffer, ArrayRef<int64_t> permutation) const {
  Buffer view = buffer;
  for (auto [d, from] : llvm::enumerate(permutation)) {
    view.sizes[d] = buffer.sizes[from];
    view.strides[d] = buffer.strides[from];
  }
  return view;
}

FailureOr<Buffer> HostBuilder::collapsed(const Buffer &buffer, int64_t first, int64_t last) {
  Buffer view = buffer;
  if (first == last)
    return view;
  Size size = buffer.sizes[last], stride = buffer.strides[last];
  for (int64_t d = last - 1; d >= first; --d) {
    if (constant(size) == 1)
      stride = buffer.strides[d]; // a dimension of one element has any stride
    else if (constant(buffer.sizes[d]) != 1 && constant(size) != 0 && buffer.strides[d] != mul(size, stride))
      return failure();
    size = mul(buffer.sizes[d], size);
  }
  view.sizes.erase(view.sizes.begin() + first, view.sizes.begin() + last);
  view.strides.erase(view.strides.begin() + first, view.strides.begin() + last);
  view.sizes[first] = size;
  view.strides[first] = stride;
  return view;
}

Buffer HostBuilder::split(const Buffer &buffer, int64_t dim, Size inner) {
  Buffer view = buffer;
  Size outer;
  if (auto divisor = constant(inner))
    outer = floorDiv(buffer.sizes[dim], *divisor);
  else
    outer = binary<arith::DivUIOp>(buffer.sizes[dim], inner, std::nullopt);
  view.sizes[dim] = inner;
  view.sizes.insert(view.sizes.begin() + dim, outer);
  view.strides.insert(view.strides.begin() + dim, mul(inner, buffer.strides[dim]));
  return view;
}

Buffer HostBuilder::sliced(const Buffer &buffer, ArrayRef<Size> offsets, ArrayRef<Size> sizes,
                           ArrayRef<int64_t> steps) {
  Buffer view = buffer;
  for (int64_t d = 0; d < buffer.rank(); ++d) {
    view.offset = add(view.offset, mul(offsets[d], buffer.strides[d]));
    view.sizes[d] = sizes[d];
    view.strides[d] = mul(buffer.strides[d], size(steps[d]));
  }
  return view;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

MemRefType HostBuilder::operandType(Type element, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) const {
  return MemRefType::get(sizes, element, StridedLayoutAttr::get(element.getContext(), /*offset=*/0, strides));
}

MemRefType HostBuilder::rowsType(Type element, int64_t rank) const {
  SmallVector<int64_t> sizes(rank, ShapedType::kDynamic), strides(rank, ShapedType::kDynamic);
  if (rank)
    strides.back() = 1;
  return operandType(element, sizes, strides);
}

func::FuncOp HostBuilder::kernel(StringRef family, StringRef key, TypeRange operands, KernelBody body) {
  return kernels.get(loc, family, key, operands, body);
}

xft::LaunchOp HostBuilder::launch(func::FuncOp kernel, Size tiles, ValueRange operands) {
  if (constant(tiles) == 0)
    return {};
  return xft::LaunchOp::create(b, loc, kernel.getSymName(), value(tiles), operands);
}

void HostBuilder::count(double flop, double pairs, double executedPairs) {
  this->flop += flop;
  this->pairs += pairs;
  this->executedPairs += executedPairs;
}

void HostBuilder::recordWork() {
  if (!checked.empty())
    host->setAttr(xft::sizesAttrName, b.getArrayAttr(checked));
  if (!zeros.empty())
    host->setAttr(xft::zeroSizesAttrName, b.getArrayAttr(zeros));
  host->setAttr(xft::flopAttrName, b.getF64FloatAttr(flop));
  host->setAttr(xft::pairsAttrName, b.getF64FloatAttr(pairs));
  host->setAttr(xft::executedPairsAttrName, b.getF64FloatAttr(executedPairs));
}

//===- training.cpp - Do several ranks train as one does? -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trains a small model in f64, by each optimiser, on one rank and on meshes of threads whose optimiser's state is
// shared (training.test). Compares losses, parameters and states; loads what one mesh has into others.
//
//===----------------------------------------------------------------------===//

#include "LocalNetwork.h"
#include "xf/xf.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <mutex>

using namespace xf;

namespace {
struct Block : nn::Module {
  nn::LayerNorm norm1, norm2;
  nn::MultiheadAttention attention;
  nn::MLP mlp;
  XF_MEMBERS(norm1, norm2, attention, mlp)

  Block(int64_t width, const Pattern &pattern)
      : norm1(width), norm2(width),
        // A bias of keys has no gradient but for rounding, which optimisers make as large as any other.
        attention({.width = width, .heads = 4, .pattern = pattern, .bias = false}),
        mlp({.width = width, .hidden = 2 * width}) {}
  Tensor operator()(Tensor x) const {
    x = x + attention(norm1(x));
    return x + mlp(norm2(x));
  }
};

/// Of 18 classes, 4 ranks divide the columns of the head's weight, but neither its rows nor its bias.
struct Model : nn::Module {
  nn::Embedding tokens;
  Block block;
  nn::Linear head;
  XF_MEMBERS(tokens, block, head)

  Model(int64_t classes, Dtype dtype, const Pattern &pattern)
      : tokens(classes, 8), block(8, pattern), head(8, classes) {
    to(dtype);
    initialize(3);
  }
  Tensor operator()(Tensor ids) const { return head(block(tokens(ids))); }
};

struct Setting {
  const char *name;
  int64_t data = 1, sequence = 1, tensor = 1;
  optim::Optimizer optimizer = optim::AdamW{};
  int64_t classes = 16;
  Dtype dtype = f64;
  Pattern pattern = causal();
  Order order = Order::ranks; ///< in the order `keys` one rank has a mesh, too
  int threads = 1;

  int32_t ranks() const { return int32_t(data * sequence * tensor); }
};

constexpr int64_t rows = 4, length = 8, steps = 4;

/// What a run ends with: losses, and on rank 0 all parameters and states.
struct Outcome {
  std::vector<double> losses;
  StateDict values;
  size_t stateBytes = 0, parameterBytes = 0; ///< of one rank
};
} // namespace

static optim::Optimizer over(optim::Optimizer optimizer, const std::vector<std::string> &axes) {
  std::visit([&](auto &own) { own.state_over = axes; }, optimizer);
  return optimizer;
}

/// Compiles a step for the ranks of a setting; one rank has no mesh, but in the order `keys`.
static Executable compile(const Setting &setting, const Ranks &ranks) {
  static std::mutex one; // a program is built by one thread
  std::lock_guard lock(one);
  Model model(setting.classes, setting.dtype, setting.pattern);
  std::vector<std::string> axes{"data", "sequence"};
  bool isOne = setting.ranks() == 1 && setting.order == Order::ranks;
  if (!isOne && setting.tensor > 1) {
    model.block.mlp.fc1.weight.over({{"tensor"}, {}});
    model.block.mlp.fc1.bias.over({{"tensor"}});
    model.block.mlp.fc2.weight.over({{}, {"tensor"}});
  }
  Program program =
      isOne ? Program("model", model)
            : Program("model", model,
                      Mesh{{"data", setting.data}, {"sequence", setting.sequence}, {"tensor", setting.tensor}});
  Dim batch = rows, tokens = length;
  if (!isOne) {
    batch = batch.over("data");
    tokens = tokens.over("sequence");
  }
  auto loss = [&](Tensor x, Tensor y) { return cross_entropy(model(x), y); };
  program.train_step("train", model, {{"ids", i32, {batch, tokens}}, {"targets", i32, {batch, tokens}}}, loss,
                     isOne ? setting.optimizer : over(setting.optimizer, axes));
  return program.compile({.opt_level = 0, .threads = setting.threads, .ranks = ranks, .order = setting.order});
}

/// A rank's share of what all ranks call with.
static Array shareOf(const Setting &setting, int rank, int64_t seed) {
  int64_t part = rank / (setting.sequence * setting.tensor), ownRows = rows / setting.data;
  int64_t place = rank / setting.tensor % setting.sequence, ownLength = length / setting.sequence;
  Array share(i32, {ownRows, ownLength});
  int32_t *out = share.data<int32_t>().data();
  for (int64_t row = part * ownRows; row < (part + 1) * ownRows; ++row)
    for (int64_t n = place * ownLength; n < (place + 1) * ownLength; ++n)
      *out++ = int32_t((seed * 7 + row * 5 + n * n * 3 + row * n) % 16);
  return share;
}

static size_t bytesOf(const StateDict &values) {
  size_t bytes = 0;
  for (const auto &[name, value] : values)
    bytes += value.shape().empty() ? 0 : value.bytes().size(); // without counters
  return bytes;
}

static StateDict gatherAll(const Executable &run) {
  StateDict values = run.gather(run.state_dict());
  values.merge(run.gather(run.optimizer_state()));
  return values;
}

/// Trains `count` steps on this rank, from `start` unless it is empty.
static Outcome train(const Setting &setting, const Ranks &ranks, const StateDict &start, int64_t count) {
  Executable run = compile(setting, ranks);
  if (!start.empty())
    run.load_state_dict(start);
  Outcome outcome;
  for (int64_t step = 0; step < count; ++step) {
    Arrays results = run.call("train", {{"ids", shareOf(setting, ranks.rank(), step)},
                                        {"targets", shareOf(setting, ranks.rank(), step + 1)},
                                        {"learning_rate", 1e-2f}});
    const Array &loss = results.begin()->second;
    outcome.losses.push_back(loss.dtype() == f64 ? loss.data<double>()[0] : loss.data<float>()[0]);
  }
  outcome.stateBytes = bytesOf(run.optimizer_state());
  outcome.parameterBytes = bytesOf(run.state_dict());
  outcome.values = gatherAll(run);
  return outcome;
}

static Ranks ranksOf(const xfrt_communicator &communicator) {
  return Ranks(std::shared_ptr<const xfrt_communicator>(&communicator, [](const xfrt_communicator *) {}));
}

static Outcome trainAll(const Setting &setting, const StateDict &start = {}, int64_t count = steps) {
  if (setting.ranks() == 1)
    return train(setting, Ranks(), start, count);
  xfrt::NetworkOptions options;
  options.ranks = setting.ranks();
  options.mostDelay = 100000;
  xfrt::LocalNetwork network(options);
  std::vector<Outcome> outcomes(size_t(options.ranks));
  network.run([&](const xfrt_communicator &communicator) {
    Ranks ranks = ranksOf(communicator);
    if (ranks.first(ranks.rank() + 5) != 5)
      std::printf("wrong: expected the number of rank 0\n");
    try {
      outcomes[size_t(ranks.rank())] = train(setting, ranks, start, count);
    } catch (const std::exception &error) {
      std::printf("wrong: rank %d: %s\n", ranks.rank(), error.what());
    }
  });
  for (size_t rank = 1; rank < outcomes.size(); ++rank)
    if (!outcomes[rank].values.empty() || outcomes[rank].losses != outcomes[0].losses)
      std::printf("wrong: rank %zu has other losses than rank 0, or gathered values\n", rank);
  return outcomes[0];
}

/// The largest difference of a value, relative to the largest element of it.
static double differenceOf(const StateDict &found, const StateDict &expected) {
  if (found.size() != expected.size())
    return INFINITY;
  double worst = 0;
  for (const auto &[name, value] : expected) {
    auto own = found.find(name);
    if (own == found.end() || own->second.shape() != value.shape() || own->second.dtype() != value.dtype())
      return INFINITY;
    if (value.dtype() != f64) {
      if (std::memcmp(value.bytes().data(), own->second.bytes().data(), value.bytes().size()) != 0)
        return INFINITY;
      continue;
    }
    double largest = 0, most = 0;
    for (size_t n = 0; n < value.data<double>().size(); ++n) {
      largest = std::max(largest, std::abs(value.data<double>()[n]));
      most = std::max(most, std::abs(value.data<double>()[n] - own->second.data<double>()[n]));
      if (!std::isfinite(own->second.data<double>()[n]))
        return INFINITY;
    }
    worst = std::max(worst, largest > 0 ? most / largest : most);
  }
  return worst;
}

static bool haveSameBytes(const StateDict &a, const StateDict &b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto &x, const auto &y) {
           return x.first == y.first && x.second.shape() == y.second.shape() &&
                  std::equal(x.second.bytes().begin(), x.second.bytes().end(), y.second.bytes().begin(),
                             y.second.bytes().end());
         });
}

static void compare(const Setting &setting) {
  Setting alone = setting;
  alone.data = alone.sequence = alone.tensor = 1;
  Outcome one = trainAll(alone), all = trainAll(setting);
  double worst = differenceOf(all.values, one.values);
  for (size_t n = 0; n < std::min(one.losses.size(), all.losses.size()); ++n)
    worst = std::max(worst, std::abs(all.losses[n] - one.losses[n]) / one.losses[n]);
  std::printf("%s on %lldx%lldx%lld: state %.4f of one rank's, parameters %.4f, worst difference %.1e: %s\n",
              setting.name, (long long)setting.data, (long long)setting.sequence, (long long)setting.tensor,
              double(all.stateBytes) / double(one.stateBytes), double(all.parameterBytes) / double(one.parameterBytes),
              worst, worst <= 1e-12 ? "right" : "wrong");
}

/// Compares the bits of losses, parameters and states after five steps, whatever the number of threads.
static void compareBits(Setting setting) {
  setting.dtype = f32;
  setting.order = Order::keys;
  Setting alone = setting;
  alone.data = alone.sequence = alone.tensor = 1;
  Outcome one = trainAll(alone, {}, 5);
  setting.threads = 2;
  Outcome all = trainAll(setting, {}, 5);
  bool isRight = one.losses.size() == 5 && std::isfinite(one.losses.back()) && one.losses == all.losses &&
                 haveSameBytes(one.values, all.values);
  std::printf("keys, %s on %lldx%lldx%lld: %s bits\n", setting.name, (long long)setting.data,
              (long long)setting.sequence, (long long)setting.tensor, isRight ? "the same" : "wrong");
}

/// Trains on 2 x 2, and loads the result on other meshes, which have the same bytes and go on alike.
static void carryOn() {
  Setting from{"from", 2, 2};
  Outcome start = trainAll(from);
  Outcome expected = trainAll(Setting{"one"}, start.values);
  for (auto [data, sequence, tensor] : {std::tuple(1, 1, 1), {4, 1, 1}, {1, 4, 1}, {1, 2, 2}, {2, 1, 1}}) {
    Setting to{"to", data, sequence, tensor};
    bool isSame = haveSameBytes(trainAll(to, start.values, 0).values, start.values);
    double worst = differenceOf(trainAll(to, start.values).values, expected.values);
    std::printf("from 2x2x1 to %dx%dx%d: %s bytes, worst difference %.1e: %s\n", data, sequence, tensor,
                isSame ? "the same" : "other", worst, worst <= 1e-12 && isSame ? "right" : "wrong");
  }
}

/// Masters of 16-bit parameters start from what parameters were before they were rounded, on each rank its share.
static void startMasters() {
  Setting several{"masters", 2, 2};
  several.dtype = bf16;
  Setting one{"masters"};
  one.dtype = bf16;
  bool isSame = haveSameBytes(trainAll(several, {}, 0).values, trainAll(one, {}, 0).values);
  std::printf("masters: %s\n", isSame ? "right" : "wrong");
}

/// Attention with positions, of whose tokens, entries or heads two ranks have a part, in a dtype.
static Program rotary(
    const std::string &axis, int64_t ranks, Dtype dtype, bool trains,
    const std::function<Tensor(Tensor)> &end = [](Tensor x) { return x; }) {
  nn::MultiheadAttention attention(
      {.width = 64, .heads = 4, .kv_heads = 2, .pattern = causal(), .bias = false, .rotary = Rotary{}});
  attention.to(dtype);
  Dim batch = 8, tokens = 32;
  if (axis == "tensor") {
    for (const nn::Linear *projection : {&*attention.q_proj, &*attention.k_proj, &*attention.v_proj})
      projection->weight.over({{"tensor"}, {}});
    attention.out_proj.weight.over({{}, {"tensor"}});
  }
  batch = axis == "data" ? batch.over(axis) : batch;
  tokens = axis == "sequence" ? tokens.over(axis) : tokens;
  std::vector<TensorSpec> inputs = {{"x", dtype, {batch, tokens, 64}}};
  auto loss = [&](Tensor x) { return mean(square(cast(end(attention(x)), f32))); };
  Program program("rotary", attention, Mesh{{axis, ranks}});
  program.entry("gradients", inputs, value_and_grad(attention, loss));
  if (trains)
    program.train_step("train", attention, inputs, loss, over(optim::AdamW{}, {axis}));
  return program;
}

static void runAll(int32_t ranks, const std::function<void(const Ranks &, xfrt::LocalNetwork &)> &run) {
  xfrt::NetworkOptions options;
  options.ranks = ranks;
  xfrt::LocalNetwork network(options);
  network.run([&](const xfrt_communicator &communicator) {
    try {
      run(ranksOf(communicator), network);
    } catch (const std::exception &error) {
      std::printf("wrong: %s\n", error.what());
    }
  });
}

/// Nothing is gathered, and gradients have one shape, whatever the type of elements.
static void compareTypes() {
  for (const char *axis : {"data", "sequence", "tensor"}) {
    std::vector<Shape> expected;
    for (Dtype dtype : {f32, bf16})
      runAll(2, [&](const Ranks &ranks, xfrt::LocalNetwork &) {
        if (ranks.rank() != 0)
          return;
        Executable run = rotary(axis, 2, dtype, /*trains=*/false).compile({.opt_level = 0, .ranks = ranks});
        for (const std::string &remark : run.remarks())
          std::printf("wrong: %s\n", remark.c_str());
        std::vector<Shape> shapes;
        for (const TensorSpec &result : run.results("gradients"))
          shapes.push_back(result.shape);
        expected = expected.empty() ? shapes : expected;
        std::printf("%s over %s: %s shapes\n",
                    dtype == f32   ? "f32"
                    : dtype == f16 ? "f16"
                                   : "bf16",
                    axis, shapes == expected && !shapes.empty() ? "the same" : "other");
      });
  }
}

/// Of a step ranks send the f32 summands of others' parts of gradients, and their own parts of bf16 parameters.
static void countBytes() {
  constexpr int64_t ranks = 4, parameters = 64 * (64 + 32 + 32 + 64);
  const double least = double(parameters) * (4 + 2) * (ranks - 1) / ranks;
  static std::mutex one;
  runAll(ranks, [&](const Ranks &own, xfrt::LocalNetwork &network) {
    std::unique_lock lock(one);
    Executable run = rotary("data", ranks, bf16, /*trains=*/true).compile({.opt_level = 0, .ranks = own});
    lock.unlock();
    Inputs inputs = {{"x", Array(bf16, {8 / ranks, 32, 64})}, {"learning_rate", 1e-3f}};
    run.call("train", inputs);
    int64_t before = network.bytesSent(own.rank());
    run.call("train", inputs);
    double sent = double(network.bytesSent(own.rank()) - before) / least;
    if (own.rank() == 0)
      std::printf("a step in bf16 sends %.3f of the least: %s\n", sent, sent <= 1.02 ? "right" : "wrong");
  });
}

/// A line of the program that runs several times is remarked on once, and is an error where that is asked for.
static void remarkOnce() {
  auto overTokens = [](Tensor x) {
    for (int layer = 0; layer < 3; ++layer)
      x = softmax(x, 1);
    return x;
  };
  runAll(2, [&](const Ranks &ranks, xfrt::LocalNetwork &) {
    if (ranks.rank() != 0)
      return;
    Program program = rotary("sequence", 2, f32, /*trains=*/true, overTokens);
    Executable run = program.compile({.opt_level = 0, .ranks = ranks, .print_remarks = false});
    for (const std::string &remark : run.remarks())
      std::printf("remark: %s\n", remark.c_str());
    try {
      program.compile({.opt_level = 0, .ranks = ranks, .error_on_reshard = true});
    } catch (const Error &error) {
      std::printf("error: %s\n", error.what());
    }
  });
}

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  compareTypes();
  countBytes();
  remarkOnce();
  optim::AdamW adamw{.weight_decay = 0.1, .clip_norm = 1.0};
  for (auto [data, sequence] : {std::pair(2, 1), {1, 2}, {2, 2}, {4, 1}, {1, 4}})
    compareBits({"adamw", data, sequence, 1, adamw});
  compareBits({"adafactor", 2, 2, 1, optim::Adafactor{}});
  compareBits({"accumulating", 2, 2, 1, optim::AdamW{.clip_norm = 1, .accumulate = 2, .ema = 0.9}});
  compareBits({"sgd", 4, 1, 1, optim::SGD{.momentum = 0.9, .nesterov = true}, 18});
  Pattern states = kernelized({.feature = Feature::elu, .of = causal()});
  compareBits({"kernelised", 2, 2, 1, adamw, 16, f32, states});
  compare({"adamw", 2, 2, 1, adamw});
  compare({"adamw", 4, 1, 1, adamw, 18});
  compare({"adamw", 2, 1, 2, adamw});
  compare({"adam", 1, 4, 1, optim::Adam{.weight_decay = 0.1}});
  compare({"lion", 2, 2, 1, optim::Lion{}});
  compare({"adafactor", 2, 2, 1, optim::Adafactor{}});
  compare({"sgd", 2, 2, 1, optim::SGD{.momentum = 0.9, .nesterov = true}});
  compare({"accumulating", 2, 2, 1, optim::AdamW{.clip_norm = 1, .accumulate = 2, .ema = 0.9}});
  // Attention whose tokens ranks share by sums over keys.
  compare({"kernelised", 2, 2, 1, adamw, 16, f64, states});
  carryOn();
  startMasters();
}

//===- failures.cpp - Compiled programs of which a rank fails -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: ranks-failures MODEL.so ENTRY
//
// Runs an entry whose first dynamic size is a batch on ranks that are threads, and lets one of them be killed at every
// call of the transport, be silent, refuse its input, lack memory, and have another object or size; then loses
// messages. Every other rank has a status that says so within a second of its limit, or the results of a run without
// failures. Prints a line for each failure, and what messages of failures named.
//
//===----------------------------------------------------------------------===//

#include "LocalNetwork.h"
#include "runtime/tools/LoadModel.h"
#include "xfrt/xfrt.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <regex>
#include <set>

using namespace xfrt;

namespace {

enum class Fault { none, silent, refuses, memory, object, size };

constexpr int32_t failing = 1;             // the rank that fails
constexpr int64_t limit = 1000, batch = 2; // of a wait, in milliseconds
constexpr int64_t millisecond = 1000000;   // of the network's clocks

struct Outcome {
  xfrt_status status = XFRT_OK;
  std::string text, bits;
  int64_t time = 0;
};

/// Buffers for one side of an entry, with numbers that are drawn.
struct Buffers {
  std::deque<std::vector<float>> memory;
  std::deque<std::vector<int64_t>> sizes;
  std::vector<xfrt_buffer> buffers;

  Buffers(const xfrt_tensor *tensors, int32_t count, int64_t size, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (const xfrt_tensor *tensor = tensors; tensor != tensors + count; ++tensor) {
      std::vector<int64_t> &shape = sizes.emplace_back();
      size_t elements = 1;
      for (int32_t d = 0; d < tensor->rank; ++d) {
        shape.push_back(tensor->dims[d].symbol >= 0 ? size : tensor->dims[d].size);
        elements *= size_t(shape.back());
      }
      std::vector<float> &values = memory.emplace_back(elements);
      for (float &value : values)
        value = uniform(random);
      buffers.push_back({values.data(), tensor->dtype, tensor->rank, shape.data(), nullptr, XFRT_CPU});
    }
  }
};

void *allocateNothing(void *, size_t, size_t) { return nullptr; }
void *allocate(void *, size_t bytes, size_t alignment) {
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void release(void *, void *pointer, size_t) { std::free(pointer); }

/// Runs the entry on one rank.
Outcome call(const xfrt_model &model, int32_t entry, const xfrt_communicator &communicator, Fault fault) {
  static thread_local xfrt_allocate source;
  source = allocate;
  Outcome outcome;
  xfrt_model other = model; // with the tables of the first
  if (fault == Fault::object)
    other.content_hash = model.name; // in the tables, as every text
  const xfrt_entry &table = model.entries[entry];
  const int64_t size = fault == Fault::size ? batch + 1 : batch;
  Buffers in(table.arguments, table.argument_count, size, uint64_t(communicator.rank) + 1),
      out(table.results, table.result_count, size, 0);
  if (fault == Fault::refuses)
    in.buffers[0].dtype = XFRT_I32;
  xfrt_options options{};
  options.threads = 1;
  options.communicator = &communicator;
  options.timeout_ms = limit;
  options.allocate = [](void *user, size_t bytes, size_t alignment) { return source(user, bytes, alignment); };
  options.release = release;
  xfrt_context *context = nullptr;
  outcome.status = xfrt_create(fault == Fault::object ? &other : &model, &options, &context);
  outcome.text = xfrt_message(nullptr);
  if (outcome.status != XFRT_OK)
    return outcome;
  if (fault == Fault::memory)
    source = allocateNothing;
  outcome.status = xfrt_call(context, entry, in.buffers.data(), int32_t(in.buffers.size()), out.buffers.data(),
                             int32_t(out.buffers.size()));
  outcome.text = xfrt_message(context);
  xfrt_destroy(context);
  for (const std::vector<float> &values : out.memory)
    outcome.bits.append(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float));
  return outcome;
}

class Program {
public:
  Program(const xfrt_model &model, int32_t entry) : model(model), entry(entry) {
    for (const xfrt_axis *axis = model.tables->axes; axis != model.tables->axes_end; ++axis)
      ranks *= axis->ranks;
    expected = run({}, Fault::none);
  }

  /// Whether all goes well where nothing fails.
  bool isRight() const {
    return std::all_of(expected.begin(), expected.end(), [](const Outcome &of) { return of.status == XFRT_OK; });
  }

  std::vector<Outcome> run(NetworkOptions options, Fault fault) const {
    options.ranks = ranks;
    options.mostDelay = millisecond;
    LocalNetwork network(options);
    std::vector<Outcome> outcomes(static_cast<size_t>(ranks));
    network.run([&](const xfrt_communicator &communicator) {
      const bool fails = communicator.rank == failing;
      if (fails && fault == Fault::silent)
        network.compute(communicator.rank, 100 * limit * millisecond);
      outcomes[size_t(communicator.rank)] = call(model, entry, communicator, fails ? fault : Fault::none);
      outcomes[size_t(communicator.rank)].time = network.clock(communicator.rank);
    });
    lost += network.lost();
    return outcomes;
  }

  /// Lets a rank fail, and says how the others fare: all have this status, and a text of this form.
  void fail(const char *name, Fault fault, xfrt_status status, const char *form) const {
    std::vector<Outcome> outcomes = run({}, fault);
    bool isRight = true;
    for (int32_t rank = 0; rank < ranks; ++rank) {
      const Outcome &outcome = outcomes[size_t(rank)];
      if (rank == failing)
        continue;
      isRight = isRight && outcome.status == status && outcome.time <= (limit + 1000) * millisecond &&
                std::regex_match(outcome.text, std::regex(form));
      if (!isRight)
        std::printf("rank %d after %lld ms: %s: %s\n", rank, (long long)(outcome.time / millisecond),
                    xfrt_status_name(outcome.status), outcome.text.c_str());
    }
    std::printf("%s: %s: %s\n", name, xfrt_status_name(status), isRight ? "right" : "wrong");
  }

  /// Lets a rank end at each call of the transport, until it does not get that far.
  void kill() const {
    std::set<std::string> named;
    bool isRight = true, isOver = false;
    int64_t call = 0;
    for (; !isOver && call < 10000; ++call) {
      NetworkOptions options;
      options.killed = failing;
      options.killedAfter = call;
      std::vector<Outcome> outcomes = run(options, Fault::none);
      isOver = outcomes[failing].status == XFRT_OK;
      for (int32_t rank = 0; rank < ranks; ++rank)
        isRight = isRight && (rank == failing || isLostOrRight(outcomes[size_t(rank)], rank, named));
    }
    print("killed", isRight && isOver, named);
  }

  void lose() const {
    std::set<std::string> named;
    bool isRight = true;
    int64_t whole = 0, ended = 0;
    lost = 0;
    for (uint64_t seed = 0; seed < 200; ++seed) {
      NetworkOptions options;
      options.seed = seed;
      options.lostPerMillion = 10000;
      std::vector<Outcome> outcomes = run(options, Fault::none);
      for (int32_t rank = 0; rank < ranks; ++rank) {
        isRight = isRight && isLostOrRight(outcomes[size_t(rank)], rank, named);
        ++(outcomes[size_t(rank)].status == XFRT_OK ? whole : ended);
      }
    }
    print("lost", isRight && lost > 0 && whole > 0 && ended > 0, named);
  }

private:
  /// Whether a rank has its results, or says in time which ranks are late and in which exchange.
  bool isLostOrRight(const Outcome &outcome, int32_t rank, std::set<std::string> &named) const {
    if (outcome.status == XFRT_OK)
      return outcome.bits == expected[size_t(rank)].bits;
    const std::regex late("entry '(.*)': rank (\\d+): (.*): no (message from|answer of) ranks [\\d, ]+ for 1000 ms"),
        other("entry '.*': rank \\d+: (.*): expected message \\d+ of rank \\d+, got another one");
    std::smatch found;
    const bool isLate = outcome.status == XFRT_RANK_LOST && std::regex_match(outcome.text, found, late) &&
                        found[1] == model.entries[entry].name && std::stoi(found[2]) == rank;
    if (isLate)
      named.insert(found[3]);
    const bool isOther = outcome.status == XFRT_RANKS_DIFFER && std::regex_match(outcome.text, found, other);
    const bool isRight = (isLate || isOther) && outcome.time <= (limit + 1000) * millisecond;
    if (!isRight)
      std::printf("rank %d after %lld ms: %s: %s\n", rank, (long long)(outcome.time / millisecond),
                  xfrt_status_name(outcome.status), outcome.text.c_str());
    return isRight;
  }
  static void print(const char *name, bool isRight, const std::set<std::string> &named) {
    std::printf("%s: %s, in", name, isRight ? "right" : "wrong");
    for (const std::string &exchange : named)
      std::printf(" '%s'", exchange.c_str());
    std::printf("\n");
  }

  const xfrt_model &model;
  int32_t entry, ranks = 1;
  std::vector<Outcome> expected;
  mutable int64_t lost = 0; // messages so far
};

} // namespace

int main(int count, char **words) {
  tools::Failure failure;
  tools::ModelRequest request;
  request.path = count == 3 ? words[1] : "";
  const xfrt_model *model = count == 3 ? tools::loadModel(request, failure) : nullptr;
  const int32_t entry = model ? xfrt_find_entry(model, words[2]) : -1;
  if (entry < 0) {
    std::fprintf(stderr, "ranks-failures: expected a model and its entry, got others: %s\n", failure.message.c_str());
    return 2;
  }
  Program program(*model, entry);
  std::printf("nothing: %s\n", program.isRight() ? "right" : "wrong");
  program.fail("silent", Fault::silent, XFRT_RANK_LOST,
               "entry '.*': rank \\d: .*: no (message from|answer of) ranks .* for 1000 ms");
  program.fail("refuses", Fault::refuses, XFRT_BAD_BUFFER, "entry '.*': rank 1 failed: bad_buffer");
  program.fail("memory", Fault::memory, XFRT_OUT_OF_MEMORY, "entry '.*': rank 1 failed: out_of_memory");
  program.fail("object", Fault::object, XFRT_RANKS_DIFFER,
               "entry '.*': expected the program of rank 0, got another one on rank 1");
  program.fail("size", Fault::size, XFRT_RANKS_DIFFER,
               "entry '.*': expected the size '\\w+[.]0' to be \\d+, as on rank 0, got \\d+ on rank 1");
  program.kill();
  program.lose();
}

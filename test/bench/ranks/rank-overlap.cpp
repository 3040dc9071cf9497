//===- rank-overlap.cpp - Compute, wire, and both together -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs an entry of a model for several ranks, which are threads of this process, over a network whose messages take the
// time of a model: those of one rank leave one after the other, each in bytes / rate, and arrive a message's time
// later. A rank's clock is the processor time of its thread, and what it waits for messages: ranks may share a
// processor, and others use it. Compares the clock of the last rank with what the busiest one computes or sends alone.
//
// A wire as fast as a machine's beside a core that is slower would be hidden behind anything. --compute says what the
// machine of the model takes for what is computed here (`xfc explain --mesh`), and the wire is slower by as much.
//
//===----------------------------------------------------------------------===//

#include "runtime/tools/LoadModel.h"
#include "test/ranks/LocalNetwork.h"
#include "xfrt/xfrt.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>
#include <string>
#include <time.h>
#include <vector>

using namespace xfrt::tools;

namespace {

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

/// A communicator of a network, whose clock goes on by the processor time that its thread takes between calls.
class ComputingRank {
public:
  ComputingRank(xfrt::LocalNetwork &network, const xfrt_communicator &inner)
      : table{XFRT_COMMUNICATOR_VERSION, inner.rank, inner.size, 0, this, start, wait, abort, message, close},
        network(network), inner(inner) {}

  /// Begins to count, and ends.
  void begin() { last = processorTime(); }
  void end() {
    const int64_t time = processorTime() - last;
    network.compute(table.rank, time);
    computed += time;
  }

  const xfrt_communicator table;
  int64_t computed = 0; // in nanoseconds

private:
  static int64_t processorTime() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
  }
  static ComputingRank &of(void *context) { return *static_cast<ComputingRank *>(context); }

  static int start(void *context, const xfrt_peer_message *sends, int32_t sendCount, const xfrt_peer_message *receives,
                   int32_t receiveCount, void *stream, int32_t *ticket) {
    ComputingRank &rank = of(context);
    rank.end();
    int status = rank.inner.start(rank.inner.context, sends, sendCount, receives, receiveCount, stream, ticket);
    rank.begin();
    return status;
  }
  static int wait(void *context, int32_t ticket, int64_t timeout) {
    ComputingRank &rank = of(context);
    rank.end();
    int status = rank.inner.wait(rank.inner.context, ticket, timeout);
    rank.begin();
    return status;
  }
  static void abort(void *context, int code, const char *why) { of(context).inner.abort(nullptr, code, why); }
  static const char *message(void *context) { return of(context).inner.message(of(context).inner.context); }
  static void close(xfrt_communicator *) {}

  xfrt::LocalNetwork &network;
  const xfrt_communicator &inner;
  int64_t last = 0;
};

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Memory for the tensors of one side of an entry: numbers of f32 are drawn, others are 0.
struct Buffers {
  std::deque<std::vector<char>> memory;
  std::deque<std::vector<int64_t>> sizes;
  std::vector<xfrt_buffer> buffers;

  Buffers(const xfrt_tensor *tensors, int32_t count, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (const xfrt_tensor *tensor = tensors; tensor != tensors + count; ++tensor) {
      auto &shape = sizes.emplace_back();
      size_t elements = 1;
      for (int32_t d = 0; d < tensor->rank; ++d) {
        shape.push_back(tensor->dims[d].size);
        elements *= size_t(shape.back());
      }
      auto &bytes = memory.emplace_back(elements * xfrt_dtype_size(tensor->dtype) + 64);
      auto address = (reinterpret_cast<uintptr_t>(bytes.data()) + 63) / 64 * 64;
      if (tensor->dtype == XFRT_F32)
        std::generate_n(reinterpret_cast<float *>(address), elements, [&] { return uniform(random); });
      buffers.push_back(
          {reinterpret_cast<void *>(address), tensor->dtype, tensor->rank, shape.data(), nullptr, XFRT_CPU});
    }
  }
};

struct Setting {
  std::string path, entry;
  double compute = 0, bytes = 11e9, message = 15e-6;
  int rounds = 3;
};

int fail(const char *text) {
  std::fprintf(stderr, "rank-overlap: %s\n", text);
  return 1;
}

/// Of one call, in seconds: of the rank that takes most each.
struct Times {
  double compute = 0, wire = 0, together = 0;
  int64_t bytes = 0, messages = 0;

  double ratio() const { return together / std::max(compute, wire); }
};

/// Calls an entry on one rank.
void call(const xfrt_model &model, int32_t entry, ComputingRank &rank) {
  xfrt_options options{};
  options.threads = 1;
  options.communicator = &rank.table;
  xfrt_context *context = nullptr;
  const xfrt_entry &table = model.entries[entry];
  Buffers in(table.arguments, table.argument_count, uint64_t(rank.table.rank) + 1);
  Buffers out(table.results, table.result_count, 0);
  for (int32_t n = 0; n < table.result_count; ++n)
    if (table.results[n].updates >= 0)
      out.buffers[size_t(n)] = in.buffers[size_t(table.results[n].updates)];
  if (xfrt_create(&model, &options, &context) != XFRT_OK)
    std::exit(fail(xfrt_message(nullptr)));
  rank.begin();
  if (xfrt_call(context, entry, in.buffers.data(), int32_t(in.buffers.size()), out.buffers.data(),
                int32_t(out.buffers.size())) != XFRT_OK)
    std::exit(fail(xfrt_message(context)));
  rank.end();
  xfrt_destroy(context);
}

Times measure(const xfrt_model &model, int32_t entry, int32_t ranks, double secondsOfByte, double secondsOfMessage) {
  xfrt::NetworkOptions options;
  options.ranks = ranks;
  options.byteTime = int64_t(secondsOfByte * 1e12);
  options.messageTime = int64_t(secondsOfMessage * 1e9);
  xfrt::LocalNetwork network(options);
  std::vector<int64_t> computed(size_t(ranks), 0);
  network.run([&](const xfrt_communicator &communicator) {
    ComputingRank rank(network, communicator);
    call(model, entry, rank);
    computed[size_t(communicator.rank)] = rank.computed;
  });
  Times times;
  for (int32_t rank = 0; rank < ranks; ++rank) {
    times.compute = std::max(times.compute, double(computed[size_t(rank)]) * 1e-9);
    times.together = std::max(times.together, double(network.clock(rank)) * 1e-9);
    times.bytes = std::max(times.bytes, network.bytesSent(rank));
    times.messages = std::max(times.messages, network.messagesSent(rank));
  }
  times.wire = double(times.bytes) * secondsOfByte + double(times.messages) * secondsOfMessage;
  return times;
}

int measureAll(const Setting &setting) {
  Failure failure;
  ModelRequest request;
  request.path = setting.path;
  const xfrt_model *model = loadModel(request, failure);
  const int32_t entry = model ? findEntry(*model, setting.entry, false, failure) : -1;
  if (entry < 0)
    return fail(failure.message.c_str());
  int32_t ranks = 1;
  for (const xfrt_axis *axis = model->tables->axes; axis != model->tables->axes_end; ++axis)
    ranks *= axis->ranks;
  const double alone = measure(*model, entry, ranks, 0, 0).compute;
  const double slower = setting.compute > 0 ? alone / setting.compute : 1;
  std::printf("ranks            %d, a thread each; a wire %.3g times as slow as the machine's\n", ranks, slower);
  std::vector<Times> rounds;
  for (int round = 0; round < setting.rounds; ++round)
    rounds.push_back(measure(*model, entry, ranks, slower / setting.bytes, slower * setting.message));
  std::sort(rounds.begin(), rounds.end(), [](const Times &x, const Times &y) { return x.ratio() < y.ratio(); });
  const Times &times = rounds[rounds.size() / 2];
  const double longer = std::max(times.compute, times.wire);
  std::printf("compute alone    %.3f ms of the rank that computes most\n", times.compute * 1e3);
  std::printf("wire alone       %.3f ms: %lld bytes in %lld messages of the rank that sends most\n", times.wire * 1e3,
              (long long)times.bytes, (long long)times.messages);
  std::printf("together         %.3f ms\n", times.together * 1e3);
  std::printf("ratio            %.3f of the longer one; one after the other %.3f\n", times.ratio(),
              (times.compute + times.wire) / longer);
  return 0;
}

/// Reads `--name=NUMBER`. Returns false where the word is another option, or no number above 0.
bool readNumber(const std::string &word, const char *name, double &value) {
  const std::string begin = std::string("--") + name + "=";
  char *end = nullptr;
  if (word.rfind(begin, 0) != 0)
    return false;
  value = std::strtod(word.c_str() + begin.size(), &end);
  return *end == 0 && value > 0 && value < 1e30;
}

} // namespace

int main(int count, char **words) {
  Setting setting;
  bool isRight = count >= 3;
  for (int n = 3; n < count && isRight; ++n) {
    double rounds = setting.rounds;
    isRight = readNumber(words[n], "compute", setting.compute) || readNumber(words[n], "bytes", setting.bytes) ||
              readNumber(words[n], "message", setting.message) ||
              (readNumber(words[n], "rounds", rounds) && rounds >= 1 && rounds <= 1000);
    setting.rounds = int(rounds);
  }
  if (!isRight)
    return fail("usage: rank-overlap MODEL.so ENTRY [--compute=SECONDS] [--bytes=A SECOND] [--message=SECONDS] "
                "[--rounds=N]"),
           2;
  setting.path = words[1];
  setting.entry = words[2];
  return measureAll(setting);
}

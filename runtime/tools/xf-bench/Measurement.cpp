//===- Measurement.cpp - Timing of an entry -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measurement.h"
#include "../Peak.h"

#include <algorithm>
#include <math.h>
#include <memory>
#include <stdio.h>
#include <sys/resource.h>

using namespace xfrt;
using namespace xfrt::tools;

/// Times in seconds: the duration of a burst, and the minimum duration of a repetition. Both are long enough for the
/// resolution of the clocks, and so short that the processor's frequency does not change.
static constexpr double burstSeconds = 4e-3, shortestRepetition = 4e-3;

/// The largest ratio of the median repetition to the fastest one. If the ratio is larger, the measurement counts as
/// disturbed by other programs.
static constexpr double mostSpread = 1.2;

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

static double median(std::vector<double> values) {
  size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + int64_t(middle), values.end());
  if (values.size() % 2)
    return values[middle];
  return (values[middle] + *std::max_element(values.begin(), values.begin() + int64_t(middle))) / 2;
}

static bool isOnGpu(const xfrt_context *context) { return xfrt_selected_model(context)->device == XFRT_CUDA; }

/// Sets `seconds` to the mean time of a call over `calls` calls. With several ranks, this is the mean time on the
/// slowest rank. If there is one rank with one thread, measures CPU time. Otherwise measures wall-clock time, which
/// includes the time that ranks wait for each other.
static bool timeCalls(EntryCall &call, xfrt_context *context, const Ranks &ranks, int64_t calls, double &seconds,
                      Failure &failure) {
  bool single = xfrt_threads(context) == 1 && !isOnGpu(context) && ranks.size() == 1;
  ranks.largest(0); // all begin together
  double begin = single ? threadSeconds() : wallSeconds();
  for (int64_t i = 0; i < calls; ++i)
    if (!call.run(context, failure)) {
      ranks.abort();
      return false;
    }
  seconds = ranks.largest(((single ? threadSeconds() : wallSeconds()) - begin) / double(calls));
  return true;
}

static bool usesHalves(const EntryCall &call) {
  return std::any_of(call.argumentSpecs.begin(), call.argumentSpecs.end(),
                     [](const TensorSpec &spec) { return spec.dtype == XFRT_F16 || spec.dtype == XFRT_BF16; });
}

/// Returns the peak resident set size of this process in bytes. Prefers /proc to getrusage, because a process inherits
/// the value of getrusage from its parent.
static int64_t peakResidentBytes() {
  std::unique_ptr<FILE, decltype(&fclose)> status(fopen("/proc/self/status", "r"), fclose);
  char line[256];
  long long kilobytes = 0;
  while (status && fgets(line, sizeof(line), status.get()))
    if (sscanf(line, "VmHWM: %lld kB", &kilobytes) == 1)
      return int64_t(kilobytes) * 1024;
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return int64_t(usage.ru_maxrss) * 1024;
}

static void addStatics(const EntryCall &call, const xfrt_context *context, Measurement &measurement) {
  measurement.entry = call.entry.name;
  measurement.target = isOnGpu(context) ? "cuda" : "cpu";
  if (isOnGpu(context))
    measurement.device =
        std::string(xfrt_device_name(context)) + ", kernels for " + xfrt_selected_model(context)->features;
  measurement.flop = call.entry.flop;
  measurement.pairs = call.entry.pairs;
  measurement.executedPairs = xfrt_selected_model(context)->entries[call.index].executed_pairs;
  measurement.peakRssBytes = peakResidentBytes();
}

bool xfrt::tools::measure(EntryCall &call, xfrt_context *context, const Ranks &ranks, int64_t repetitions,
                          Measurement &measurement, Failure &failure) {
  int threads = xfrt_threads(context);
  double warm;
  // The first call verifies the arguments.
  if (!ranks.agreeOnCall(call.run(context, failure)) || !timeCalls(call, context, ranks, 1, warm, failure))
    return false;
  // The time, and so the number, is the same on all ranks.
  int64_t calls = std::clamp(int64_t(ceil(shortestRepetition / std::max(warm, 1e-7))), int64_t(1), int64_t(100000));
  PeakKind own = usesHalves(call) && hasPeak(PeakKind::BF16) ? PeakKind::BF16 : PeakKind::F32;
  std::vector<double> times, fractions, peaks, halfPeaks;
  cpu::Bursts bursts;
  const double given = givenPeak().gflops;
  auto peak = [&](PeakKind kind) {
    if (isOnGpu(context) || (kind == PeakKind::F32 && given > 0))
      return isOnGpu(context) ? 0 : given;
    const cpu::Burst burst = measurePeak(kind, threads, burstSeconds);
    if (kind == PeakKind::F32)
      bursts.add(burst);
    return burst.gflops;
  };
  double before = peak(PeakKind::F32);
  for (int64_t i = 0; i < repetitions; ++i) {
    double seconds;
    if (!timeCalls(call, context, ranks, calls, seconds, failure))
      return false;
    double after = peak(PeakKind::F32);
    times.push_back(seconds);
    peaks.push_back((before + after) / 2);
    fractions.push_back(peaks.back() > 0 ? call.entry.flop / seconds * 1e-9 / peaks.back() : 0);
    before = after;
    if (usesHalves(call))
      halfPeaks.push_back(own == PeakKind::F32 ? peaks.back() : peak(own));
  }
  measurement.ranks = ranks.size();
  measurement.threads = threads;
  measurement.repetitions = repetitions;
  measurement.secondsMin = *std::min_element(times.begin(), times.end());
  measurement.secondsMedian = median(times);
  measurement.gflops = call.entry.flop / measurement.secondsMedian * 1e-9;
  measurement.peakGflops = median(peaks);
  measurement.peakGflopsBf16 = halfPeaks.empty() ? 0 : median(halfPeaks);
  measurement.fractionOfPeak = median(fractions);
  measurement.secondsSpread = measurement.secondsMedian / measurement.secondsMin;
  measurement.peakSpread = bursts.spread();
  measurement.isDisturbed = bursts.areDisturbed() || measurement.secondsSpread > mostSpread;
  addStatics(call, context, measurement);
  return true;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void xfrt::tools::printTable(const Measurement &m) {
  std::string ranks = m.ranks == 1 ? "" : std::to_string(m.ranks) + " ranks, ";
  printf("entry            %s (%s, %s%d thread%s, %lld repetitions)\n", m.entry.c_str(), m.target.c_str(),
         ranks.c_str(), m.threads, m.threads == 1 ? "" : "s", (long long)m.repetitions);
  if (!m.device.empty())
    printf("device           %s\n", m.device.c_str());
  printf("seconds          %.6g min, %.6g median\n", m.secondsMin, m.secondsMedian);
  if (m.target == "cpu")
    printf("GFLOP/s          %.4g of %.4g, fraction of the f32 FMA peak %.3f\n", m.gflops, m.peakGflops,
           m.fractionOfPeak);
  else
    printf("GFLOP/s          %.4g\n", m.gflops);
  printf("spread           seconds %.3f (median over min)", m.secondsSpread);
  if (m.target == "cpu")
    printf(", peak %.3f (max over min)", m.peakSpread);
  printf("\n%s", m.isDisturbed ? "this machine is busy: fractions of the peak are not to be trusted\n" : "");
  if (m.peakGflopsBf16 > 0)
    printf("bf16 peak        %.4g GFLOP/s\n", m.peakGflopsBf16);
  printf("FLOP             %.6g\n", m.flop);
  printf("pairs            %.0f real, %.0f executed%s", m.pairs, m.executedPairs, m.pairs > 0 ? "" : "\n");
  if (m.pairs > 0)
    printf(" (%.3f)\n", m.executedPairs / m.pairs);
  printf("workspace        %lld bytes\n", (long long)m.workspaceBytes);
  printf("peak memory      %lld bytes\n", (long long)m.peakRssBytes);
}

static std::string quote(const std::string &text) {
  std::string quoted = "\"";
  for (unsigned char c : text) {
    char escape[8];
    snprintf(escape, sizeof(escape), "\\u%04x", c);
    quoted += c < 0x20 ? escape : c == '"' || c == '\\' ? std::string("\\") + char(c) : std::string(1, char(c));
  }
  return quoted + '"';
}

std::string xfrt::tools::toJson(const Measurement &m) {
  std::string json = "{\"entry\": " + quote(m.entry) + ", \"target\": " + quote(m.target);
  if (!m.device.empty())
    json += ", \"device\": " + quote(m.device);
  auto whole = [&](const char *key, int64_t value) {
    json += std::string(", \"") + key + "\": " + std::to_string(value);
  };
  auto real = [&](const char *key, double value) {
    char text[64];
    snprintf(text, sizeof(text), ", \"%s\": %.9g", key, value);
    json += text;
  };
  auto exact = [&](const char *key, double value) {
    char text[512];
    snprintf(text, sizeof(text), ", \"%s\": %.0f", key, value);
    json += text;
  };
  if (m.ranks > 1)
    whole("ranks", m.ranks);
  whole("threads", m.threads);
  whole("repetitions", m.repetitions);
  real("seconds_min", m.secondsMin);
  real("seconds_median", m.secondsMedian);
  exact("flop", m.flop);
  real("gflops", m.gflops);
  real("peak_gflops", m.peakGflops);
  if (m.peakGflopsBf16 > 0)
    real("peak_gflops_bf16", m.peakGflopsBf16);
  real("fraction_of_peak", m.fractionOfPeak);
  real("seconds_spread", m.secondsSpread);
  real("peak_spread", m.peakSpread);
  json += std::string(", \"machine_is_busy\": ") + (m.isDisturbed ? "true" : "false");
  exact("pairs", m.pairs);
  exact("executed_pairs", m.executedPairs);
  whole("workspace_bytes", m.workspaceBytes);
  whole("peak_rss_bytes", m.peakRssBytes);
  return json + "}\n";
}

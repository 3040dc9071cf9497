//===- Profile.cpp - Where the time of calls went -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profile.h"
#include "../Tables.h"
#include "TextFile.h"

#include <atomic>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

using namespace xfrt;

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

bool Profile::start(const xfrt_model &model, int32_t rank, int32_t threads, Peak peak, Profile *&profile) {
  static std::atomic<int32_t> handles{0};
  profile = nullptr;
  const char *name = getenv("XFRT_PROFILE");
  if (!name || !*name || (rank > 0 && strcmp(name, "-") == 0)) // rank 0 prints
    return true;
  size_t count = 0, length = strlen(name);
  for (int32_t i = 0; i < model.entry_count; ++i)
    count += 1 + size_t(model.entries[i].step_count);
  auto *made = static_cast<Profile *>(malloc(sizeof(Profile)));
  auto *times = static_cast<Time *>(calloc(count + 1, sizeof(Time)));
  const int32_t handle = handles.fetch_add(1) + 1;
  RecordFile file;
  if (!made || !times || !(strcmp(name, "-") == 0 ? file.openOutput() : file.open(name, rank, handle))) {
    free(made);
    free(times);
    return false;
  }
  made->model = &model;
  made->threads = threads;
  made->file = file;
  made->isJson = length > 5 && strcmp(name + length - 5, ".json") == 0;
  made->peak = peak;
  made->times = times;
  profile = made;
  return true;
}

Profile::Time *Profile::timesOf(const xfrt_entry &entry) const {
  Time *place = times;
  for (const xfrt_entry *before = model->entries; before != &entry; ++before)
    place += 1 + before->step_count;
  return place;
}

void Profile::addStep(const xfrt_entry &entry, int32_t step, int64_t nanoseconds) {
  Time &time = timesOf(entry)[1 + step];
  ++time.count;
  time.nanoseconds += nanoseconds;
}

void Profile::addCall(const xfrt_entry &entry, int64_t nanoseconds) {
  Time &time = *timesOf(entry);
  ++time.count;
  time.nanoseconds += nanoseconds;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static const char *nameOf(const xfrt_entry &entry, const xfrt_step &step) {
  switch (step.kind) {
  case XFRT_COPY:
    return "copy";
  case XFRT_COLLECTIVE:
    return "send";
  case XFRT_WAIT:
    return "receive";
  default: // XFRT_LAUNCH; checkModel knows no other
    return entry.launches[step.index].name;
  }
}

/// Adds up the steps of an entry that ran, in one group for each name and source. Sorts groups by time, the longest
/// first. Returns the number of groups.
int32_t Profile::groupSteps(const xfrt_entry &entry, Group *groups) const {
  const Time *steps = timesOf(entry) + 1;
  int32_t count = 0;
  for (int32_t i = 0; i < entry.step_count; ++i) {
    if (steps[i].count == 0)
      continue;
    const xfrt_step &step = entry.steps[i];
    const char *name = nameOf(entry, step);
    const xfrt_work *work = workOf(*model, entry, i);
    const char *source = work ? work->source : "";
    int32_t found = 0;
    while (found < count && (strcmp(groups[found].name, name) != 0 || strcmp(groups[found].source, source) != 0))
      ++found;
    if (found == count)
      groups[count++] = {name, source, 0, 0, {0, 0}};
    Group &group = groups[found];
    auto times = double(steps[i].count);
    auto sum = [&](double &all, double one) { all = all < 0 || one < 0 ? -1 : all + one * times; };
    sum(group.flop, work ? work->flop : -1);
    sum(group.bytes, work ? work->bytes : -1);
    group.time.count += steps[i].count;
    group.time.nanoseconds += steps[i].nanoseconds;
  }
  qsort(groups, size_t(count), sizeof(Group), [](const void *x, const void *y) {
    int64_t left = static_cast<const Group *>(x)->time.nanoseconds,
            right = static_cast<const Group *>(y)->time.nanoseconds;
    return int(left < right) - int(left > right);
  });
  return count;
}

/// Writes a number in a column of `width` characters, or "-" if it is negative.
static void writeColumn(TextFile &file, int width, int digits, double number) {
  file.put(' ');
  if (number < 0)
    file.format("%*s", width, "-");
  else
    file.format("%*.*f", width, digits, number);
}

void Profile::writeTable(TextFile &file, const xfrt_entry &entry, const Group *groups, int32_t count) const {
  const Time &calls = *timesOf(entry);
  auto all = double(calls.nanoseconds > 0 ? calls.nanoseconds : 1);
  int nameWidth = 5, sourceWidth = 6; // of "other" and "source"
  for (int32_t i = 0; i < count; ++i) {
    nameWidth = int(strlen(groups[i].name)) > nameWidth ? int(strlen(groups[i].name)) : nameWidth;
    sourceWidth = int(strlen(groups[i].source)) > sourceWidth ? int(strlen(groups[i].source)) : sourceWidth;
  }
  auto begin = [&](const char *name, const char *source) {
    file.padded(name, nameWidth + 2);
    file.padded(source, sourceWidth);
  };
  auto end = [&](int64_t nanoseconds, double flop, double bytes) {
    auto time = double(nanoseconds > 0 ? nanoseconds : 1);
    writeColumn(file, 11, 3, double(nanoseconds) * 1e-6);
    writeColumn(file, 8, 2, double(nanoseconds) / all * 100);
    writeColumn(file, 9, 2, flop > 0 ? flop / time : -1);
    writeColumn(file, 9, 2, bytes > 0 ? bytes / time : -1);
    writeColumn(file, 9, 3, flop > 0 && peak.gflops > 0 ? flop / time / peak.gflops : -1);
    file.put('\n');
  };
  begin("op", "source");
  file.format(" %9s %11s %8s %9s %9s %9s\n", "runs", "ms", "share %", "GFLOP/s", "GB/s", "of peak");
  int64_t rest = calls.nanoseconds;
  double flop = 0;
  for (int32_t i = 0; i < count; ++i) {
    const Group &group = groups[i];
    rest -= group.time.nanoseconds;
    flop += group.flop > 0 ? group.flop : 0;
    begin(group.name, group.source);
    file.format(" %9" PRId64, group.time.count);
    end(group.time.nanoseconds, group.flop, group.bytes);
  }
  begin("other", "");
  file.padded("", 10);
  end(rest > 0 ? rest : 0, -1, -1);
  begin(entry.name, "");
  file.format(" %9" PRId64, calls.count);
  end(calls.nanoseconds, flop, -1);
}

void Profile::writeJson(TextFile &file, const xfrt_entry &entry, const Group *groups, int32_t count) const {
  const Time &calls = *timesOf(entry);
  auto member = [&](const char *name, double number) {
    if (number >= 0)
      file.format(",\"%s\":%.0f", name, number);
  };
  file.format("{\"entry\":");
  file.string(entry.name);
  file.format(",\"calls\":%" PRId64 ",\"nanoseconds\":%" PRId64 ",\"steps\":[", calls.count, calls.nanoseconds);
  for (int32_t i = 0; i < count; ++i) {
    const Group &group = groups[i];
    file.format(i ? ",\n{\"op\":" : "\n{\"op\":");
    file.string(group.name);
    file.format(",\"source\":");
    file.string(group.source);
    file.format(",\"runs\":%" PRId64 ",\"nanoseconds\":%" PRId64, group.time.count, group.time.nanoseconds);
    member("flop", group.flop);
    member("bytes", group.bytes);
    file.put('}');
  }
  file.format("]}");
}

void Profile::write(TextFile &file, Group *groups) const {
  if (isJson) {
    file.format("{\"model\":");
    file.string(model->name);
    file.format(",\"threads\":%" PRId32, threads);
    if (peak.gflops > 0)
      file.format(",\"peak_gflops\":%.2f,\"peak_is_measured\":%s,\"machine_is_busy\":%s", peak.gflops,
                  peak.isMeasured ? "true" : "false", peak.isDisturbed ? "true" : "false");
    file.format(",\"entries\":[");
  } else {
    file.format("profile of ");
    file.padded(model->name, 0);
    if (threads > 0)
      file.format(": %" PRId32 " thread%s", threads, threads == 1 ? "" : "s");
    else
      file.format(": on a GPU");
    if (peak.gflops > 0)
      file.format(", %s peak of %.1f GFLOP/s", peak.isMeasured ? "measured" : "given", peak.gflops);
    file.put('\n');
  }
  bool isFirst = true;
  for (int32_t i = 0; i < model->entry_count; ++i) {
    const xfrt_entry &entry = model->entries[i];
    if (timesOf(entry)->count == 0)
      continue;
    int32_t count = groupSteps(entry, groups);
    if (isJson) {
      file.format(isFirst ? "\n" : ",\n");
      writeJson(file, entry, groups, count);
    } else {
      file.put('\n');
      writeTable(file, entry, groups, count);
    }
    isFirst = false;
  }
  if (isJson)
    file.format("\n]}\n");
  else if (peak.isDisturbed)
    file.format("\nthis machine is busy: fractions of the peak are not to be trusted\n");
}

xfrt_status Profile::finish(Profile *profile, Message &message) {
  if (!profile)
    return XFRT_OK;
  size_t most = 1;
  for (int32_t i = 0; i < profile->model->entry_count; ++i)
    if (size_t(profile->model->entries[i].step_count) > most)
      most = size_t(profile->model->entries[i].step_count);
  bool isGood = false;
  if (auto *groups = static_cast<Group *>(malloc(most * sizeof(Group)))) { // sets errno otherwise
    fflush(stdout); // what the program has printed before comes before
    TextFile file(profile->file.file);
    profile->write(file, groups);
    free(groups);
    isGood = file.flush();
  }
  const xfrt_status status = profile->file.close(isGood, "profile", message);
  free(profile->times);
  free(profile);
  return status;
}

void Profile::abandon(Profile *profile) {
  if (!profile)
    return;
  profile->file.abandon();
  free(profile->times);
  free(profile);
}

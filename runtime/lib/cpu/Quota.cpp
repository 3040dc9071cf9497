//===- Quota.cpp - How much of the CPUs a container may use ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the quotas of CPU time of this process's control groups. /proc/self/cgroup lists the groups of the process, and
// /proc/self/mountinfo lists mounts: folders with the files of groups.
//
//   version   line of cgroup                  line of mountinfo
//   2         0::/docker/abc                  37 30 0:26 / /sys/fs/cgroup .. - cgroup2 cgroup2 rw
//   1         4:cpu,cpuacct:/docker/abc       40 30 0:29 /docker/abc /sys/fs/cgroup/cpu .. - cgroup cgroup rw,cpu
//
// The fourth word of a mount is the group that its folder (the fifth word) shows. The rest of the path of the process's
// group is a path below this folder. Every folder on that path may have a quota; the least quota counts.
//
//===----------------------------------------------------------------------===//

#include "Quota.h"

#include <algorithm>
#include <climits>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

using namespace xfrt;

namespace {
constexpr int32_t noQuota = INT32_MAX;

/// The path of a file or folder. A path that is too long is replaced by the empty path.
struct Path {
  char text[PATH_MAX] = "";

  Path(const char *first, const char *second, const char *third = "") {
    if (snprintf(text, sizeof text, "%s%s%s", first, second, third) >= int(sizeof text))
      text[0] = '\0';
  }
  /// Removes the last name of the path. Returns false, and changes nothing, if fewer than `shortest` characters remain.
  bool goUp(size_t shortest) {
    char *slash = strrchr(text, '/');
    if (!slash || size_t(slash - text) < shortest)
      return false;
    *slash = '\0';
    return true;
  }
};

/// The lines of a file. A file that cannot be read has none.
class Lines {
public:
  explicit Lines(const char *path) : file(fopen(path, "re")) {}
  ~Lines() {
    if (file)
      fclose(file);
  }
  Lines(const Lines &) = delete;
  Lines &operator=(const Lines &) = delete;

  /// Returns the next line without its end, or null at the end of the file.
  char *next() {
    if (!file || !fgets(line, sizeof line, file))
      return nullptr;
    line[strcspn(line, "\n")] = '\0';
    return line;
  }

private:
  FILE *file;
  char line[3 * PATH_MAX];
};

/// A version of control groups: how to find its hierarchy that has quotas of CPUs, and how to read a quota.
struct Version {
  bool (*isOwn)(const char *controllers); ///< whether a line of /proc/self/cgroup is of this version
  const char *fileSystem;
  bool (*isMounted)(const char *options); ///< whether a line of /proc/self/mountinfo has this version
  int32_t (*quotaOf)(const char *folder);
};
} // namespace

/// Returns whether `list`, words separated by commas, has the word "cpu".
static bool hasCpu(const char *list) {
  for (const char *word = list; *word;) {
    const size_t length = strcspn(word, ",");
    if (length == 3 && strncmp(word, "cpu", 3) == 0)
      return true;
    word += length + (word[length] == ',');
  }
  return false;
}

static int32_t cpusOf(int64_t quota, int64_t period) {
  if (quota <= 0 || period <= 0)
    return noQuota;
  return int32_t(std::clamp<int64_t>((quota - 1) / period + 1, 1, noQuota));
}

/// Reads the quota of a group of version 2 from cpu.max, which has a line such as "max 100000" or "150000 100000".
static int32_t quotaOfVersion2(const char *folder) {
  int64_t quota = 0, period = 100000;
  Lines lines(Path(folder, "/cpu.max").text);
  const char *line = lines.next();
  return line && sscanf(line, "%" SCNd64 " %" SCNd64, &quota, &period) >= 1 ? cpusOf(quota, period) : noQuota;
}

/// Reads the quota of a group of version 1 from two files. A quota of -1 means that there is none.
static int32_t quotaOfVersion1(const char *folder) {
  int64_t quota = 0, period = 0;
  Lines quotas(Path(folder, "/cpu.cfs_quota_us").text), periods(Path(folder, "/cpu.cfs_period_us").text);
  const char *first = quotas.next(), *second = periods.next();
  const bool areThere =
      first && second && sscanf(first, "%" SCNd64, &quota) == 1 && sscanf(second, "%" SCNd64, &period) == 1;
  return areThere ? cpusOf(quota, period) : noQuota;
}

static const Version versions[] = {
    {[](const char *controllers) { return *controllers == '\0'; }, "cgroup2", [](const char *) { return true; },
     quotaOfVersion2},
    {hasCpu, "cgroup", hasCpu, quotaOfVersion1},
};

/// Sets `group` to the path of the process's control group. Returns false if it has none.
static bool findGroup(const char *root, const Version &version, Path &group) {
  Lines lines(Path(root, "/proc/self/cgroup").text);
  while (char *line = lines.next()) {
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : nullptr;
    if (!path)
      continue;
    *path++ = '\0';
    if (!version.isOwn(controllers + 1))
      continue;
    group = Path(path, "");
    return true;
  }
  return false;
}

/// Returns the part of the path `group` after the prefix `mounted`, the path of the group that a mount shows. Returns
/// "" if `mounted` is no prefix of `group`. This happens in a name space, where paths may differ from those of the
/// mount.
static const char *below(const char *group, const char *mounted) {
  const size_t length = strcmp(mounted, "/") == 0 ? 0 : strlen(mounted);
  const bool isBelow = strncmp(group, mounted, length) == 0 && (group[length] == '/' || group[length] == '\0');
  return isBelow && !strstr(group, "/..") && strcmp(group + length, "/") != 0 ? group + length : "";
}

/// Returns the least quota of a group and of the groups that contain it, as far as `mount` shows them.
static int32_t leastQuota(const Version &version, const Path &mount, const char *group) {
  int32_t least = noQuota;
  Path folder(mount.text, group);
  do
    least = std::min(least, version.quotaOf(folder.text));
  while (folder.goUp(strlen(mount.text)));
  return least;
}

static int32_t quotaIn(const char *root, const Version &version) {
  Path group("", "");
  if (!findGroup(root, version, group))
    return noQuota;
  Lines lines(Path(root, "/proc/self/mountinfo").text);
  while (char *line = lines.next()) {
    char *rest = strstr(line, " - "), *words = line, *mounted = nullptr, *folder = nullptr;
    if (!rest)
      continue;
    *rest = '\0';
    for (int word = 0; word < 3 && words; ++word)
      words = strchr(words, ' ') ? strchr(words, ' ') + 1 : nullptr;
    mounted = words ? strsep(&words, " ") : nullptr;
    folder = words ? strsep(&words, " ") : nullptr;
    char *system = rest + 3, *fileSystem = strsep(&system, " ");
    const char *options = system ? strchr(system, ' ') : nullptr; // behind the name of the source
    if (folder && options && strcmp(fileSystem, version.fileSystem) == 0 && version.isMounted(options + 1))
      return leastQuota(version, Path(root, folder), below(group.text, mounted));
  }
  return noQuota;
}

int32_t cpu::cpusOfQuota(const char *root) {
  int32_t least = noQuota;
  for (const Version &version : versions)
    least = std::min(least, quotaIn(root, version));
  return least;
}

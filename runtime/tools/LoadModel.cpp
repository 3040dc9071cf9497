//===- LoadModel.cpp - Compiling and loading models -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadModel.h"
#include "../support/NearestWord.h"
#include "RunOptions.h"

#include <algorithm>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using namespace xfrt::tools;

//===----------------------------------------------------------------------===//
// Programs beside this one
//===----------------------------------------------------------------------===//

static std::string siblingPath(const char *name) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof(self));
  std::string path(self, length > 0 ? size_t(length) : 0);
  return path.substr(0, path.rfind('/') + 1) + name;
}

void xfrt::tools::runSibling(const char *name, char **argv, Failure &failure) {
  std::string path = siblingPath(name);
  argv[0] = path.data();
  execv(path.c_str(), argv);
  failure.set(exitInternal, "cannot start '" + path + "': " + strerror(errno));
}

/// Runs a program, waits for its end and returns its exit code. If it could not start or was killed, sets `failure` and
/// returns -1.
static int runProgram(std::vector<std::string> arguments, Failure &failure) {
  std::vector<char *> argv;
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child;
  int error = posix_spawn(&child, argv[0], nullptr, nullptr, argv.data(), environ), status = 0;
  if (error != 0) {
    failure.set(exitInternal, "cannot start '" + arguments[0] + "': " + strerror(error));
    return -1;
  }
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) {
      failure.set(exitInternal, "cannot wait for '" + arguments[0] + "': " + strerror(errno));
      return -1;
    }
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  failure.set(exitInternal, "'" + arguments[0] + "' was ended by signal " + std::to_string(WTERMSIG(status)));
  return -1;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

namespace {
/// A temporary folder for the compiled object. The destructor removes the folder and its contents.
class TemporaryFolder {
public:
  bool create(Failure &failure) {
    const char *base = getenv("TMPDIR");
    path = std::string(base && *base ? base : "/tmp") + "/xf-XXXXXX";
    if (mkdtemp(path.data()))
      return true;
    std::string reason = "cannot create a folder '" + path + "': " + strerror(errno);
    path.clear();
    return failure.set(exitFailure, reason);
  }
  ~TemporaryFolder() {
    DIR *folder = path.empty() ? nullptr : opendir(path.c_str());
    if (!folder)
      return;
    while (dirent *entry = readdir(folder))
      unlink((path + "/" + entry->d_name).c_str());
    closedir(folder);
    rmdir(path.c_str());
  }
  std::string path;
};
} // namespace

static bool endsWith(const std::string &text, const char *suffix) {
  size_t length = strlen(suffix);
  return text.size() >= length && text.compare(text.size() - length, length, suffix) == 0;
}

/// Returns whether the file is a program that xfc has to compile: MLIR as text or as bytecode.
static bool isProgram(const std::string &path) { return endsWith(path, ".mlir") || endsWith(path, ".mlirbc"); }

/// Returns the value of xfc's --gpu-arch for a GPU of compute capability `architecture` (90 for 9.0). If xfc can
/// compile for the GPU's own architecture, returns this. If not, returns "sm_80", because later GPUs run code for
/// sm_80, too.
static std::string compilerName(int32_t architecture) {
  if (architecture == 90)
    return "sm_90a";
  return architecture == 86 || architecture == 89 ? "sm_" + std::to_string(architecture) : "sm_80";
}

bool xfrt::tools::chooseDevice(const std::string &target, ModelRequest &request, Failure &failure) {
  request.device = target == "cuda" ? XFRT_CUDA : XFRT_CPU;
  int32_t architecture = 0;
  if (xfrt_find_device(request.device, 0, &architecture) != XFRT_OK)
    return failure.set(exitNoDevice, std::string("no CUDA device: ") + xfrt_message(nullptr));
  if (request.device == XFRT_CPU || !isProgram(request.path))
    return true;
  auto &options = request.compilerOptions;
  bool isGiven = std::any_of(options.begin(), options.end(),
                             [](const std::string &option) { return option.rfind("--gpu-arch=", 0) == 0; });
  options.push_back("--target=cuda");
  if (!isGiven)
    options.push_back("--gpu-arch=" + compilerName(architecture));
  return true;
}

/// The target for which xfc must compile so that this process can load the object, whatever processor xfc itself was
/// built for.
#if defined(__x86_64__)
static constexpr const char *ownTriple = "--target-triple=x86_64-linux-gnu";
#elif defined(__aarch64__)
static constexpr const char *ownTriple = "--target-triple=aarch64-linux-gnu";
#else
#error "expected x86-64 or AArch64"
#endif

static bool compile(const ModelRequest &request, const std::string &object, Failure &failure) {
  if (request.vjp && request.entry.empty())
    return failure.set(exitUsage, "expected --entry=NAME with --vjp");
  std::string source = request.path[0] == '-' ? "./" + request.path : request.path;
  std::vector<std::string> arguments = {siblingPath("xfc"), source, "--emit=shared", "-o", object, ownTriple};
  if (request.vjp)
    arguments.push_back("--vjp=" + request.entry);
  arguments.insert(arguments.end(), request.compilerOptions.begin(), request.compilerOptions.end());
  int code = runProgram(std::move(arguments), failure);
  if (code > 0) // xfc has printed the reason
    return failure.set(code, "");
  return code == 0;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static const xfrt_model *openObject(const std::string &path, Failure &failure) {
  struct stat info;
  const char *problem = stat(path.c_str(), &info) != 0 ? strerror(errno)
                        : S_ISREG(info.st_mode)        ? nullptr
                                                       : "expected a file";
  if (problem) {
    failure.set(exitFailure, "cannot open '" + path + "': " + problem);
    return nullptr;
  }
  // dlopen would search the system's folders for a name without a slash.
  void *object = dlopen((path.find('/') == std::string::npos ? "./" + path : path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object) {
    const char *reason = dlerror();
    failure.set(exitFailure, std::string("cannot load: ") + (reason ? reason : path.c_str()));
    return nullptr;
  }
  auto *symbol = static_cast<const xfrt_model *const *>(dlsym(object, "xfrt_shared_model"));
  if (!symbol || !*symbol) {
    failure.set(exitFailure,
                "'" + path + "': expected an object of xfc --emit=shared, got one without 'xfrt_shared_model'");
    return nullptr;
  }
  return *symbol;
}

/// Verifies the tables of a model, and that the object has code for the requested kind of device. Returns `model`, or
/// null on failure. An object for another kind of device is a mistake of the user, so that it fails with exitFailure
/// and not with exitNoDevice.
static const xfrt_model *checkModel(const xfrt_model *model, const ModelRequest &request, Failure &failure) {
  if (!model)
    return nullptr;
  if (xfrt_status status = xfrt_check_model(model, request.verify)) {
    failure.set(exitCodeOf(status), "'" + request.path + "': " + xfrt_message(nullptr));
    return nullptr;
  }
  const xfrt_model *found = model;
  while (found && found->device != request.device)
    found = found->next;
  if (found)
    return model;
  failure.set(exitFailure, "'" + request.path + "': expected an object with code for " +
                               (request.device == XFRT_CUDA ? "GPUs; compile it with --target=cuda" : "the CPU"));
  return nullptr;
}

const xfrt_model *xfrt::tools::loadModel(const ModelRequest &request, Failure &failure) {
  if (!isProgram(request.path)) {
    if (request.compilerOptions.empty())
      return checkModel(openObject(request.path, failure), request, failure);
    failure.set(exitUsage, "expected a .mlir with '" + request.compilerOptions[0] + "', got '" + request.path + "'");
    return nullptr;
  }
  TemporaryFolder folder;
  if (!folder.create(failure))
    return nullptr;
  std::string object = folder.path + "/model.so";
  return compile(request, object, failure) ? checkModel(openObject(object, failure), request, failure) : nullptr;
}

int32_t xfrt::tools::findEntry(const xfrt_model &model, const std::string &entry, bool vjp, Failure &failure) {
  std::vector<std::string> names, plain;
  for (int32_t i = 0; i < model.entry_count; ++i) {
    names.push_back(model.entries[i].name);
    if (!endsWith(names.back(), "_vjp"))
      plain.push_back(names.back());
  }
  std::string all;
  for (const std::string &name : names)
    all += (all.empty() ? "" : ", ") + name;
  if (entry.empty() && plain.size() != 1) {
    failure.set(exitUsage, "expected --entry=NAME, one of " + all);
    return -1;
  }
  std::string wanted = entryName(entry.empty() ? plain[0] : entry, vjp);
  int32_t index = xfrt_find_entry(&model, wanted.c_str());
  if (index < 0)
    failure.set(exitUsage, "expected an entry of " + all + ", got '" + wanted + "'" + xfrt::suggestion(wanted, names));
  return index;
}

int xfrt::tools::exitCodeOf(xfrt_status status) {
  switch (status) {
  case XFRT_OK:
    return exitSuccess;
  case XFRT_MISSING_FEATURES:
  case XFRT_NO_DRIVER:
  case XFRT_OLD_DRIVER:
  case XFRT_NO_DEVICE:
  case XFRT_WRONG_ARCHITECTURE:
    return exitNoDevice;
  case XFRT_RANK_LOST:
    return exitRankLost;
  case XFRT_BAD_MODEL:
  case XFRT_BAD_HOOK:
  case XFRT_BUSY:
    return exitInternal;
  default:
    return exitFailure;
  }
}

//===- ModuleFunctions.cpp - Kernels and launches -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/Coverage.h"
#include "test/ptx/driver/Streams.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace xf;
using namespace xf::sim;

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// PTX 7.n came with CUDA 11.n, 8.n with 12.n (or later) and so on.
static bool knowsPtx(int driver, const ptx::Module &code) {
  int major = driver / 1000 - 4, minor = driver % 1000 / 10;
  return int(code.majorVersion) < major || (int(code.majorVersion) == major && int(code.minorVersion) <= minor);
}

static bool runsTarget(int capability, const std::string &target) {
  int wanted = atoi(target.c_str() + 3);
  return target.back() == 'a' ? capability == wanted : capability >= wanted;
}

/// Fills the caller's log where the options name one (5: the buffer, 6: its size).
static void writeLog(unsigned count, const int *options, void **values, const std::string &text) {
  char *buffer = nullptr;
  size_t bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == 5)
      buffer = static_cast<char *>(values[i]);
    if (options[i] == 6)
      bytes = reinterpret_cast<size_t>(values[i]);
  }
  if (buffer && bytes)
    snprintf(buffer, bytes, "%s", text.c_str());
}

/// A file that cannot be read must not pass for one with nothing wrong in it.
static std::string contents(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file || text.str().empty()) {
    say("XF_SIM_PTX: cannot read '%s'", path.c_str());
    abort();
  }
  return text.str();
}

static Result load(const Settings &settings, const char *image, std::unique_ptr<ptx::Module> &code, std::string &log) {
  if (memcmp(image,
             "\x7f"
             "ELF",
             4) == 0)
    return noBinaryForGpu; // a machine of PTX runs no machine code
  code = settings.ptx.empty() ? ptx::Module::parse(image, "image.ptx", log)
                              : ptx::Module::parse(contents(settings.ptx), settings.ptx, log);
  if (!code)
    return invalidPtx;
  if (!knowsPtx(settings.driver, *code))
    return unsupportedPtxVersion;
  return runsTarget(settings.capability, code->target) ? success : noBinaryForGpu;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static std::vector<uint8_t> collect(const ptx::Kernel &kernel, void **parameters) {
  std::vector<uint8_t> bytes(kernel.parameterBytes);
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    memcpy(&bytes[kernel.parameters[i].offset], parameters[i], kernel.parameters[i].size);
  return bytes;
}

extern "C" {

Result cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values) {
  Call call("cuModuleLoadDataEx", Call::InContext);
  if (call.failure())
    return call.failure();
  auto made = std::make_unique<Module>();
  std::string log;
  Result result = load(call.state.settings, static_cast<const char *>(image), made->code, log);
  if (!log.empty())
    writeLog(count, options, values, log);
  if (result)
    return result;
  ptx::addOpcodes(*made->code, call.state.statistics);
  *module = made.get();
  call.context->modules[made.get()] = std::move(made);
  return success;
}

Result cuModuleUnload(void *handle) {
  Call call("cuModuleUnload", Call::Releases);
  if (call.failure())
    return call.failure();
  auto *module = static_cast<Module *>(handle);
  if (!call.context->modules.count(module))
    return invalidHandle;
  for (auto &[stream, owned] : call.context->streams)
    for (const Operation &operation : stream->queue)
      if (operation.launch.module == module->code.get()) {
        say("cuModuleUnload: a launch of %s has not run yet", operation.launch.kernel.c_str());
        return call.context->error = launchFailed;
      }
  ptx::unload(*module->code, call.context->memory);
  std::erase_if(call.context->functions, [&](auto &known) { return known.first.first == module; });
  call.context->modules.erase(module);
  return call.answer();
}

Result cuModuleGetFunction(void **function, void *handle, const char *name) {
  Call call("cuModuleGetFunction", Call::InContext);
  if (call.failure())
    return call.failure();
  auto *module = static_cast<Module *>(handle);
  if (!call.context->modules.count(module))
    return invalidHandle;
  const ptx::Kernel *kernel = module->code->kernel(name);
  if (!kernel)
    return notFound;
  std::unique_ptr<Function> &known = call.context->functions[{module, name}];
  if (!known)
    known = std::make_unique<Function>(Function{module, kernel});
  *function = known.get();
  return success;
}

Result cuFuncSetAttribute(void *handle, int attribute, int value) {
  Call call("cuFuncSetAttribute", Call::InContext);
  if (call.failure())
    return call.failure();
  if (attribute != 8 || value < 0 || value > call.state.settings.limits().sharedBytes)
    return invalidValue;
  static_cast<Function *>(handle)->sharedBytes = value;
  return success;
}

Result cuLaunchKernel(void *handle, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                      unsigned blockZ, unsigned sharedBytes, void *streamHandle, void **parameters, void **extra) {
  Call call("cuLaunchKernel", Call::InContext);
  if (call.failure())
    return call.failure();
  auto *function = static_cast<Function *>(handle);
  Stream *stream = findStream(*call.context, streamHandle);
  if (!function || !stream)
    return invalidHandle;
  uint64_t threads = uint64_t(blockX) * blockY * blockZ;
  if (gridX == 0 || gridX > INT32_MAX || gridY == 0 || gridZ == 0 || threads == 0 || threads > 1024 || extra ||
      int64_t(sharedBytes) > function->sharedBytes)
    return invalidValue;
  Operation operation = {Operation::Launch};
  operation.launch.module = function->module->code.get();
  operation.launch.kernel = function->kernel->name;
  std::copy_n(std::vector<uint32_t>{gridX, gridY, gridZ}.begin(), 3, operation.launch.grid);
  std::copy_n(std::vector<uint32_t>{blockX, blockY, blockZ}.begin(), 3, operation.launch.block);
  operation.launch.sharedBytes = sharedBytes;
  operation.launch.parameters = collect(*function->kernel, parameters);
  return enqueue(*stream, std::move(operation));
}

} // extern "C"

//===- Image.cpp - The kernels of a model on a GPU ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Image.h"

#include <algorithm>
#include <string.h>

using namespace xfrt;
using namespace xfrt::cuda;

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

/// Returns whether a driver error concerns only the image, so that another image of the same kernels may load.
static bool isAboutImage(Result result) {
  switch (result) {
  case invalidImage:
  case noBinaryForGpu:
  case invalidPtx:
  case jitCompilerNotFound:
  case unsupportedPtxVersion:
  case jitCompilationDisabled:
  case invalidSource:
    return true;
  default:
    return false;
  }
}

namespace {
/// The driver's error for the image that it refused last.
struct Refusal {
  Result result = 0;
  const char *architecture = "";
  char log[512] = "";
};
} // namespace

/// Loads an image as a module. Returns 0 or the driver's error. Stores the error in `refusal`, with the log of the JIT
/// compiler.
static Result load(Gpu &device, const xfrt_image &image, Module &module, Refusal &refusal) {
  refusal = {};
  refusal.architecture = image.arch;
  int options[] = {jitErrorLogBuffer, jitErrorLogBufferBytes};
  void *values[] = {refusal.log, reinterpret_cast<void *>(sizeof(refusal.log))};
  refusal.result =
      device.driver->moduleLoad.pointer(&module, image.data, image.kind == XFRT_PTX ? 2 : 0, options, values);
  refusal.log[sizeof(refusal.log) - 1] = 0;
  refusal.log[strcspn(refusal.log, "\n")] = 0;
  return refusal.result;
}

static xfrt_status failForImages(Gpu &device, const xfrt_model &model, const Refusal &refusal) {
  xfrt_status status = refusal.result == unsupportedPtxVersion ? XFRT_OLD_DRIVER
                       : refusal.result == noBinaryForGpu      ? XFRT_WRONG_ARCHITECTURE
                                                               : XFRT_JIT_FAILED;
  return device.message->fail(status, "model %s: device %d refuses the kernels for %s: %s%s%s",
                              Quoted(model.name).get(), device.number, refusal.architecture,
                              ErrorText(*device.driver, refusal.result).get(), *refusal.log ? ": " : "", refusal.log);
}

xfrt_status cuda::loadImage(Gpu &device, const xfrt_model &model, Module &module) {
  Refusal refusal;
  for (xfrt_image_kind kind : {XFRT_CUBIN, XFRT_PTX})
    for (int32_t i = 0; i < model.image_count; ++i) {
      if (model.images[i].kind != kind)
        continue;
      Result result = load(device, model.images[i], module, refusal);
      if (result == 0)
        return XFRT_OK;
      module = nullptr;
      if (!isAboutImage(result))
        return device.fail(result, device.driver->moduleLoad.name);
    }
  return failForImages(device, model, refusal);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static xfrt_status findFunction(Gpu &device, Module module, Function &function) {
  const EntryPoint find = device.driver->moduleGetFunction;
  Result result = find.pointer(&function, module, device.launch->name);
  if (result == notFound)
    return device.message->fail(XFRT_BAD_MODEL, "entry %s: kernel %s: expected a function of the image, got none",
                                Quoted(device.entry->name).get(), Quoted(device.launch->name).get());
  return result == 0 ? XFRT_OK : device.fail(result, find.name);
}

xfrt_status cuda::findFunctions(Gpu &device, Module module, const xfrt_model &model, LoadedKernel *kernels) {
  LoadedKernel *end = kernels;
  for (int32_t i = 0; i < model.entry_count; ++i)
    for (int32_t j = 0; j < model.entries[i].launch_count; ++j) {
      const xfrt_launch &launch = model.entries[i].launches[j];
      Doing doing(device, model.entries[i], &launch);
      LoadedKernel kernel = {nullptr, launch.shared_bytes, false};
      if (xfrt_status status = findFunction(device, module, kernel.function))
        return status;
      kernel.fits = kernel.sharedBytes <= device.sharedBytes;
      // By default a kernel has 48 KB, less its static shared memory. A function has one limit for all of its launches,
      // so that a smaller one must not overwrite a larger.
      auto covers = [&](const LoadedKernel &other) {
        return other.fits && other.function == kernel.function && other.sharedBytes >= kernel.sharedBytes;
      };
      if (kernel.fits && kernel.sharedBytes > 0 && std::none_of(kernels, end, covers))
        if (xfrt_status status = device.run(device.driver->functionSetAttribute, kernel.function,
                                            int(maxDynamicSharedBytes), int(kernel.sharedBytes)))
          return status;
      *end++ = kernel;
    }
  return XFRT_OK;
}

xfrt_status cuda::checkFits(const Gpu &device, const xfrt_entry &entry, const LoadedKernel *kernels) {
  for (int32_t i = 0; i < entry.launch_count; ++i)
    if (!kernels[i].fits)
      return device.message->fail(XFRT_WRONG_ARCHITECTURE,
                                  "entry %s: kernel %s: expected %d bytes of shared memory for a block, device %d of "
                                  "sm_%d has %d",
                                  Quoted(entry.name).get(), Quoted(entry.launches[i].name).get(),
                                  kernels[i].sharedBytes, device.number, device.capability, device.sharedBytes);
  return XFRT_OK;
}

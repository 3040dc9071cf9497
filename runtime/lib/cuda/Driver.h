//===- Driver.h - The CUDA driver, by dlopen -------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the functions of libcuda.so.1 that the runtime calls. They are declared here, and not taken from cuda.h, so
// that neither the build nor the library needs CUDA. test/runtime/cuda/abi.cpp compares the declarations with cuda.h if
// it is installed.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_DRIVER_H
#define XFRT_LIB_CUDA_DRIVER_H

#include "../Message.h"

#include <stddef.h>
#include <stdint.h>

namespace xfrt::cuda {

// Types and constants of the driver's interface, which passes enumerations as ints.
using Result = int;
using DeviceNumber = int;
using Address = unsigned long long; ///< an address in device memory
using Context = struct ContextTag *;
using Module = struct ModuleTag *;
using Function = struct FunctionTag *;
using Stream = struct StreamTag *;
using Graph = struct GraphTag *;
using GraphExec = struct GraphExecTag *;
using Event = struct EventTag *;

struct alignas(128) TensorMap {
  uint64_t opaque[16];
};

/// CUDA_MEMCPY2D: the arguments of a copy of rows.
struct RowCopy {
  size_t fromColumn, fromRow;
  int fromType;
  const void *fromHost;
  Address from;
  void *fromArray;
  size_t fromPitch;
  size_t toColumn, toRow;
  int toType;
  void *toHost;
  Address to;
  void *toArray;
  size_t toPitch;
  size_t bytes, rows;
};
enum MemoryType { deviceMemory = 2 };

enum Error : Result {
  invalidValue = 1,
  outOfMemory = 2,
  stubLibrary = 34,
  noDeviceError = 100,
  invalidDevice = 101,
  invalidImage = 200,
  noBinaryForGpu = 209,
  eccUncorrectable = 214,
  invalidPtx = 218,
  nvlinkUncorrectable = 220,
  jitCompilerNotFound = 221,
  unsupportedPtxVersion = 222,
  jitCompilationDisabled = 223,
  contained = 226,
  invalidSource = 300,
  notFound = 500,
  illegalAddress = 700,
  launchTimeout = 702,
  contextIsDestroyed = 709,
  deviceAssert = 710,
  hardwareStackError = 714,
  illegalInstruction = 715,
  misalignedAddress = 716,
  invalidAddressSpace = 717,
  invalidPc = 718,
  launchFailed = 719,
  tensorMemoryLeak = 721,
  systemDriverMismatch = 803,
  compatNotSupportedOnDevice = 804,
  mpsClientTerminated = 810,
  unknownError = 999
};

enum DeviceAttribute {
  multiprocessorCount = 16,
  capabilityMajor = 75,
  capabilityMinor = 76,
  maxSharedBytesOfBlock = 97, ///< shared memory of a block whose kernel sets maxDynamicSharedBytes
  memoryPoolsSupported = 115
};
enum FunctionAttribute { maxDynamicSharedBytes = 8 };
enum StreamFlag : unsigned { nonBlocking = 1 };
enum EventFlag : unsigned { disableTiming = 2 };
enum StreamNumber : uintptr_t { streamPerThread = 2 }; ///< the value of CU_STREAM_PER_THREAD
enum CaptureMode { captureThreadLocal = 1 };
enum JitOption { jitErrorLogBuffer = 5, jitErrorLogBufferBytes = 6 };
enum TensorMapType {
  mapUint8 = 0,
  mapInt32 = 3,
  mapInt64 = 5,
  mapFloat16 = 6,
  mapFloat32 = 7,
  mapFloat64 = 8,
  mapBfloat16 = 9
};
enum TensorMapSwizzle { swizzleNone = 0, swizzle32 = 1, swizzle64 = 2, swizzle128 = 3 };
enum TensorMapPromotion { promoteToL2By256 = 3 };

/// A function of the CUDA driver. `pointer` is null if the driver lacks it.
template <typename... Parameters>
struct EntryPoint {
  const char *name;
  Result (*pointer)(Parameters...) = nullptr;

  explicit operator bool() const { return pointer; }
};

// Each row: member, symbol, types of parameters. Without an optional function the runtime uses a slower alternative, or
// fails where a model needs the function.
#define XFRT_CUDA_REQUIRED(X)                                                                                          \
  X(init, "cuInit", unsigned)                                                                                          \
  X(driverGetVersion, "cuDriverGetVersion", int *)                                                                     \
  X(getErrorName, "cuGetErrorName", Result, const char **)                                                             \
  X(getErrorString, "cuGetErrorString", Result, const char **)                                                         \
  X(deviceGetCount, "cuDeviceGetCount", int *)                                                                         \
  X(deviceGet, "cuDeviceGet", DeviceNumber *, int)                                                                     \
  X(deviceGetAttribute, "cuDeviceGetAttribute", int *, int, DeviceNumber)                                              \
  X(primaryRetain, "cuDevicePrimaryCtxRetain", Context *, DeviceNumber)                                                \
  X(primaryRelease, "cuDevicePrimaryCtxRelease_v2", DeviceNumber)                                                      \
  X(pushCurrent, "cuCtxPushCurrent_v2", Context)                                                                       \
  X(popCurrent, "cuCtxPopCurrent_v2", Context *)                                                                       \
  X(moduleLoad, "cuModuleLoadDataEx", Module *, const void *, unsigned, int *, void **)                                \
  X(moduleUnload, "cuModuleUnload", Module)                                                                            \
  X(moduleGetFunction, "cuModuleGetFunction", Function *, Module, const char *)                                        \
  X(functionSetAttribute, "cuFuncSetAttribute", Function, int, int)                                                    \
  X(launchKernel, "cuLaunchKernel", Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,    \
    Stream, void **, void **)                                                                                          \
  X(allocate, "cuMemAlloc_v2", Address *, size_t)                                                                      \
  X(release, "cuMemFree_v2", Address)                                                                                  \
  X(copyToDevice, "cuMemcpyHtoDAsync_v2", Address, const void *, size_t, Stream)                                       \
  X(copyToHost, "cuMemcpyDtoHAsync_v2", void *, Address, size_t, Stream)                                               \
  X(copyOnDevice, "cuMemcpyDtoDAsync_v2", Address, Address, size_t, Stream)                                            \
  X(copyRows, "cuMemcpy2DAsync_v2", const RowCopy *, Stream)                                                           \
  X(streamCreate, "cuStreamCreate", Stream *, unsigned)                                                                \
  X(streamDestroy, "cuStreamDestroy_v2", Stream)                                                                       \
  X(streamSynchronize, "cuStreamSynchronize", Stream)
#define XFRT_CUDA_OPTIONAL(X)                                                                                          \
  X(deviceGetName, "cuDeviceGetName", char *, int, DeviceNumber)                                                       \
  X(allocateAsync, "cuMemAllocAsync", Address *, size_t, Stream)                                                       \
  X(releaseAsync, "cuMemFreeAsync", Address, Stream)                                                                   \
  X(encodeTiled, "cuTensorMapEncodeTiled", TensorMap *, int, uint32_t, void *, const uint64_t *, const uint64_t *,     \
    const uint32_t *, const uint32_t *, int, int, int, int)                                                            \
  X(streamIsCapturing, "cuStreamIsCapturing", Stream, int *)                                                           \
  X(beginCapture, "cuStreamBeginCapture_v2", Stream, int)                                                              \
  X(endCapture, "cuStreamEndCapture", Stream, Graph *)                                                                 \
  X(graphInstantiate, "cuGraphInstantiateWithFlags", GraphExec *, Graph, unsigned long long)                           \
  X(graphLaunch, "cuGraphLaunch", GraphExec, Stream)                                                                   \
  X(graphExecDestroy, "cuGraphExecDestroy", GraphExec)                                                                 \
  X(graphDestroy, "cuGraphDestroy", Graph)                                                                             \
  X(eventCreate, "cuEventCreate", Event *, unsigned)                                                                   \
  X(streamWaitEvent, "cuStreamWaitEvent", Stream, Event, unsigned)                                                     \
  X(eventRecord, "cuEventRecord", Event, Stream)                                                                       \
  X(eventSynchronize, "cuEventSynchronize", Event)                                                                     \
  X(eventElapsedTime, "cuEventElapsedTime", float *, Event, Event)                                                     \
  X(eventDestroy, "cuEventDestroy_v2", Event)

/// The functions of the CUDA driver that the runtime calls.
struct Driver {
#define XFRT_CUDA_MEMBER(member, symbol, ...) EntryPoint<__VA_ARGS__> member{symbol};
  XFRT_CUDA_REQUIRED(XFRT_CUDA_MEMBER)
  XFRT_CUDA_OPTIONAL(XFRT_CUDA_MEMBER)
#undef XFRT_CUDA_MEMBER
};

/// Sets `driver` to the driver of this process. The first call opens and initialises it. After a failure, the next call
/// tries again. The driver is never closed. Thread-safe.
xfrt_status openDriver(const Driver *&driver, Message &message);

/// The name and description of a driver error, such as "CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
class ErrorText {
public:
  ErrorText(const Driver &driver, Result result);
  const char *get() const { return text; }

private:
  char text[256];
};

/// Returns whether an error is sticky. After a sticky error the context is lost: every function returns the same error
/// until the context is destroyed.
bool isSticky(Result result);

/// Returns the default status for a driver error. A caller may replace it by a status that fits the failed function
/// better.
xfrt_status statusOf(Result result);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_DRIVER_H

//===- abi.cpp - Our declarations of the driver against cuda.h ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built where CUDA's headers are installed; nothing of CUDA is linked.
//
//===----------------------------------------------------------------------===//

#include "runtime/lib/cuda/Driver.h"

#include <cuda.h>
#include <gtest/gtest.h>

namespace cuda = xfrt::cuda;

namespace {

static_assert(sizeof(cuda::TensorMap) == sizeof(CUtensorMap) && alignof(cuda::TensorMap) >= alignof(CUtensorMap));
static_assert(sizeof(cuda::Address) == sizeof(CUdeviceptr) && sizeof(cuda::DeviceNumber) == sizeof(CUdevice));

static_assert(sizeof(cuda::RowCopy) == sizeof(CUDA_MEMCPY2D) &&
              offsetof(cuda::RowCopy, from) == offsetof(CUDA_MEMCPY2D, srcDevice) &&
              offsetof(cuda::RowCopy, fromPitch) == offsetof(CUDA_MEMCPY2D, srcPitch) &&
              offsetof(cuda::RowCopy, toType) == offsetof(CUDA_MEMCPY2D, dstMemoryType) &&
              offsetof(cuda::RowCopy, to) == offsetof(CUDA_MEMCPY2D, dstDevice) &&
              offsetof(cuda::RowCopy, toPitch) == offsetof(CUDA_MEMCPY2D, dstPitch) &&
              offsetof(cuda::RowCopy, bytes) == offsetof(CUDA_MEMCPY2D, WidthInBytes) &&
              offsetof(cuda::RowCopy, rows) == offsetof(CUDA_MEMCPY2D, Height));

#define EXPECT_SAME(ours, theirs) static_assert(int(cuda::ours) == int(theirs))
EXPECT_SAME(invalidValue, CUDA_ERROR_INVALID_VALUE);
EXPECT_SAME(outOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
EXPECT_SAME(stubLibrary, CUDA_ERROR_STUB_LIBRARY);
EXPECT_SAME(noDeviceError, CUDA_ERROR_NO_DEVICE);
EXPECT_SAME(invalidImage, CUDA_ERROR_INVALID_IMAGE);
EXPECT_SAME(noBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
EXPECT_SAME(eccUncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE);
EXPECT_SAME(invalidPtx, CUDA_ERROR_INVALID_PTX);
EXPECT_SAME(nvlinkUncorrectable, CUDA_ERROR_NVLINK_UNCORRECTABLE);
EXPECT_SAME(jitCompilerNotFound, CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
EXPECT_SAME(unsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
EXPECT_SAME(jitCompilationDisabled, CUDA_ERROR_JIT_COMPILATION_DISABLED);
EXPECT_SAME(invalidSource, CUDA_ERROR_INVALID_SOURCE);
EXPECT_SAME(notFound, CUDA_ERROR_NOT_FOUND);
EXPECT_SAME(illegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
EXPECT_SAME(launchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT);
EXPECT_SAME(contextIsDestroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED);
EXPECT_SAME(deviceAssert, CUDA_ERROR_ASSERT);
EXPECT_SAME(hardwareStackError, CUDA_ERROR_HARDWARE_STACK_ERROR);
EXPECT_SAME(illegalInstruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
EXPECT_SAME(misalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS);
EXPECT_SAME(invalidAddressSpace, CUDA_ERROR_INVALID_ADDRESS_SPACE);
EXPECT_SAME(invalidPc, CUDA_ERROR_INVALID_PC);
EXPECT_SAME(launchFailed, CUDA_ERROR_LAUNCH_FAILED);
EXPECT_SAME(systemDriverMismatch, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
EXPECT_SAME(compatNotSupportedOnDevice, CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE);
EXPECT_SAME(mpsClientTerminated, CUDA_ERROR_MPS_CLIENT_TERMINATED);
EXPECT_SAME(unknownError, CUDA_ERROR_UNKNOWN);
EXPECT_SAME(multiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
EXPECT_SAME(maxSharedBytesOfBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
EXPECT_SAME(capabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
EXPECT_SAME(capabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
EXPECT_SAME(memoryPoolsSupported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
EXPECT_SAME(maxDynamicSharedBytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
EXPECT_SAME(deviceMemory, CU_MEMORYTYPE_DEVICE);
EXPECT_SAME(disableTiming, CU_EVENT_DISABLE_TIMING);
EXPECT_SAME(nonBlocking, CU_STREAM_NON_BLOCKING);
EXPECT_SAME(captureThreadLocal, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
EXPECT_SAME(jitErrorLogBuffer, CU_JIT_ERROR_LOG_BUFFER);
EXPECT_SAME(jitErrorLogBufferBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
EXPECT_SAME(mapUint8, CU_TENSOR_MAP_DATA_TYPE_UINT8);
EXPECT_SAME(mapInt32, CU_TENSOR_MAP_DATA_TYPE_INT32);
EXPECT_SAME(mapInt64, CU_TENSOR_MAP_DATA_TYPE_INT64);
EXPECT_SAME(mapFloat16, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
EXPECT_SAME(mapFloat32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
EXPECT_SAME(mapFloat64, CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
EXPECT_SAME(mapBfloat16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
EXPECT_SAME(swizzleNone, CU_TENSOR_MAP_SWIZZLE_NONE);
EXPECT_SAME(swizzle32, CU_TENSOR_MAP_SWIZZLE_32B);
EXPECT_SAME(swizzle64, CU_TENSOR_MAP_SWIZZLE_64B);
EXPECT_SAME(swizzle128, CU_TENSOR_MAP_SWIZZLE_128B);
EXPECT_SAME(promoteToL2By256, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);

/// True where the driver's function takes as many parameters as we give, each as large: pointers and enumerations are
/// passed alike.
template <typename... Ours, typename... Theirs>
constexpr bool takes(const cuda::EntryPoint<Ours...> &, CUresult (*)(Theirs...)) {
  if constexpr (sizeof...(Ours) != sizeof...(Theirs))
    return false;
  else
    return ((sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>) && ...);
}

/// The symbol that cuda.h means by a name: its macros add versions.
#define XF_TEXT(symbol) #symbol
#define XF_SYMBOL(symbol) XF_TEXT(symbol)
#define EXPECT_FUNCTION(member, function)                                                                              \
  EXPECT_STREQ(driver.member.name, XF_SYMBOL(function));                                                               \
  EXPECT_TRUE(takes(driver.member, static_cast<decltype(&function)>(nullptr))) << XF_SYMBOL(function)

TEST(Abi, FunctionsAreThoseOfCudaH) {
  cuda::Driver driver;
  EXPECT_FUNCTION(init, cuInit);
  EXPECT_FUNCTION(driverGetVersion, cuDriverGetVersion);
  EXPECT_FUNCTION(getErrorName, cuGetErrorName);
  EXPECT_FUNCTION(getErrorString, cuGetErrorString);
  EXPECT_FUNCTION(deviceGetCount, cuDeviceGetCount);
  EXPECT_FUNCTION(deviceGet, cuDeviceGet);
  EXPECT_FUNCTION(deviceGetAttribute, cuDeviceGetAttribute);
  EXPECT_FUNCTION(deviceGetName, cuDeviceGetName);
  EXPECT_FUNCTION(primaryRetain, cuDevicePrimaryCtxRetain);
  EXPECT_FUNCTION(primaryRelease, cuDevicePrimaryCtxRelease);
  EXPECT_FUNCTION(pushCurrent, cuCtxPushCurrent);
  EXPECT_FUNCTION(popCurrent, cuCtxPopCurrent);
  EXPECT_FUNCTION(moduleLoad, cuModuleLoadDataEx);
  EXPECT_FUNCTION(moduleUnload, cuModuleUnload);
  EXPECT_FUNCTION(moduleGetFunction, cuModuleGetFunction);
  EXPECT_FUNCTION(functionSetAttribute, cuFuncSetAttribute);
  EXPECT_FUNCTION(launchKernel, cuLaunchKernel);
  EXPECT_FUNCTION(allocate, cuMemAlloc);
  EXPECT_FUNCTION(release, cuMemFree);
  EXPECT_FUNCTION(copyToDevice, cuMemcpyHtoDAsync);
  EXPECT_FUNCTION(copyToHost, cuMemcpyDtoHAsync);
  EXPECT_FUNCTION(copyOnDevice, cuMemcpyDtoDAsync);
  EXPECT_FUNCTION(streamCreate, cuStreamCreate);
  EXPECT_FUNCTION(streamDestroy, cuStreamDestroy);
  EXPECT_FUNCTION(streamSynchronize, cuStreamSynchronize);
  EXPECT_FUNCTION(allocateAsync, cuMemAllocAsync);
  EXPECT_FUNCTION(releaseAsync, cuMemFreeAsync);
  EXPECT_FUNCTION(encodeTiled, cuTensorMapEncodeTiled);
  EXPECT_FUNCTION(streamIsCapturing, cuStreamIsCapturing);
  EXPECT_FUNCTION(beginCapture, cuStreamBeginCapture);
  EXPECT_FUNCTION(endCapture, cuStreamEndCapture);
  EXPECT_FUNCTION(graphInstantiate, cuGraphInstantiate);
  EXPECT_FUNCTION(graphLaunch, cuGraphLaunch);
  EXPECT_FUNCTION(graphExecDestroy, cuGraphExecDestroy);
  EXPECT_FUNCTION(graphDestroy, cuGraphDestroy);
  EXPECT_FUNCTION(eventCreate, cuEventCreate);
  EXPECT_FUNCTION(eventRecord, cuEventRecord);
  EXPECT_FUNCTION(eventSynchronize, cuEventSynchronize);
  EXPECT_FUNCTION(eventDestroy, cuEventDestroy);
  // CUDA 13 means cuEventElapsedTime_v2, which drivers of CUDA 12 lack; all have this one.
  EXPECT_STREQ(driver.eventElapsedTime.name, "cuEventElapsedTime");
  EXPECT_TRUE(takes(driver.eventElapsedTime, static_cast<decltype(&cuEventElapsedTime)>(nullptr)));
}

} // namespace

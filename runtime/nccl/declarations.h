//===- declarations.h - What is called of NCCL and the driver ---*- C -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the functions of libnccl.so.2 (2.14 and later) and of libcuda.so.1 that the plug-in looks up. They are
// declared here so that the build needs neither library. test/runtime/cuda/nccl_abi.cpp compares the declarations with
// nccl.h if it is installed. C99.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_NCCL_DECLARATIONS_H
#define XFRT_NCCL_DECLARATIONS_H

#include <limits.h>
#include <stddef.h>

// Enumerations are passed as ints.
enum { xncclSuccess = 0, xncclInProgress = 7 };
enum { xncclBytes = 0 }; // ncclInt8

typedef struct XncclCommTag *XncclComm;
typedef struct XncclId {
  char internal[128];
} XncclId;

/// The first members of ncclConfig_t. Its `size` and `version` tell NCCL that no others follow.
typedef struct XncclConfig {
  size_t size;
  unsigned magic;
  unsigned version;
  int blocking;
  int cgaClusterSize;
} XncclConfig;
enum { xncclMagic = (int)0xcafebeefu, xncclVersion = 21400 };

typedef struct XcudaContextTag *XcudaContext;
typedef struct XcudaStreamTag *XcudaStream;
typedef struct XcudaEventTag *XcudaEvent;
enum { xcudaSuccess = 0, xcudaNotReady = 600, xcudaEventDisableTiming = 2 };

// Each row: member, symbol, types of parameters. All return an int, but for the text of an error.
#define XFRT_NCCL_FUNCTIONS(X)                                                                                         \
  X(getUniqueId, ncclGetUniqueId, XncclId *)                                                                           \
  X(initRank, ncclCommInitRankConfig, XncclComm *, int, XncclId, int, XncclConfig *)                                   \
  X(destroy, ncclCommDestroy, XncclComm)                                                                               \
  X(abortAll, ncclCommAbort, XncclComm)                                                                                \
  X(getAsyncError, ncclCommGetAsyncError, XncclComm, int *)                                                            \
  X(groupStart, ncclGroupStart, void)                                                                                  \
  X(groupEnd, ncclGroupEnd, void)                                                                                      \
  X(send, ncclSend, const void *, size_t, int, int, XncclComm, XcudaStream)                                            \
  X(receive, ncclRecv, void *, size_t, int, int, XncclComm, XcudaStream)
#define XFRT_NCCL_CUDA_FUNCTIONS(X)                                                                                    \
  X(init, cuInit, unsigned)                                                                                            \
  X(deviceGet, cuDeviceGet, int *, int)                                                                                \
  X(retain, cuDevicePrimaryCtxRetain, XcudaContext *, int)                                                             \
  X(release, cuDevicePrimaryCtxRelease_v2, int)                                                                        \
  X(push, cuCtxPushCurrent_v2, XcudaContext)                                                                           \
  X(pop, cuCtxPopCurrent_v2, XcudaContext *)                                                                           \
  X(eventCreate, cuEventCreate, XcudaEvent *, unsigned)                                                                \
  X(eventRecord, cuEventRecord, XcudaEvent, XcudaStream)                                                               \
  X(eventQuery, cuEventQuery, XcudaEvent)                                                                              \
  X(eventDestroy, cuEventDestroy_v2, XcudaEvent)

#define XFRT_MEMBER(member, symbol, ...) int (*member)(__VA_ARGS__);
typedef struct XncclFunctions {
  XFRT_NCCL_FUNCTIONS(XFRT_MEMBER)
  const char *(*errorString)(int); // ncclGetErrorString
  int (*finalize)(XncclComm);      // ncclCommFinalize; null where a library lacks it
} XncclFunctions;
typedef struct XcudaFunctions {
  XFRT_NCCL_CUDA_FUNCTIONS(XFRT_MEMBER)
} XcudaFunctions;
#undef XFRT_MEMBER

#endif // XFRT_NCCL_DECLARATIONS_H

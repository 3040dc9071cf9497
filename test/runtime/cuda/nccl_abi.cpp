//===- nccl_abi.cpp - Our declarations of NCCL against nccl.h -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built where the headers of NCCL are installed; nothing of it is linked.
//
//===----------------------------------------------------------------------===//

#include "runtime/nccl/declarations.h"

#include <gtest/gtest.h>
#include <nccl.h>
#include <type_traits>

namespace {

static_assert(sizeof(XncclId) == sizeof(ncclUniqueId));
static_assert(offsetof(XncclConfig, magic) == offsetof(ncclConfig_t, magic) &&
              offsetof(XncclConfig, version) == offsetof(ncclConfig_t, version) &&
              offsetof(XncclConfig, blocking) == offsetof(ncclConfig_t, blocking) &&
              offsetof(XncclConfig, cgaClusterSize) == offsetof(ncclConfig_t, cgaClusterSize));
static_assert(int(xncclSuccess) == int(ncclSuccess) && int(xncclInProgress) == int(ncclInProgress));
static_assert(int(xncclBytes) == int(ncclInt8));
static_assert(xncclVersion == NCCL_VERSION(2, 14, 0) && NCCL_VERSION_CODE >= xncclVersion);

/// What a type of theirs is in our declarations.
template <typename T>
struct OursOf {
  using type = T;
};
template <>
struct OursOf<ncclResult_t> {
  using type = int;
};
template <>
struct OursOf<ncclDataType_t> {
  using type = int;
};
template <>
struct OursOf<ncclComm_t> {
  using type = XncclComm;
};
template <>
struct OursOf<ncclUniqueId> {
  using type = XncclId;
};
template <>
struct OursOf<cudaStream_t> {
  using type = XcudaStream;
};
template <>
struct OursOf<ncclComm_t *> {
  using type = XncclComm *;
};
template <>
struct OursOf<ncclUniqueId *> {
  using type = XncclId *;
};
template <>
struct OursOf<ncclConfig_t *> {
  using type = XncclConfig *;
};
template <>
struct OursOf<ncclResult_t *> {
  using type = int *;
};

template <typename Ours, typename Result, typename... Parameters>
constexpr bool isSame(Result (*)(Parameters...)) {
  return std::is_same_v<Ours, typename OursOf<Result>::type (*)(typename OursOf<Parameters>::type...)>;
}

#define XFRT_COMPARE(member, symbol, ...) static_assert(isSame<decltype(XncclFunctions::member)>(&symbol));
XFRT_NCCL_FUNCTIONS(XFRT_COMPARE)
static_assert(isSame<decltype(XncclFunctions::errorString)>(&ncclGetErrorString));
static_assert(isSame<decltype(XncclFunctions::finalize)>(&ncclCommFinalize));

TEST(NcclAbi, OfTheConfiguration) {
  const ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  EXPECT_EQ(config.magic, unsigned(xncclMagic));
  EXPECT_EQ(config.cgaClusterSize, INT_MIN);
}

} // namespace

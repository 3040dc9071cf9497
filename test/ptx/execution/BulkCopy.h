//===- BulkCopy.h - Bulk copies that are under way --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_EXECUTION_BULKCOPY_H
#define XF_TEST_PTX_EXECUTION_BULKCOPY_H

#include "test/ptx/execution/Cta.h"

namespace xf::ptx {

/// False and a report where a copy to shared memory names no mbarrier that it can complete.
bool checkMbarrier(Cta &cta, const BulkCopy &copy);
/// Moves the bytes. A copy to shared memory is then finished, and its mbarrier knows.
void performCopy(Cta &cta, BulkCopy &copy);
/// What a copy from shared memory has done once its warp waited for it: read, or also written.
void waitForCopy(Warp &warp, BulkCopy &copy, bool isRead);
void removeFinished(Cta &cta);

} // namespace xf::ptx

#endif // XF_TEST_PTX_EXECUTION_BULKCOPY_H

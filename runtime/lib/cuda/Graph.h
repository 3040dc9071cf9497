//===- Graph.h - Replaying an entry's steps --------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_GRAPH_H
#define XFRT_LIB_CUDA_GRAPH_H

#include "Handle.h"

namespace xfrt::cuda {

/// Returns the number of elements of EntryGraph::key for an entry.
int32_t graphKeySize(const xfrt_entry &entry);

/// Runs the entry's steps. If a call has the same frame and addresses as the call before it, records its steps as a
/// CUDA graph. Further calls like this launch the graph, by one function of the driver instead of one for each step.
/// Enqueues the steps one by one if the driver does not support graphs, or refuses to record one.
xfrt_status runSteps(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

void destroyGraph(const Gpu &device, EntryGraph &graph);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_GRAPH_H

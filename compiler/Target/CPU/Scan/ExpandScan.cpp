//===- ExpandScan.cpp - Scans become vector code --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands scans and their gradients. A worker runs its tasks in order, each as one thread, with scratch memory of its
// own.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Scan/ExpandScan.h"
#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "compiler/Target/Kernel/Scan/ScanKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

/// If the kernel has products whose instruction takes several terms, sets the form of these products. Emits an error
/// and fails if the machine has no such instruction.
template <typename OpTy>
static LogicalResult setTermsForm(ScanKernel &k, OpTy op) {
  int64_t terms = std::max(k.inputTerms, k.featureTerms);
  if (terms == 1)
    return success();
  k.threads.termsForm = cpu::productForm(cpu::machineOf(k.kb), k.task.queries.source.element);
  k.threads.termOf = cpu::pairElement;
  if (k.threads.termsForm->terms != terms)
    return op.emitOpError("expected a machine whose products of ")
           << k.task.queries.source.element << " take " << terms << " terms of an instruction, got "
           << k.threads.termsForm->terms;
  return success();
}

int64_t cpu::scanBytesOfWorker(const xft::ScanSizes &sizes) { return measureScan(sizes).bytes(); }

LogicalResult cpu::expandScan(xft::ScanOp op, KernelBuilder &kb) {
  auto function = op->getParentOfType<func::FuncOp>();
  TaskThreads threads(kb);
  Scratch scratch = Scratch::ofKernel(kb, op);
  ScanKernel k(op, kb, threads, scratch);
  if (failed(setTermsForm(k, op)))
    return failure();
  View o = View::of(kb, op.getO());
  kb.loop(function.getArgument(0), function.getArgument(1), 1, [&](Value tile) { buildScanTask(k, o, tile); });
  op.erase();
  return success();
}

LogicalResult cpu::expandScanVjp(xft::ScanVjpOp op, KernelBuilder &kb) {
  auto function = op->getParentOfType<func::FuncOp>();
  TaskThreads threads(kb);
  Scratch scratch = Scratch::ofKernel(kb, op);
  ScanKernel k(op, kb, threads, scratch);
  if (failed(setTermsForm(k, op)))
    return failure();
  kb.loop(function.getArgument(0), function.getArgument(1), 1, [&](Value tile) { buildScanVjpTask(k, op, tile); });
  op.erase();
  return success();
}

//===- XftHeld.h - Held forms of parameters ---------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Marks the steps that depend on held parameters. If a runtime handle holds parameters (xfrt_options::hold_parameters),
// it keeps another form of them from call to call, such as the panels that a product reads. In a host program, this
// form is a memref.alloc with a key. Attributes of steps select the calls that run them (StepCondition, xfrt_when):
//   %panels = memref.alloc() {xft.held = "w .."} : memref<48x768x16xf32>        equal keys are the same memory
//   xft.launch @pack_panels_.. tiles(%n) (%w, %panels : ..) {xft.fills_held}    an argument, then the form
//   xft.launch @contract_..    tiles(%m) (%x, %panels, %y : ..) {xft.if_held}
//   xft.launch @contract_..    tiles(%m) (%x, %w, %y : ..) {xft.if_not_held}
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTHELD_H
#define XF_DIALECTS_XFT_IR_XFTHELD_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xft {

/// The string attribute of a memref.alloc in a host program. A handle keeps the memory of this alloc from call to call.
/// The memory holds the prepacked form of a parameter, and the string is the key of this form.
inline constexpr StringLiteral heldAttrName = "xft.held";

// Unit attributes that select the calls in which a step runs (conditionOf). A step without them runs in every call.

/// Marks a step that fills a prepacked form. It runs only if the handle holds parameters, and has not filled the form
/// yet from the parameter of this call.
inline constexpr StringLiteral fillsHeldAttrName = "xft.fills_held";
/// Marks a step that runs only if the handle holds parameters.
inline constexpr StringLiteral ifHeldAttrName = "xft.if_held";
/// Marks a step that runs only if the handle does not hold parameters.
inline constexpr StringLiteral ifNotHeldAttrName = "xft.if_not_held";

/// Returns the key of a prepacked form if `memref` is the form's memory or a view of it. Returns null otherwise.
inline StringAttr heldKey(Value memref) {
  auto alloc = rootOf(memref).getDefiningOp<memref::AllocOp>();
  return alloc ? alloc->getAttrOfType<StringAttr>(heldAttrName) : StringAttr();
}

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTHELD_H

//===- Report.cpp - A program's costs as a page ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/Report.h"
#include "compiler/tools/xfc/ReportPatterns.h"
#include "compiler/tools/xfc/ReportSteps.h"
#include "compiler/tools/xfc/report.inc"
#include "dialects/xf/IR/XfOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::xf;

using llvm::json::Array;
using llvm::json::Object;

/// The largest program, in bytes, whose text is part of the page.
static constexpr size_t longestProgram = 1 << 20;

static llvm::json::Value sizeOf(RankedTensorType type, unsigned dim) {
  return type.isDynamicDim(dim) ? llvm::json::Value(nullptr) : llvm::json::Value(type.getDimSize(dim));
}

/// Adds to `object`, the JSON object of an attention, the number of its pattern, its sizes and its element type.
template <typename Op>
static LogicalResult addAttention(Op op, PatternTable &patterns, Object &object) {
  auto q = cast<RankedTensorType>(op.getQ().getType()), k = cast<RankedTensorType>(op.getK().getType());
  auto v = cast<RankedTensorType>(op.getV().getType());
  FailureOr<int64_t> number = patterns.add(op, op.getPattern(), q.getDimSize(2), k.getDimSize(2));
  if (failed(number))
    return failure();
  object["pattern_number"] = *number;
  object["sizes"] = Object{{"B", sizeOf(q, 0)},  {"H", sizeOf(q, 1)},  {"Hk", sizeOf(k, 1)}, {"Hv", sizeOf(v, 1)},
                           {"Nq", sizeOf(q, 2)}, {"Nk", sizeOf(k, 2)}, {"D", sizeOf(q, 3)},  {"Dv", sizeOf(v, 3)}};
  std::string element;
  llvm::raw_string_ostream(element) << q.getElementType();
  object["element"] = std::move(element);
  return success();
}

/// Adds the patterns of all attentions to `patterns`, and the numbers of these patterns to the objects `attentions`,
/// which are in the order of the module.
static LogicalResult addAttentions(ModuleOp module, PatternTable &patterns, Array &attentions) {
  Array::iterator next = attentions.begin();
  WalkResult result = module.walk([&](Operation *op) {
    auto add = [&](auto attention) { return addAttention(attention, patterns, *(next++)->getAsObject()); };
    LogicalResult added =
        llvm::TypeSwitch<Operation *, LogicalResult>(op).Case<AttentionOp, AttentionVjpOp>(add).Default(
            [](Operation *) { return success(); });
    return failed(added) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Returns the text of the program as JSON. The page links to its lines. Does not include other files that locations
/// name: these names come from the program, which a stranger may have written, and the page may be passed on.
static llvm::json::Value textOf(StringRef program) {
  if (program.empty() || program.size() > longestProgram) // empty: bytecode
    return nullptr;
  return llvm::json::fixUTF8(program);
}

static Object picture(const XfcOptions &options) {
  return Object{{"height", options.patternHeight},
                {"width", options.patternWidth},
                {"query", options.patternQuery},
                {"tiles", options.patternTiles}};
}

/// Returns the section of the HTML page that shows the picture `maps` of weights. Returns an empty string if the
/// picture is empty.
static std::string sectionOf(const pattern::Picture &maps) {
  if (maps.empty())
    return "";
  return "<section id=\"maps\" aria-labelledby=\"maps-title\"><h2 id=\"maps-title\">Attention maps</h2>\n" +
         toSvg(maps) + "</section>";
}

/// Returns the HTML page. In the template of the page, comments mark the positions of its parts. Replaces them by the
/// project's style, the section `maps`, `data` and the project's script.
static std::string fillPage(const std::string &maps, const std::string &data) {
  std::string page;
  StringRef rest = reportHtml;
  const std::pair<StringRef, StringRef> parts[] = {
      {"/* style */", reportStyle}, {"<!-- maps -->", maps}, {"{ /* data */ }", data}, {"/* script */", reportScript}};
  for (auto [place, text] : parts) {
    auto [before, after] = rest.split(place);
    page += before;
    page += text;
    rest = after;
  }
  page += rest;
  return page;
}

FailureOr<std::string> xf::writeReport(ModuleOp module, const Explanation &explanation, const pattern::Picture &maps,
                                       StringRef program, const XfcOptions &options) {
  PatternTable patterns(options.patternSize);
  Array attentions(explanation.attentions);
  if (failed(addAttentions(module, patterns, attentions)))
    return failure();
  MachineRef machine = options.explained();
  Object data{
      {"name", llvm::sys::path::stem(options.input)}, {"file", options.input},       {"text", textOf(program)},
      {"machine", machine->options.machine},          {"picture", picture(options)}, {"patterns", patterns.take()},
      {"kernels", Array(explanation.kernels)}};
  data["entries"] = explanation.scheduled ? reportSteps(*explanation.scheduled) : Array();
  data["attentions"] = std::move(attentions);
  std::string text;
  for (char letter : llvm::formatv("{0}", llvm::json::Value(std::move(data))).str())
    text += letter == '<' ? "\\u003c" : std::string(1, letter); // no tag ends the block
  return fillPage(sectionOf(maps), text);
}

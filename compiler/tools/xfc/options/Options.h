//===- Options.h - The command line of xfc -------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_OPTIONS_OPTIONS_H
#define XF_COMPILER_TOOLS_XFC_OPTIONS_OPTIONS_H

#include "compiler/Pipeline/Pipeline.h"
#include "compiler/Target/Target.h"
#include "compiler/tools/xfc/options/MeshOptions.h"

namespace mlir::xf {

/// The exit codes of xfc. Users rely on their values.
enum ExitCode { ExitSuccess = 0, ExitProgram = 1, ExitUsage = 2, ExitInternal = 70, ExitNoDevice = 77 };

struct XfcOptions {
  std::string input, output;
  std::string target = "cpu";
  bool choosesF32Products = false; ///< whether --f32-products was given
  bool choosesCpu = false;         ///< whether --mcpu was given
  bool listStages = false;
  std::string help;    ///< what --help prints; empty if it was not given
  bool timing = false; ///< whether the seconds of stages and passes are printed
  bool explain = false, json = false;
  std::string patternSvg, patternPng, patternText, patternNpz; ///< files for the pictures of explain, empty: none
  std::string html;                                            ///< the file for the page of explain, empty: none
  int64_t patternSize = 0;                     ///< queries and keys of the pictures, 0: chosen by the pattern
  int64_t patternHeight = 0, patternWidth = 0; ///< of a grid of tokens that shows the keys of one query, 0: none
  int64_t patternQuery = -1;                   ///< the position of this query, -1: chosen by the grid
  int64_t patternHead = -1;                    ///< the head of the pictures, -1: the first of each solution
  bool patternTiles = false;                   ///< whether the kernels' tiles are drawn
  std::vector<std::string> maps;               ///< npy files of weights to draw, in place of patterns
  MeshTexts meshTexts;                         ///< the options of the mesh as they were given
  MeshOptions mesh;                            ///< the ranks that share the program, for explain
  /// Returns whether `explain` should draw pictures.
  bool draws() const {
    return !patternSvg.empty() || !patternPng.empty() || !patternText.empty() || !patternNpz.empty();
  }
  /// Returns whether an option was given that affects the contents of pictures.
  bool choosesPicture() const {
    return patternSize != 0 || patternHeight != 0 || patternQuery >= 0 || patternHead >= 0 || patternTiles;
  }
  CompileOptions compile;

  /// Returns the machine that `explain` reports on: the first GPU or, without a GPU, the CPU. Returns null if the name
  /// of the machine is unknown.
  MachineRef explained() const {
    return compile.gpus.empty() ? findCpu({compile.cpu, compile.vectorBits, "exact", compile.targetTriple})
                                : findGpu({compile.gpus.front()});
  }
};

/// Parses the command line. On a mistake, prints one line to stderr and fails (exit code 2).
FailureOr<XfcOptions> parseOptions(int argc, char **argv);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_OPTIONS_OPTIONS_H

//===- Options.h - Command-line options of byte_lm -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BYTE_LM_OPTIONS_H
#define BYTE_LM_OPTIONS_H

#include "SparseTransformer.h"

#include <xf/device.h>

#include <filesystem>

namespace byte_lm {

struct Options {
  std::vector<std::filesystem::path> text; ///< files and folders; empty: defaultSources()
  ModelOptions model;
  int64_t batch = 4;
  int64_t steps = 0; ///< 0: as many as fit into `minutes`
  double minutes = 3;
  double rate = 3e-3;
  int threads = 0; ///< 0: one for each CPU
  xf::Device device;
  /// Axes "data", which shares the windows of a step, and "sequence", which shares their bytes; none: one process.
  std::vector<xf::Mesh::Axis> mesh;
  xf::Placement placement;           ///< of the bytes of a window along "sequence"
  std::string f32Products = "exact"; ///< as in xf::CompileOptions
  uint64_t seed = 1;
  std::filesystem::path output = "byte_lm.out";
  int64_t checkpointEvery = 100;
  bool resume = true;
  int64_t sampleBytes = 400;
  std::string prompt = "The ";
  std::filesystem::path losses; ///< empty: none; the loss of each step of this process, in bits per byte
  std::filesystem::path mlir;   ///< write the program to this file and exit
  bool help = false;
};

/// Returns the text of --help.
std::string usage();

/// Returns the number of processes of the mesh along an axis; 1 where it has no such axis.
int64_t ranksAlong(const Options &options, const std::string &axis);

/// Throws std::invalid_argument unless the mesh has that many processes, which divide the batch and the context.
void expectMesh(const Options &options, int64_t processes);

/// Parses the command line. Throws std::invalid_argument for an unknown option or an invalid value.
Options parseOptions(int count, const char *const *words);

} // namespace byte_lm

#endif // BYTE_LM_OPTIONS_H

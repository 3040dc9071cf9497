//===- RunOptions.cpp - The command line of xf-run ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunOptions.h"

using namespace xfrt::tools;

int xfrt::tools::parseRunOptions(std::string_view tool, int argc, char **argv, RunOptions &options) {
  CommandLine line(std::string(tool),
                   "Runs an entry of a model on given inputs; writes, compares or prints its results.");
  line.positional("MODEL.{mlir,so}", options.model);
  line.text("entry", options.entry, "NAME", "what to run; may be left out when the model has one entry");
  line.flag("vjp", options.vjp, "run its derivative: takes d_RESULT, gives d_INPUT too");
  line.list("input", options.inputs, "NAME=VALUE", "@file.npy, 2x4x8xf32=0.5, 2x4x8xf32=random(SEED); repeated");
  line.text("parameters", options.parameters, "FILE", "weights, as safetensors");
  line.list("output", options.outputs, "NAME=@FILE",
            "write a result as npy; repeated; {rank} in FILE: number of the process");
  line.list("expected-output", options.expectedOutputs, "NAME=@FILE", "compare a result with an npy; repeated");
  line.real("rtol", options.rtol, "relative tolerance of the comparison (1e-5)");
  line.real("atol", options.atol, "absolute tolerance of the comparison (1e-5)");
  line.choice("target", options.target, {"cpu", "cuda", "reference"}, "where to run (cpu)");
  line.integer("threads", options.threads, 0, 4096, "threads; 0, the default: one for each CPU");
  addObservation(line, options.observation);
  line.flag("verify", options.verify, "check that constants and images of the object are the bytes that xfc wrote");
  line.passThrough(options.compilerOptions);
  std::string error;
  if (!line.parse(argc, argv, error))
    return report(tool, exitUsage, error);
  if (!line.helpRequested())
    return -1;
  line.printHelp();
  return exitSuccess;
}

std::string xfrt::tools::entryName(const std::string &entry, bool vjp) { return vjp ? entry + "_vjp" : entry; }

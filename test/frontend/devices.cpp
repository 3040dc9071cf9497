//===- devices.cpp - Programs on GPUs, and where there is none -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir -p %t/absent && touch %t/absent/libcuda.so.1 && cd %t
// RUN: env LD_LIBRARY_PATH=absent frontend-devices missing | FileCheck %s --check-prefixes=MISSING,NO-DRIVER
// RUN: env LD_LIBRARY_PATH=%build/test/ptx/driver/current XF_SIM_DEVICES=0 frontend-devices missing | FileCheck %s --check-prefixes=MISSING,NO-DEVICE
// RUN: env LD_LIBRARY_PATH=%build/test/ptx/driver/current XF_SIM_DRIVER=10020 frontend-devices missing | FileCheck %s --check-prefixes=MISSING,OLD
// RUN: env LD_LIBRARY_PATH=%build/test/ptx/driver/current XF_SIM_CAPABILITY=7.5 frontend-devices missing | FileCheck %s --check-prefixes=MISSING,WRONG
// RUN: env LD_LIBRARY_PATH=%build/test/ptx/driver/current XF_SIM_CAPABILITY=8.0 XF_SIM_DEVICES=2 frontend-devices present | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%build/test/ptx/driver/current XF_SIM_CAPABILITY=9.0 frontend-devices kernels | FileCheck %s --check-prefix=KERNELS
// RUN: env LD_LIBRARY_PATH=%build/test/ptx/driver/current XF_SIM_CAPABILITY=12.0 frontend-devices kernels | FileCheck %s --check-prefix=NEWER
// RUN: env LD_LIBRARY_PATH=%build/test/ptx/driver/current XF_SIM_CAPABILITY=8.0 XF_SIM_FAIL=cuLaunchKernel:2:700 frontend-devices failing | FileCheck %s --check-prefix=FAILING
// RUN: env LD_LIBRARY_PATH=%build/test/ptx/driver/current XF_SIM_CAPABILITY=8.0 frontend-devices forked | FileCheck %s --check-prefix=FORKED
//
// The object is xfc's.
// RUN: xfc model.mlir --target=cuda --gpu-arch=sm_80 -o model.o && cmp model.o in-process.o
// RUN: mkdir tf32 && xfc model.mlir --target=cuda --gpu-arch=sm_80 --f32-products=tf32 -o tf32/model.o && cmp tf32/model.o in-process-tf32.o

#include "OneWeight.h"

#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

using namespace xf;

static Program makeProgram(const Scale &scale) {
  Program program("model", scale);
  program.entry("scaled", {{"x", f32, {2}}}, scale);
  program.train_step(
      "train", scale, {{"x", f32, {2}}}, [&](Tensor x) { return mean(square(scale(x))); }, optim::SGD{.momentum = 0.5});
  return program;
}

static void printDevice(const Executable &run) {
  Device device = run.device();
  std::printf("runs on: %s %d, %s\n", device == cpu() ? "cpu" : "cuda", device.number,
              run.fallback().empty() ? "as asked" : run.fallback().c_str());
}

static void printStatus(const Device &device) {
  DeviceStatus status = device_status(device);
  std::printf("status: %s; %s; %s\n", status.status.c_str(), status.architecture.c_str(), status.reason.c_str());
}

static Arrays scaled(const Executable &run) { return run.call("scaled", {{"x", numbers({2}, {1, 2})}}); }

/// loss = w^2 for inputs of 1; its derivative is 2 w.
static Arrays train(const Executable &run) {
  return run.call("train", {{"x", numbers({2}, {1, 1})}, {"learning_rate", numbers({}, {0.25f})}});
}

/// A GPU that must be there is an error at the user's line; one that may be gives way to the CPU, which says why.
static void withoutGpu(const Program &program) {
  // MISSING: status: ok; ; {{$}}
  printStatus(cpu());
  // NO-DRIVER: status: no_driver; ; no CUDA driver: {{.*}}libcuda.so.1
  // NO-DEVICE: status: no_device; ; {{.*}}CUDA_ERROR_NO_DEVICE
  // OLD: status: old_driver; ; expected a CUDA driver of version 11.0 or later, got 10.2
  // WRONG: status: wrong_architecture; sm_75; expected a GPU of sm_80 or later, got sm_75
  printStatus(cuda());
  // MISSING: {{(no_driver|no_device|old_driver|wrong_architecture)}}: {{.*}}devices.cpp:[[@LINE+1]]:{{[0-9]+}}: {{.+}}
  printError([&] { program.compile({.device = cuda()}); });
  Executable run = program.compile({.device = cuda_or_cpu()});
  // NO-DRIVER: runs on: cpu 0, no CUDA driver:
  // NO-DEVICE: runs on: cpu 0, {{.*}}CUDA_ERROR_NO_DEVICE
  // OLD: runs on: cpu 0, expected a CUDA driver
  // WRONG: runs on: cpu 0, expected a GPU of sm_80
  printDevice(run);
  // MISSING: scaled: 3 6
  print("scaled", scaled(run).at("scaled"));
  // MISSING: runs on: cpu 0, as asked
  printDevice(program.compile());
}

static void withGpu(const Program &program) {
  // CHECK: status: ok; sm_80; {{$}}
  printStatus(cuda(1));
  // CHECK: status: no_device; ; {{.+}}
  printStatus(cuda(2));
  // CHECK: no_device: {{.*}}devices.cpp:[[@LINE+1]]:
  printError([&] { program.compile({.device = cuda(2)}); });
  // CHECK: devices.cpp:[[@LINE+1]]:{{[0-9]+}}: expected the number of a device, got -1
  printError([&] { program.compile({.device = cuda(-1)}); });

  Executable run = program.compile({.device = cuda(1)});
  writeObject("in-process.o", run);
  // CHECK: runs on: cuda 1, as asked
  printDevice(run);
  // CHECK: scaled: 3 6
  print("scaled", scaled(run).at("scaled"));

  // Parameters and state stay on the GPU from step to step: 3 - 6 / 4, then momentum 3 + 6 / 2.
  // CHECK: loss: 9
  // CHECK: loss: 2.25
  // CHECK: weight: 0
  // CHECK: velocity: 6
  print("loss", train(run).at("loss"));
  print("loss", train(run).at("loss"));
  print("weight", run.state_dict().at("weight"));
  print("velocity", run.optimizer_state().begin()->second);

  // What is written into the arrays counts from the next call on, and so does what is loaded.
  // CHECK: written: 4 8
  // CHECK: loaded: 5 10
  run.state_dict().at("weight").data<float>()[0] = 4;
  print("written", scaled(run).at("scaled"));
  run.load_state_dict({{"weight", numbers({1}, {5})}});
  print("loaded", scaled(run).at("scaled"));

  // CHECK: runs on: cuda 0, as asked
  printDevice(program.compile({.device = cuda_or_cpu()}));
  // Kernels of another GPU than the one that is there.
  // CHECK: wrong_architecture: {{.*}}devices.cpp:[[@LINE+1]]:{{[0-9]+}}: {{.*}}expected a device of sm_90a, got sm_80
  printError([&] { program.compile({.device = cuda(), .gpus = {"sm_90a"}}); });
  // CHECK: runs on: cpu 0, {{.*}}expected a device of sm_90a, got sm_80
  printDevice(program.compile({.device = cuda_or_cpu(), .gpus = {"sm_90a"}}));
  // CHECK: devices.cpp:[[@LINE+1]]:{{[0-9]+}}: expected GPUs of sm_80, sm_86, sm_89, sm_90a, got 'sm_85'
  printError([&] { program.compile({.gpus = {"sm_80", "sm_85"}}); });
  // CHECK: devices.cpp:[[@LINE+1]]:{{[0-9]+}}: expected exact, tf32 or bf16x3 for f32_products, got 'tf16'
  printError([&] { program.compile({.device = cuda(), .f32_products = "tf16"}); });
  // CHECK: devices.cpp:[[@LINE+1]]:{{[0-9]+}}: expected a GPU as device, or in gpus, beside f32_products, got 'tf32' for a CPU, which multiplies exactly
  printError([&] { program.compile({.f32_products = "tf32"}); });
  writeObject("in-process-tf32.o", program.compile({.device = cuda(), .f32_products = "tf32"}));
}

/// The kernels are those of the newest architecture that the device runs.
static void kernelsOf(const Program &program) {
  std::span<const std::byte> bytes = program.compile({.device = cuda()}).object();
  std::string object(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  for (const char *name : {"sm_80", "sm_89", "sm_90a"})
    if (object.find(std::string(".target ") + name) != std::string::npos)
      std::printf("kernels for %s\n", name);
  // KERNELS: kernels for sm_90a
  // NEWER: kernels for sm_89
}

/// A kernel that fails takes the device's context with it.
static void failing(const Program &program) {
  Executable run = program.compile({.device = cuda()});
  // FAILING: scaled: 3 6
  print("scaled", scaled(run).at("scaled"));
  // FAILING: device_error: {{.*}}devices.cpp:[[#FIRST:]]:
  // FAILING: device_error:
  // FAILING: device_error: {{.*}}devices.cpp:[[@LINE+3]]:
  for (int n = 0; n < 2; ++n)
    printError([&] { scaled(run); });
  printError([&] { run.state_dict(); });
}

/// A child of the process runs, trains and compiles for the CPU; of a GPU it has nothing, and says so.
static void forked(const Program &program) {
  Executable run = program.compile(), onGpu = program.compile({.device = cuda()});
  scaled(run);
  scaled(onGpu);
  std::fflush(stdout);
  if (const pid_t child = fork(); child == 0) {
    alarm(60);
    // FORKED: child: 3 6
    // FORKED: loss: 9
    print("child", scaled(run).at("scaled"));
    print("loss", train(run).at("loss"));
    // FORKED: devices.cpp:{{[0-9]+}}:{{[0-9]+}}: expected a handle of this process, got one of its parent
    printError([&] { scaled(onGpu); });
    // FORKED: anew: 3 6
    print("anew", scaled(program.compile()).at("scaled"));
    // FORKED: runs on: cpu 0, the CUDA driver does not work in a child of fork
    printDevice(program.compile({.device = cuda_or_cpu()}));
    run = onGpu = program.compile(); // ends the parent's
    // FORKED: ended
    std::puts("ended");
    std::fflush(stdout);
    _exit(0);
  } else {
    int status = 0;
    waitpid(child, &status, 0);
    // FORKED: exit status 0
    std::printf("exit status %d\n", status);
  }
  // FORKED: parent: 3 6
  // FORKED: on the GPU: 3 6
  print("parent", scaled(run).at("scaled"));
  print("on the GPU", scaled(onGpu).at("scaled"));
}

int main(int, char **arguments) {
  Scale scale;
  Program program = makeProgram(scale);
  program.save("model.mlir");
  std::string wanted = arguments[1];
  (wanted == "missing"   ? withoutGpu
   : wanted == "present" ? withGpu
   : wanted == "kernels" ? kernelsOf
   : wanted == "forked"  ? forked
                         : failing)(program);
}

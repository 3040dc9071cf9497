//===- Simulator.h - A CUDA driver without a GPU ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libcuda.so.1 for tests: the entry points that the runtime uses, over the PTX machine. A program that links it, or
// that finds it first in LD_LIBRARY_PATH, runs kernels on the CPU, with every check of the machine. It is stricter than
// a driver: work of a stream happens when something waits for it, as late as it may, and what the machine reports of a
// kernel makes the context fail for good and is printed with its line of PTX.
//
// Environment, read when the library is loaded and by xfSimReset:
//   XF_SIM_DEVICES=1            number of devices
//   XF_SIM_CAPABILITY=9.0       compute capability; limits of memory are those of such a device
//   XF_SIM_DRIVER=12080         version of the driver
//   XF_SIM_PROCESSORS=4         multiprocessors; 0: as many as a device of the capability has
//   XF_SIM_MEMORY=BYTES         memory of a device
//   XF_SIM_POOLS=1              0: no stream-ordered allocation
//   XF_SIM_FAIL=F:N:C,..        the N-th call (*: every) of the entry point F answers C; sticky where C is. F may be
//                               "kernel": the N-th one that runs ends with C
//   XF_SIM_SCHEDULE=lazy        or eager, random: when asynchronous operations of a kernel happen
//   XF_SIM_SEED=1               of the order of warps
//   XF_SIM_PTX=FILE             the code of every module, whatever image is loaded: kernels with a fault in them
//   XF_PTX_COVERAGE=FILE        at the end of the process, append how often which opcode of what was loaded ran
//   XF_SIM_STATISTICS=1         after each kernel, print its blocks and threads, its instructions of warps, and the
//                               bytes of global memory that they and their copies read and wrote
//   XF_SIM_CACHE=BYTES          there, also print what reads bring to a second-level cache of that size
//   XF_SIM_LEAKS=1              at the end of the process, print what was never given back
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_DRIVER_SIMULATOR_H
#define XF_TEST_PTX_DRIVER_SIMULATOR_H

#include <stdint.h>

extern "C" {

/// Reads the environment again and counts calls anew. No context is retained.
void xfSimReset();

/// Calls of an entry point, such as "cuMemAlloc_v2", since the last reset.
int xfSimCalls(const char *entryPoint);

/// What contexts that ended well had not got back since the last reset: allocations, modules, streams, graphs; plus
/// contexts that are still retained.
int xfSimLeaks();

/// Bytes of device memory in use.
uint64_t xfSimUsedBytes();

/// The context that is current in this thread, or null.
void *xfSimCurrent();

/// For other libraries whose work is ordered on streams. Puts work on a stream of the current context, and returns an
/// error of the driver. When the stream comes to it, `poll(user)` is called, again and again until it returns 0: then
/// the stream goes on. Calls of the driver are locked meanwhile.
int xfSimEnqueue(void *stream, int (*poll)(void *user), void *user);

/// Copies memory of a device to memory of another, or of the same one. Returns 0 where both ranges are of one
/// allocation each.
int xfSimCopy(void *toContext, void *to, void *fromContext, const void *from, uint64_t bytes);

/// Locks calls of the driver, also recursively; unlocking tells streams that wait to poll again.
void xfSimLock();
void xfSimUnlock();

} // extern "C"

#endif // XF_TEST_PTX_DRIVER_SIMULATOR_H

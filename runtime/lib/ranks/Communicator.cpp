//===- Communicator.cpp - Verifying and opening transports ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Communicator.h"
#include "../Tables.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

using namespace xfrt;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

xfrt_status xfrt::checkCommunicator(const xfrt_communicator &communicator, Message &message) {
  // No other field may be read before the version is verified.
  if (communicator.version != XFRT_COMMUNICATOR_VERSION)
    return message.fail(XFRT_ABI_MISMATCH, "expected a communicator of version %d, got version %d",
                        XFRT_COMMUNICATOR_VERSION, communicator.version);
  if (communicator.size < 1 || communicator.rank < 0 || communicator.rank >= communicator.size)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a rank of the communicator below its size, got rank %d of %d",
                        communicator.rank, communicator.size);
  if (communicator.gpu < 0)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a GPU of the communicator of at least 0, got %d",
                        communicator.gpu - 1);
  if (!communicator.start || !communicator.wait || !communicator.abort || !communicator.message || !communicator.close)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected all functions of the communicator, got a null pointer");
  return XFRT_OK;
}

xfrt_status xfrt::checkRanks(const xfrt_options &options, Message &message) {
  if (options.timeout_ms < 0)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a timeout of at least 0 ms, got %" PRId64, options.timeout_ms);
  return options.communicator ? checkCommunicator(*options.communicator, message) : XFRT_OK;
}

xfrt_status xfrt::checkShares(const xfrt_model &model, const xfrt_communicator *communicator, Message &message) {
  const int64_t ranks = communicator ? communicator->size : 1, shares = ranksOf(model);
  if (shares == ranks)
    return XFRT_OK;
  // Every rank would run the whole program by itself, and nobody would notice.
  if (shares == 1)
    return message.fail(XFRT_BAD_MODEL,
                        "model %s: expected shares for the %" PRId64 " ranks of the communicator, got a model of "
                        "one rank",
                        Quoted(model.name).get(), ranks);
  if (!communicator)
    return message.fail(XFRT_INVALID_ARGUMENT, "model %s: expected a communicator of %" PRId64 " ranks, got none",
                        Quoted(model.name).get(), shares);
  return message.fail(XFRT_INVALID_ARGUMENT, "model %s: expected a communicator of %" PRId64 " ranks, got %" PRId64,
                      Quoted(model.name).get(), shares, ranks);
}

//===----------------------------------------------------------------------===//
// Plug-ins
//===----------------------------------------------------------------------===//

/// The plug-ins for MPI: one built with the MPI of this machine, and one for every MPI with the standard ABI of MPI 5.
static const char *const plugins[] = {"libxfrt-mpi.so", "libxfrt-mpi-abi.so"};

/// Returns whether to try the plug-in of the standard ABI first. This is so if the process has an MPI of the ABI
/// loaded, or was started by a launcher other than that of Open MPI.
static bool prefersAbi() {
  if (void *loaded = dlopen("libmpi_abi.so.1", RTLD_NOW | RTLD_NOLOAD)) {
    dlclose(loaded);
    return true;
  }
  return (getenv("PMI_RANK") || getenv("PMI_SIZE")) && !getenv("OMPI_COMM_WORLD_SIZE");
}

static void setReason(char (&reason)[400]) {
  const char *text = dlerror();
  snprintf(reason, sizeof reason, "%s", text ? text : "cannot open it");
}

/// Opens a library in the folder of this one. If there is none, opens the one that the loader finds. On failure returns
/// null and sets `reason`.
static void *openBeside(const char *name, char (&reason)[400]) {
  Dl_info here;
  char path[4096];
  if (dladdr(reinterpret_cast<const void *>(&openBeside), &here) && here.dli_fname)
    if (const char *slash = strrchr(here.dli_fname, '/')) {
      const int folder = int(slash - here.dli_fname);
      if (snprintf(path, sizeof path, "%.*s/%s", folder, here.dli_fname, name) < int(sizeof path)) {
        if (void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL))
          return library;
        setReason(reason);
        struct stat found;
        if (stat(path, &found) == 0) // another one would not be the one that was installed with this library
          return nullptr;
      }
    }
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    setReason(reason);
  return library;
}

/// Opens the first plug-in for MPI that can be opened, and sets `name` to its name. If none can be opened, the message
/// has a reason for each plug-in.
static void *openMpi(const char *&name, Message &message) {
  char reasons[2][400];
  const bool abiFirst = prefersAbi();
  for (int turn = 0; turn < 2; ++turn) {
    name = plugins[abiFirst ? 1 - turn : turn];
    if (void *library = openBeside(name, reasons[turn]))
      return library;
  }
  message.fail(XFRT_NO_TRANSPORT, "no plug-in for MPI: %s; %s", reasons[0], reasons[1]);
  return nullptr;
}

/// Fills `communicator` by the function that the plug-in `library` exports.
static xfrt_status makeCommunicator(void *library, const char *name, xfrt_communicator &communicator,
                                    Message &message) {
  auto make = reinterpret_cast<xfrt_make_communicator_function>(dlsym(library, "xfrt_make_communicator"));
  if (!make)
    return message.fail(XFRT_NO_TRANSPORT, "%s: expected a plug-in with xfrt_make_communicator", Quoted(name).get());
  char why[512] = "";
  if (make(&communicator, XFRT_COMMUNICATOR_VERSION, why, sizeof why) != XFRT_TRANSPORT_OK) {
    why[sizeof why - 1] = 0;
    return message.fail(XFRT_TRANSPORT_ERROR, "%s: %s", Quoted(name).get(), why);
  }
  return checkCommunicator(communicator, message);
}

xfrt_status xfrt_open_nccl(const xfrt_communicator *host, int32_t deviceNumber, int64_t timeout,
                           xfrt_communicator *communicator) {
  static constexpr const char *name = "libxfrt-nccl.so";
  Message &message = threadMessage();
  if (!communicator || !host)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a communicator and a place for another, got a null pointer");
  *communicator = {};
  if (xfrt_status status = checkCommunicator(*host, message))
    return status;
  if (deviceNumber < 0 || timeout < 0)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a device and a timeout of at least 0, got %d and %" PRId64,
                        deviceNumber, timeout);
  char reason[400], why[512] = "";
  void *library = openBeside(name, reason);
  if (!library)
    return message.fail(XFRT_NO_TRANSPORT, "no plug-in for NCCL: %s", reason);
  auto make = reinterpret_cast<xfrt_make_gpu_communicator_function>(dlsym(library, "xfrt_make_gpu_communicator"));
  if (!make)
    return message.fail(XFRT_NO_TRANSPORT, "%s: expected a plug-in with xfrt_make_gpu_communicator",
                        Quoted(name).get());
  xfrt_communicator made = {};
  const int status =
      make(&made, XFRT_COMMUNICATOR_VERSION, host, deviceNumber, timeout ? timeout : 600000, why, sizeof why);
  why[sizeof why - 1] = 0;
  if (status != XFRT_TRANSPORT_OK)
    return message.fail(status == XFRT_TRANSPORT_LATE     ? XFRT_RANK_LOST
                        : status == XFRT_TRANSPORT_ABSENT ? XFRT_NO_TRANSPORT
                                                          : XFRT_TRANSPORT_ERROR,
                        "%s: %s", Quoted(name).get(), why);
  if (xfrt_status wrong = checkCommunicator(made, message))
    return wrong;
  *communicator = made;
  return XFRT_OK;
}

/// Returns the number of ranks that an MPI launcher started together with this one, or 0 if the environment does not
/// tell.
static int launchedRanks() {
  const char *text = getenv("OMPI_COMM_WORLD_SIZE");
  if (!text)
    text = getenv("PMI_SIZE");
  return text ? int(strtol(text, nullptr, 10)) : 0;
}

xfrt_status xfrt_open_communicator(const char *given, xfrt_communicator *communicator) {
  Message &message = threadMessage();
  if (!communicator)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a place for the communicator, got a null pointer");
  *communicator = {};
  const char *name = given;
  void *library = given ? dlopen(given, RTLD_NOW | RTLD_LOCAL) : openMpi(name, message);
  if (!library && given) {
    const char *reason = dlerror();
    return message.fail(XFRT_NO_TRANSPORT, "no plug-in: %s", reason ? reason : "cannot open it");
  }
  if (!library)
    return XFRT_NO_TRANSPORT;
  xfrt_communicator made = {};
  if (xfrt_status status = makeCommunicator(library, name, made, message))
    return status;
  // Another MPI than the launcher's takes each process for a program of its own.
  if (const int launched = launchedRanks(); !given && made.size == 1 && launched > 1) {
    made.close(&made);
    return message.fail(XFRT_NO_TRANSPORT, "%s: expected the %d ranks of the launcher, got 1: it is of another MPI",
                        Quoted(name).get(), launched);
  }
  *communicator = made;
  return XFRT_OK;
}

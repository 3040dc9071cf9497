//===- communicator.c - NCCL between the GPUs of ranks --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plug-in of libxfrt for NCCL, libxfrt-nccl.so (xfrt/communicator.h). It sends messages in GPU memory as one group
// of ncclSend and ncclRecv on the caller's stream. Another communicator of the same ranks sends messages in host
// memory. It also sends the id by which NCCL's ranks find each other. libnccl.so.2 and libcuda.so.1 are opened at run
// time; the build needs neither.
//
// NCCL itself waits for ever for a rank that is gone. So its communicator does not block, and an event after each group
// tells when the group is complete. A wait that exceeds its limit aborts the communicator, which ends its kernels.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "xfrt/communicator.h"
#include "declarations.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// The state of one group of messages that was started on a stream.
typedef struct Ticket {
  XcudaEvent event; // behind the group; null before the first use
  int *peers;       // of what it receives, each once for each message
  int count, capacity;
  int is_used;
} Ticket;

typedef struct Context {
  const xfrt_communicator *host;
  XncclFunctions nccl;
  XcudaFunctions cuda;
  XncclComm comm; // null after an abort
  pid_t process;  // that is the rank; its children are none
  int device, has_context;
  XcudaContext primary;
  int64_t timeout_ms; // of what has no limit of its own
  Ticket *tickets;
  int ticket_count;
  const char *answer; // of `message`: `text`, or the host's
  char text[512];
} Context;

//===----------------------------------------------------------------------===//
// Failures and limits
//===----------------------------------------------------------------------===//

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int fail(Context *context, const char *function, int result) {
  context->answer = context->text;
  snprintf(context->text, sizeof context->text, "%s: %s", function, context->nccl.errorString(result));
  return XFRT_TRANSPORT_FAILED;
}

static int failCuda(Context *context, const char *function, int result) {
  context->answer = context->text;
  snprintf(context->text, sizeof context->text, "%s: error %d of the CUDA driver", function, result);
  return XFRT_TRANSPORT_FAILED;
}

/// Aborts NCCL's communicator, and with it kernels that wait for another rank.
static void abortComm(Context *context) {
  if (context->comm)
    context->nccl.abortAll(context->comm);
  context->comm = NULL;
}

/// Waits until NCCL has completed, in the background, the work that `function` began with the result `result`. Returns
/// an xfrt_transport_status.
static int settle(Context *context, const char *function, int result, int64_t timeout_ms) {
  const int64_t end = milliseconds() + timeout_ms;
  while (result == xncclInProgress) {
    int state = xncclSuccess;
    const int asked = context->nccl.getAsyncError(context->comm, &state);
    result = asked == xncclSuccess ? state : asked;
    if (result != xncclInProgress)
      break;
    if (milliseconds() > end) {
      abortComm(context);
      context->answer = context->text;
      snprintf(context->text, sizeof context->text, "%s: not all ranks have come", function);
      return XFRT_TRANSPORT_LATE;
    }
    sched_yield();
  }
  return result == xncclSuccess ? XFRT_TRANSPORT_OK : fail(context, function, result);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

// Tickets of the host's communicator have even numbers, those of groups odd ones.

/// Returns the index of a free ticket that has an event and room for `receives` peers, or -1 if there is none.
static int findTicket(Context *context, int32_t receives) {
  int n = 0;
  while (n < context->ticket_count && context->tickets[n].is_used)
    ++n;
  if (n == context->ticket_count) {
    const int count = n ? 2 * n : 16;
    Ticket *tickets = realloc(context->tickets, sizeof(Ticket) * (size_t)count);
    if (!tickets)
      return -1;
    memset(tickets + n, 0, sizeof(Ticket) * (size_t)(count - n));
    context->tickets = tickets;
    context->ticket_count = count;
  }
  Ticket *ticket = &context->tickets[n];
  if (receives > ticket->capacity) {
    int *peers = realloc(ticket->peers, sizeof(int) * (size_t)receives);
    if (!peers)
      return -1;
    ticket->peers = peers;
    ticket->capacity = receives;
  }
  if (!ticket->event && context->cuda.eventCreate(&ticket->event, xcudaEventDisableTiming) != xcudaSuccess) {
    ticket->event = NULL;
    return -1;
  }
  return n;
}

/// The messages of a group that NCCL sends and receives together.
typedef struct {
  const xfrt_peer_message *sends, *receives;
  int32_t send_count, receive_count;
} Messages;

/// Enqueues all messages of a group on a stream. Returns NCCL's result.
static int listMessages(Context *context, const Messages *group, XcudaStream stream) {
  int result = xncclSuccess;
  for (int32_t n = 0; n < group->send_count && (result == xncclSuccess || result == xncclInProgress); ++n) {
    const xfrt_peer_message *sent = &group->sends[n];
    result = context->nccl.send(sent->data, (size_t)sent->bytes, xncclBytes, sent->peer, context->comm, stream);
  }
  for (int32_t n = 0; n < group->receive_count && (result == xncclSuccess || result == xncclInProgress); ++n) {
    const xfrt_peer_message *got = &group->receives[n];
    result = context->nccl.receive(got->data, (size_t)got->bytes, xncclBytes, got->peer, context->comm, stream);
  }
  return result;
}

/// Writes a text that names the ranks of a late group. It names all of them, because NCCL does not tell which one is
/// late.
static void nameLate(Context *context, const Ticket *ticket) {
  size_t used = (size_t)snprintf(context->text, sizeof context->text, "no end of messages with ranks");
  int last = -1;
  for (int n = 0; n < ticket->count && used + 24 < sizeof context->text; ++n) {
    if (ticket->peers[n] != last)
      used += (size_t)snprintf(context->text + used, sizeof context->text - used, "%s %d", last < 0 ? "" : ",",
                               ticket->peers[n]);
    last = ticket->peers[n];
  }
}

/// Starts a group of messages on a stream, and sets *number to its ticket. Returns an xfrt_transport_status.
static int startGroup(Context *context, const Messages *group, XcudaStream stream, int32_t *number) {
  const int found = findTicket(context, group->receive_count);
  if (found < 0 || !context->comm) {
    snprintf(context->text, sizeof context->text, "%s",
             found < 0 ? "cannot make an event for a group of messages" : "NCCL was aborted by a failure before");
    return XFRT_TRANSPORT_FAILED;
  }
  Ticket *ticket = &context->tickets[found];
  ticket->count = group->receive_count;
  for (int32_t n = 0; n < group->receive_count; ++n)
    ticket->peers[n] = group->receives[n].peer;
  const int begun = context->nccl.groupStart();
  if (begun != xncclSuccess)
    return fail(context, "ncclGroupStart", begun);
  const int listed = listMessages(context, group, stream);
  const int ended = context->nccl.groupEnd(); // also of a list that failed
  if (listed != xncclSuccess && listed != xncclInProgress)
    return fail(context, "ncclSend", listed);
  const int settled = settle(context, "ncclGroupEnd", ended, context->timeout_ms);
  if (settled == XFRT_TRANSPORT_LATE)
    nameLate(context, ticket);
  if (settled != XFRT_TRANSPORT_OK)
    return settled;
  const int recorded = context->cuda.eventRecord(ticket->event, stream);
  if (recorded != xcudaSuccess)
    return failCuda(context, "cuEventRecord", recorded);
  ticket->is_used = 1;
  *number = 2 * found + 1;
  return XFRT_TRANSPORT_OK;
}

static int startMessages(void *user, const xfrt_peer_message *sends, int32_t send_count,
                         const xfrt_peer_message *receives, int32_t receive_count, void *stream, int32_t *number) {
  Context *context = user;
  if (!stream) {
    const int status =
        context->host->start(context->host->context, sends, send_count, receives, receive_count, NULL, number);
    context->answer = NULL;
    *number *= 2;
    return status;
  }
  context->answer = context->text;
  if (context->process != getpid()) {
    snprintf(context->text, sizeof context->text,
             "expected the process that opened the communicator, got a child of it");
    return XFRT_TRANSPORT_FAILED;
  }
  const Messages group = {sends, receives, send_count, receive_count};
  const int status = startGroup(context, &group, (XcudaStream)stream, number);
  if (status != XFRT_TRANSPORT_OK)
    abortComm(context); // groups before it may wait for ranks
  return status;
}
static int waitForMessages(void *user, int32_t number, int64_t timeout_ms) {
  Context *context = user;
  if (number >= 0 && number % 2 == 0) {
    context->answer = NULL;
    return context->host->wait(context->host->context, number / 2, timeout_ms);
  }
  context->answer = context->text;
  if (number < 0 || number / 2 >= context->ticket_count || !context->tickets[number / 2].is_used) {
    snprintf(context->text, sizeof context->text, "expected a ticket of messages under way, got %d", (int)number);
    return XFRT_TRANSPORT_FAILED;
  }
  Ticket *ticket = &context->tickets[number / 2];
  const int64_t end = milliseconds() + timeout_ms;
  for (;;) {
    const int state = context->cuda.eventQuery(ticket->event);
    if (state == xcudaSuccess) {
      ticket->is_used = 0;
      if (context->comm)
        return XFRT_TRANSPORT_OK;
      snprintf(context->text, sizeof context->text, "NCCL was aborted by a failure before");
      return XFRT_TRANSPORT_FAILED;
    }
    if (state != xcudaNotReady)
      return failCuda(context, "cuEventQuery", state);
    int error = xncclSuccess;
    const int asked = context->comm ? context->nccl.getAsyncError(context->comm, &error) : xncclSuccess;
    if (asked != xncclSuccess || (error != xncclSuccess && error != xncclInProgress)) {
      const int status = fail(context, "NCCL", asked != xncclSuccess ? asked : error);
      abortComm(context);
      return status;
    }
    if (timeout_ms <= 0)
      return XFRT_TRANSPORT_LATE;
    if (milliseconds() > end)
      break;
    sched_yield();
  }
  nameLate(context, ticket);
  abortComm(context);
  return XFRT_TRANSPORT_LATE;
}

//===----------------------------------------------------------------------===//
// Begin and end
//===----------------------------------------------------------------------===//

static void abortRanks(void *user, int code, const char *why) {
  Context *context = user;
  context->host->abort(context->host->context, code, why);
  _Exit(code);
}

static const char *messageOf(void *user) {
  Context *context = user;
  return context->answer ? context->answer : context->host->message(context->host->context);
}

/// Ends NCCL's communicator. A communicator that does not block has to be finalised in the background before it is
/// destroyed. If that fails, or takes too long because ranks are gone, aborts the communicator.
static void endNccl(Context *context) {
  enum { most_ms = 10000 };
  if (context->comm && context->nccl.finalize) {
    const int result = context->nccl.finalize(context->comm);
    const int64_t limit = context->timeout_ms < most_ms ? context->timeout_ms : most_ms;
    if (settle(context, "ncclCommFinalize", result, limit) != XFRT_TRANSPORT_OK)
      abortComm(context);
  }
  if (context->comm)
    context->nccl.destroy(context->comm);
  context->comm = NULL;
}

/// Frees a context and everything that it owns.
static void destroy(Context *context) {
  XcudaContext popped;
  const int is_current = context->has_context && context->cuda.push(context->primary) == xcudaSuccess;
  endNccl(context);
  for (int n = 0; n < context->ticket_count; ++n) {
    if (context->tickets[n].event)
      context->cuda.eventDestroy(context->tickets[n].event);
    free(context->tickets[n].peers);
  }
  free(context->tickets);
  if (is_current)
    context->cuda.pop(&popped);
  if (context->has_context)
    context->cuda.release(context->device);
  free(context);
}

static void closeCommunicator(xfrt_communicator *communicator) {
  Context *context = communicator->context;
  if (context && context->process == getpid()) // a child has neither NCCL nor the driver
    destroy(context);
  memset(communicator, 0, sizeof *communicator);
}

/// Opens a library, which stays loaded. On failure stores the reason in context->text and returns null.
static void *openLibrary(Context *context, const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const char *why = library ? NULL : dlerror();
  if (!library)
    snprintf(context->text, sizeof context->text, "%s", why ? why : name);
  return library;
}

/// Opens the libraries of CUDA and NCCL, and looks up their functions. Returns an xfrt_transport_status.
static int openLibraries(Context *context) {
  void *cuda = openLibrary(context, "libcuda.so.1");
  void *nccl = cuda ? openLibrary(context, "libnccl.so.2") : NULL;
  if (!nccl)
    return XFRT_TRANSPORT_ABSENT;
  const char *missing = NULL;
#define XFRT_FIND(library, member, symbol)                                                                             \
  if (!(*(void **)&member = dlsym(library, #symbol)))                                                                  \
    missing = #symbol;
#define XFRT_FIND_CUDA(name, symbol, ...) XFRT_FIND(cuda, context->cuda.name, symbol)
#define XFRT_FIND_NCCL(name, symbol, ...) XFRT_FIND(nccl, context->nccl.name, symbol)
  XFRT_NCCL_CUDA_FUNCTIONS(XFRT_FIND_CUDA)
  XFRT_NCCL_FUNCTIONS(XFRT_FIND_NCCL)
  XFRT_FIND(nccl, context->nccl.errorString, ncclGetErrorString)
  *(void **)&context->nccl.finalize = dlsym(nccl, "ncclCommFinalize");
  if (!missing)
    return XFRT_TRANSPORT_OK;
  snprintf(context->text, sizeof context->text, "expected NCCL 2.14 and CUDA 11 or later, got none with %s", missing);
  return XFRT_TRANSPORT_ABSENT;
}

/// Retains the primary context of this rank's GPU. Returns an xfrt_transport_status.
static int openDevice(Context *context, int32_t device_number) {
  int result = context->cuda.init(0);
  if (result == xcudaSuccess)
    result = context->cuda.deviceGet(&context->device, device_number);
  if (result != xcudaSuccess)
    return failCuda(context, "cuDeviceGet", result);
  result = context->cuda.retain(&context->primary, context->device);
  if (result != xcudaSuccess)
    return failCuda(context, "cuDevicePrimaryCtxRetain", result);
  context->has_context = 1;
  return XFRT_TRANSPORT_OK;
}

/// The message that ranks exchange before NCCL starts.
typedef struct Introduction {
  int32_t failed; // a rank that cannot start, or -1
  XncclId id;
} Introduction;

/// If `sent` is not null, sends it to all peers. Otherwise receives an introduction from each peer to `received`.
/// Returns an xfrt_transport_status.
static int introduce(Context *context, Introduction *sent, Introduction *received, const int32_t *peers,
                     int32_t count) {
  const xfrt_communicator *host = context->host;
  xfrt_peer_message *messages = calloc((size_t)count + 1, sizeof *messages);
  int32_t ticket = -1;
  if (!messages)
    return XFRT_TRANSPORT_FAILED;
  for (int32_t n = 0; n < count; ++n) {
    messages[n].data = sent ? (void *)sent : (void *)(received + n);
    messages[n].bytes = (int64_t)sizeof(Introduction);
    messages[n].peer = peers[n];
  }
  int status = host->start(host->context, messages, sent ? count : 0, messages, sent ? 0 : count, NULL, &ticket);
  if (status == XFRT_TRANSPORT_OK)
    status = host->wait(host->context, ticket, context->timeout_ms);
  context->answer = NULL;
  free(messages);
  return status;
}

/// Lets all ranks agree whether they can start. Each tells rank 0, which then tells the result and NCCL's id to all.
/// Sets `known` to the message of rank 0. Returns an xfrt_transport_status.
static int agree(Context *context, int32_t own_failure, Introduction *known) {
  const xfrt_communicator *host = context->host;
  const int32_t others = host->rank == 0 ? host->size - 1 : 1;
  int32_t *peers = calloc((size_t)others + 1, sizeof *peers);
  Introduction *own = calloc((size_t)others + 1, sizeof *own); // then those of the peers
  Introduction *theirs = own + 1;
  int status = peers && own ? XFRT_TRANSPORT_OK : XFRT_TRANSPORT_FAILED;
  known->failed = own_failure;
  if (status == XFRT_TRANSPORT_OK && host->rank != 0) { // peers[0] is rank 0
    *own = *known;
    status = introduce(context, own, NULL, peers, 1);
    if (status == XFRT_TRANSPORT_OK)
      status = introduce(context, NULL, theirs, peers, 1);
    *known = *theirs;
  } else if (status == XFRT_TRANSPORT_OK) {
    for (int32_t n = 0; n < others; ++n)
      peers[n] = n + 1;
    status = introduce(context, NULL, theirs, peers, others);
    for (int32_t n = 0; n < others && status == XFRT_TRANSPORT_OK; ++n)
      if (known->failed < 0)
        known->failed = theirs[n].failed;
    *own = *known;
    if (status == XFRT_TRANSPORT_OK)
      status = introduce(context, own, NULL, peers, others);
  }
  free(peers);
  if (status != XFRT_TRANSPORT_LATE) // those under way may still be written
    free(own);
  return status;
}

/// Starts NCCL's communicator on the GPU whose context is current. Returns an xfrt_transport_status.
static int startNccl(Context *context, XncclId id) {
  XncclConfig config = {sizeof config, (unsigned)xncclMagic, xncclVersion, 0, INT_MIN};
  const int result = context->nccl.initRank(&context->comm, context->host->size, id, context->host->rank, &config);
  return settle(context, "ncclCommInitRankConfig", result, context->timeout_ms);
}

/// Opens the libraries and the GPU, agrees with the other ranks, and starts NCCL. A rank that cannot start still takes
/// part in the agreement, so that no rank waits for it. Returns an xfrt_transport_status.
static int begin(Context *context, int32_t device_number) {
  Introduction known;
  memset(&known, 0, sizeof known);
  context->answer = context->text;
  int own = openLibraries(context);
  if (own == XFRT_TRANSPORT_OK)
    own = openDevice(context, device_number);
  if (own == XFRT_TRANSPORT_OK && context->host->rank == 0) {
    const int result = context->nccl.getUniqueId(&known.id);
    own = result == xncclSuccess ? XFRT_TRANSPORT_OK : fail(context, "ncclGetUniqueId", result);
  }
  const int status = agree(context, own == XFRT_TRANSPORT_OK ? -1 : context->host->rank, &known);
  if (own != XFRT_TRANSPORT_OK || status != XFRT_TRANSPORT_OK) {
    context->answer = own != XFRT_TRANSPORT_OK ? context->text : NULL;
    return own != XFRT_TRANSPORT_OK ? own : status;
  }
  context->answer = context->text;
  if (known.failed >= 0) {
    snprintf(context->text, sizeof context->text, "rank %d cannot start NCCL", (int)known.failed);
    return XFRT_TRANSPORT_FAILED;
  }
  XcudaContext popped;
  const int pushed = context->cuda.push(context->primary);
  if (pushed != xcudaSuccess)
    return failCuda(context, "cuCtxPushCurrent", pushed);
  const int started = startNccl(context, known.id);
  if (started != XFRT_TRANSPORT_OK)
    abortComm(context);
  context->cuda.pop(&popped);
  return started;
}

/// The symbol that the plug-in exports (xfrt_make_gpu_communicator_function).
__attribute__((visibility("default"))) int xfrt_make_gpu_communicator(xfrt_communicator *communicator, int32_t version,
                                                                      const xfrt_communicator *host,
                                                                      int32_t device_number, int64_t timeout_ms,
                                                                      char *why, int32_t why_bytes) {
  memset(communicator, 0, sizeof *communicator);
  if (version != XFRT_COMMUNICATOR_VERSION) {
    snprintf(why, (size_t)why_bytes, "expected a library with communicators of version %d, got version %d",
             XFRT_COMMUNICATOR_VERSION, (int)version);
    return XFRT_TRANSPORT_FAILED;
  }
  Context *context = calloc(1, sizeof *context);
  if (!context) {
    snprintf(why, (size_t)why_bytes, "cannot allocate a communicator");
    return XFRT_TRANSPORT_FAILED;
  }
  context->host = host;
  context->timeout_ms = timeout_ms;
  context->process = getpid();
  const int status = begin(context, device_number);
  if (status != XFRT_TRANSPORT_OK) {
    snprintf(why, (size_t)why_bytes, "%s", messageOf(context));
    destroy(context);
    return status;
  }
  *communicator =
      (xfrt_communicator){XFRT_COMMUNICATOR_VERSION, host->rank, host->size, device_number + 1, context, startMessages,
                          waitForMessages,           abortRanks, messageOf,  closeCommunicator};
  return XFRT_TRANSPORT_OK;
}

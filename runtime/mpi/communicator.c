//===- communicator.c - MPI as a communicator of libxfrt -----------*- C -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plug-in of libxfrt for MPI (xfrt/communicator.h). It is built twice. The mpicc of this machine builds
// libxfrt-mpi.so, for its own MPI and others with the same ABI. The mpicc_abi of an MPI 5 builds libxfrt-mpi-abi.so,
// for every MPI with the standard ABI. Only functions of MPI 2 are used.
//
// All messages have one tag. The library only requires that messages between two ranks keep their order, which MPI
// ensures. Messages go through a duplicate of MPI_COMM_WORLD, so that they do not mix with the program's own.
//
//===----------------------------------------------------------------------===//

#include "xfrt/communicator.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Counts of MPI are ints, and some transports below it fail near 2^31: longer messages are sent in parts. Tests make
// parts small.
#ifndef XFRT_MPI_PART_BYTES
#define XFRT_MPI_PART_BYTES (INT64_C(1) << 30)
#endif

enum { messageTag = 7461 };

/// The messages of one call of `start`, as requests of MPI. A long message has one request for each of its parts.
/// Requests of receives come before requests of sends.
typedef struct Ticket {
  MPI_Request *requests;
  int *peers; // of each request
  int count, capacity;
  int receives; // how many of the requests are
  int is_used;
} Ticket;

typedef struct Context {
  MPI_Comm comm;
  int finalizes; // whether closing it ends MPI
  pid_t process; // that is the rank; its children are none
  Ticket *tickets;
  int ticket_count;
  char text[MPI_MAX_ERROR_STRING + 256];
} Context;

static int fail(Context *context, const char *function, int error) {
  char words[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(error, words, &length);
  for (char *c = words; *c; ++c)
    if (*c == '\n')
      *c = ' ';
  snprintf(context->text, sizeof context->text, "%s: %s", function, words);
  return XFRT_TRANSPORT_FAILED;
}

//===----------------------------------------------------------------------===//
// Tickets
//===----------------------------------------------------------------------===//

/// Returns the index of a free ticket, or -1 if memory could not be allocated.
static int findTicket(Context *context) {
  for (int n = 0; n < context->ticket_count; ++n)
    if (!context->tickets[n].is_used)
      return n;
  const int count = context->ticket_count ? 2 * context->ticket_count : 16;
  Ticket *tickets = realloc(context->tickets, sizeof(Ticket) * (size_t)count);
  if (!tickets)
    return -1;
  memset(tickets + context->ticket_count, 0, sizeof(Ticket) * (size_t)(count - context->ticket_count));
  context->tickets = tickets;
  const int first = context->ticket_count;
  context->ticket_count = count;
  return first;
}

static int64_t countParts(const xfrt_peer_message *messages, int32_t count) {
  int64_t parts = 0;
  for (int32_t n = 0; n < count; ++n)
    parts += (messages[n].bytes + XFRT_MPI_PART_BYTES - 1) / XFRT_MPI_PART_BYTES;
  return parts;
}

static int reserve(Ticket *ticket, int64_t count) {
  if (count <= ticket->capacity)
    return 1;
  if (count > INT32_MAX / 2)
    return 0;
  MPI_Request *requests = realloc(ticket->requests, sizeof(MPI_Request) * (size_t)count);
  if (requests)
    ticket->requests = requests;
  int *peers = realloc(ticket->peers, sizeof(int) * (size_t)count);
  if (peers)
    ticket->peers = peers;
  if (!requests || !peers)
    return 0;
  ticket->capacity = (int)count;
  return 1;
}

/// Starts the requests of one message, one for each part of at most XFRT_MPI_PART_BYTES bytes.
static int startMessage(Context *context, Ticket *ticket, const xfrt_peer_message *message, int is_sent) {
  char *data = message->data;
  for (int64_t begin = 0; begin < message->bytes; begin += XFRT_MPI_PART_BYTES) {
    const int64_t left = message->bytes - begin;
    const int bytes = (int)(left < XFRT_MPI_PART_BYTES ? left : XFRT_MPI_PART_BYTES);
    MPI_Request *request = &ticket->requests[ticket->count];
    const int error = is_sent
                          ? MPI_Isend(data + begin, bytes, MPI_BYTE, message->peer, messageTag, context->comm, request)
                          : MPI_Irecv(data + begin, bytes, MPI_BYTE, message->peer, messageTag, context->comm, request);
    if (error != MPI_SUCCESS)
      return fail(context, is_sent ? "MPI_Isend" : "MPI_Irecv", error);
    ticket->peers[ticket->count++] = message->peer;
  }
  return XFRT_TRANSPORT_OK;
}

static int startMessages(void *user, const xfrt_peer_message *sends, int32_t send_count,
                         const xfrt_peer_message *receives, int32_t receive_count, void *stream, int32_t *number) {
  (void)stream;
  Context *context = user;
  if (context->process != getpid()) {
    snprintf(context->text, sizeof context->text,
             "expected the process that opened the communicator, got a child of it");
    return XFRT_TRANSPORT_FAILED;
  }
  const int found = findTicket(context);
  Ticket *ticket = found < 0 ? NULL : &context->tickets[found];
  if (!ticket || !reserve(ticket, countParts(sends, send_count) + countParts(receives, receive_count))) {
    snprintf(context->text, sizeof context->text, "cannot allocate the requests of %d messages",
             send_count + receive_count);
    return XFRT_TRANSPORT_FAILED;
  }
  ticket->count = 0;
  ticket->is_used = 1;
  for (int32_t n = 0; n < receive_count; ++n) {
    const int status = startMessage(context, ticket, &receives[n], 0);
    if (status)
      return status;
  }
  ticket->receives = ticket->count;
  for (int32_t n = 0; n < send_count; ++n) {
    const int status = startMessage(context, ticket, &sends[n], 1);
    if (status)
      return status;
  }
  *number = found;
  return XFRT_TRANSPORT_OK;
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// Appends to the text the ranks of those requests in [begin, end) that are not complete: `what`, then for example " 3,
/// 5".
static void nameLate(Context *context, const Ticket *ticket, int begin, int end, const char *what) {
  size_t used = strlen(context->text);
  int last = -1, is_first = 1;
  for (int n = begin; n < end && used + 48 < sizeof context->text; ++n) {
    int is_done = 1;
    if (ticket->peers[n] != last &&
        MPI_Request_get_status(ticket->requests[n], &is_done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !is_done) {
      used += (size_t)snprintf(context->text + used, sizeof context->text - used, "%s %d", is_first ? what : ",",
                               ticket->peers[n]);
      last = ticket->peers[n];
      is_first = 0;
    }
  }
}

static int waitForMessages(void *user, int32_t number, int64_t timeout_ms) {
  Context *context = user;
  if (number < 0 || number >= context->ticket_count || !context->tickets[number].is_used) {
    snprintf(context->text, sizeof context->text, "expected a ticket of messages under way, got %d", number);
    return XFRT_TRANSPORT_FAILED;
  }
  Ticket *ticket = &context->tickets[number];
  const double end = MPI_Wtime() + (double)timeout_ms * 1e-3;
  for (;;) {
    int are_done = 0;
    const int error = MPI_Testall(ticket->count, ticket->requests, &are_done, MPI_STATUSES_IGNORE);
    if (error != MPI_SUCCESS)
      return fail(context, "MPI_Testall", error);
    if (are_done) {
      ticket->is_used = 0;
      return XFRT_TRANSPORT_OK;
    }
    if (timeout_ms <= 0)
      return XFRT_TRANSPORT_LATE;
    if (MPI_Wtime() > end)
      break;
    sched_yield(); // another rank may need this core to send
  }
  context->text[0] = 0;
  nameLate(context, ticket, 0, ticket->receives, "no message from ranks");
  if (!context->text[0])
    nameLate(context, ticket, ticket->receives, ticket->count, "no answer of ranks");
  return XFRT_TRANSPORT_LATE;
}

//===----------------------------------------------------------------------===//
// Begin and end
//===----------------------------------------------------------------------===//

static void abortRanks(void *user, int code, const char *why) {
  fprintf(stderr, "%s\n", why ? why : "");
  fflush(stderr);
  const Context *context = user;
  if (context->process == getpid())
    MPI_Abort(context->comm, code);
  _Exit(code);
}

static const char *messageOf(void *user) { return ((Context *)user)->text; }

static void closeCommunicator(xfrt_communicator *communicator) {
  Context *context = communicator->context;
  if (!context)
    return;
  for (int n = 0; n < context->ticket_count; ++n) {
    free(context->tickets[n].requests);
    free(context->tickets[n].peers);
  }
  free(context->tickets);
  int is_over = context->process != getpid(); // a child leaves MPI to the rank
  if (!is_over)
    MPI_Finalized(&is_over); // by the program, before this
  if (!is_over) {
    MPI_Comm_free(&context->comm);
    if (context->finalizes)
      MPI_Finalize();
  }
  free(context);
  memset(communicator, 0, sizeof *communicator);
}

/// Initialises MPI, unless the program has done it. Verifies that any thread may call MPI, one at a time, or else that
/// this thread is MPI's main thread. Returns null, or a text that describes the failure.
static const char *initialise(int *finalizes) {
  int is_initialised = 0, is_over = 0, level = 0, is_main = 0;
  MPI_Finalized(&is_over);
  if (is_over)
    return "expected MPI before its end, got MPI_Finalize called already";
  MPI_Initialized(&is_initialised);
  if (!is_initialised) {
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
      return "MPI_Init_thread failed";
    *finalizes = 1;
  } else if (MPI_Query_thread(&level) != MPI_SUCCESS || MPI_Is_thread_main(&is_main) != MPI_SUCCESS) {
    return "MPI_Query_thread failed";
  }
  if (level >= MPI_THREAD_SERIALIZED || (level == MPI_THREAD_FUNNELED && is_main))
    return NULL;
  return "expected MPI with MPI_THREAD_SERIALIZED (MPI_Init_thread), or FUNNELED and its thread, got less";
}

/// The symbol that the plug-in exports (xfrt_make_communicator_function).
__attribute__((visibility("default"))) int xfrt_make_communicator(xfrt_communicator *communicator, int32_t version,
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
  context->process = getpid();
  const char *failure = initialise(&context->finalizes);
  int rank = 0, size = 0;
  if (!failure && MPI_Comm_dup(MPI_COMM_WORLD, &context->comm) != MPI_SUCCESS)
    failure = "MPI_Comm_dup failed";
  if (!failure)
    MPI_Comm_set_errhandler(context->comm, MPI_ERRORS_RETURN);
  if (!failure &&
      (MPI_Comm_rank(context->comm, &rank) != MPI_SUCCESS || MPI_Comm_size(context->comm, &size) != MPI_SUCCESS))
    failure = "MPI_Comm_rank failed";
  if (failure) {
    snprintf(why, (size_t)why_bytes, "%s", failure);
    free(context);
    return XFRT_TRANSPORT_FAILED;
  }
  *communicator = (xfrt_communicator){
      XFRT_COMMUNICATOR_VERSION, rank, size, 0, context, startMessages, waitForMessages, abortRanks, messageOf,
      closeCommunicator};
  return XFRT_TRANSPORT_OK;
}

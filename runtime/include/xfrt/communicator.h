//===- xfrt/communicator.h - Messages between the ranks of a program -*- C -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libxfrt asks of a transport, as a table of functions: sets of messages between ranks, which are the processes
// that run one program together. libxfrt itself needs no transport to be there; a plug-in (libxfrt-mpi.so, and
// libxfrt-nccl.so for GPUs) or the application brings one. C99.
//
//   xfrt_communicator communicator;
//   if (xfrt_open_communicator(NULL, &communicator) != XFRT_OK) { puts(xfrt_message(NULL)); .. }
//   printf("rank %d of %d\n", communicator.rank, communicator.size);
//   communicator.close(&communicator);
//
// One primitive suffices, a set of messages that starts at once: collectives are plans over it, and sums are made by
// the library in an order that it knows. A transport moves bytes and adds nothing up.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_COMMUNICATOR_H
#define XFRT_COMMUNICATOR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Version of the structures below, and of what their functions do; changed with every change.
#define XFRT_COMMUNICATOR_VERSION 2

/// What functions of a communicator return.
typedef enum xfrt_transport_status {
  XFRT_TRANSPORT_OK = 0,
  XFRT_TRANSPORT_LATE = 1,   ///< not all messages have arrived in time; they may still do so
  XFRT_TRANSPORT_FAILED = 2, ///< the transport failed; xfrt_communicator::message has its words
  XFRT_TRANSPORT_ABSENT = 3  ///< of a plug-in that is opened: a library that it needs is not there
} xfrt_transport_status;

/// One message of a set. `data` is memory of the caller's, of the host or of a GPU (xfrt_communicator::start); a
/// message that is sent is read only. `bytes` is at least 1 and may be beyond 2^31. `peer` is the rank at the other
/// end, never this one.
typedef struct xfrt_peer_message {
  void *data;
  int64_t bytes;
  int32_t peer;
} xfrt_peer_message;

/// A transport between `size` ranks, of which this process is number `rank`. Whoever fills the table owns it, and
/// closes it after the last handle that uses it. One thread at a time may call its functions, not always the same one.
/// No function may throw, and none ends the process but `abort`.
typedef struct xfrt_communicator {
  int32_t version; ///< XFRT_COMMUNICATOR_VERSION
  int32_t rank;    ///< in [0, size)
  int32_t size;    ///< at least 1
  int32_t gpu;     ///< 1 + the number of this rank's GPU, if messages may lie in its memory; 0: in the host's alone
  void *context;   ///< first argument of the functions

  /// Starts to send and to receive messages, without waiting for any, and sets *ticket, which is not negative.
  /// Messages from one rank to another arrive in the order in which both list them: message n that A sends to B,
  /// counted over all calls of A and in the order of `sends`, is message n that B receives from A, and both say the
  /// same bytes. No more is agreed on: which messages go into one call is each rank's own affair. The library touches
  /// no memory of a message before `wait` has returned XFRT_TRANSPORT_OK for its ticket, unless a stream orders it.
  /// `stream` is null for messages in the memory of the host. Otherwise, which needs a `gpu`, it is the CUstream with
  /// whose work messages in the memory of its GPU are ordered: they are sent when the stream comes to them, and it goes
  /// on when they are complete; the stream's context is current. Messages with and without a stream are counted
  /// separately.
  int (*start)(void *context, const xfrt_peer_message *sends, int32_t send_count, const xfrt_peer_message *receives,
               int32_t receive_count, void *stream, int32_t *ticket);

  /// Waits until all messages of a ticket are complete, at most about `timeout_ms` milliseconds; 0 looks once, which
  /// lets messages move: on a CPU nothing moves while nobody looks. After XFRT_TRANSPORT_OK the ticket is free for
  /// another call of `start`. After XFRT_TRANSPORT_LATE with a limit above 0, `message` says which ranks are late. The
  /// messages remain under way, and their memory must remain until they are complete or the process ends. Messages on a
  /// stream are given up instead, and the stream goes on.
  int (*wait)(void *context, int32_t ticket, int64_t timeout_ms);

  /// Ends all ranks, with this exit code where the transport can: the others may be waiting for this one. Prints `why`
  /// on standard error. Does not return.
  void (*abort)(void *context, int code, const char *why);

  /// Returns one line about the last failure, without a final newline. Never null; valid until the next call.
  const char *(*message)(void *context);

  /// Ends the transport and frees what the table owns. Must not be called while messages are under way.
  void (*close)(struct xfrt_communicator *communicator);
} xfrt_communicator;

/// The one symbol of a plug-in for the host's memory, `xfrt_make_communicator`. Fills the table for the ranks of the
/// running program, and initialises the transport unless the program has done it. Returns an xfrt_transport_status; on
/// failure, also where `version` is not the plug-in's, writes one line into `why`, of `why_bytes` > 0 bytes.
typedef int (*xfrt_make_communicator_function)(xfrt_communicator *communicator, int32_t version, char *why,
                                               int32_t why_bytes);

/// The one symbol of a plug-in for GPUs, `xfrt_make_gpu_communicator`. `host` has the same ranks: it moves messages in
/// the memory of the host, and what ranks have to know of each other first; it outlives the table, which does not own
/// it. `device_number` is this rank's GPU. `timeout_ms` > 0 is the limit for ranks to find each other. Otherwise as
/// above.
typedef int (*xfrt_make_gpu_communicator_function)(xfrt_communicator *communicator, int32_t version,
                                                   const xfrt_communicator *host, int32_t device_number,
                                                   int64_t timeout_ms, char *why, int32_t why_bytes);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // XFRT_COMMUNICATOR_H

//===- xfrt/communicator.h - Messages between the ranks of a program -*- C -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface of libxfrt to a transport: a table of functions that send sets of messages between ranks. Ranks are the
// processes that run one program together. libxfrt links no transport. A plug-in (libxfrt-mpi.so, and libxfrt-nccl.so
// for GPUs) or the application provides one. C99.
//
//   xfrt_communicator communicator;
//   if (xfrt_open_communicator(NULL, &communicator) != XFRT_OK) { puts(xfrt_message(NULL)); .. }
//   printf("rank %d of %d\n", communicator.rank, communicator.size);
//   communicator.close(&communicator);
//
// A transport only moves bytes: it starts sets of messages and waits for them. The library composes collectives of such
// sets, and computes sums itself, always in the same order.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_COMMUNICATOR_H
#define XFRT_COMMUNICATOR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Version of the structures below and of the behaviour of their functions. Any change to a structure or a behaviour
/// changes the version.
#define XFRT_COMMUNICATOR_VERSION 2

/// The status that functions of a communicator return.
typedef enum xfrt_transport_status {
  XFRT_TRANSPORT_OK = 0,
  XFRT_TRANSPORT_LATE = 1,   ///< not all messages have arrived in time, but they still may
  XFRT_TRANSPORT_FAILED = 2, ///< the transport failed; xfrt_communicator::message tells why
  XFRT_TRANSPORT_ABSENT = 3  ///< a plug-in cannot be opened, because a library that it needs is missing
} xfrt_transport_status;

/// A message that is sent or received. `data` is memory of the caller, on the host or on a GPU
/// (xfrt_communicator::start). The library does not write to the memory of a message that is sent. `bytes` is at least
/// 1 and may be beyond 2^31. `peer` is the other rank, never this one.
typedef struct xfrt_peer_message {
  void *data;
  int64_t bytes;
  int32_t peer;
} xfrt_peer_message;

/// A transport between `size` ranks, of which this process is number `rank`. The caller or plug-in that fills the table
/// owns it, and must close it after the last handle that uses it. Only one thread at a time may call its functions, but
/// not always the same one. No function may throw, and only `abort` may end the process.
typedef struct xfrt_communicator {
  int32_t version; ///< XFRT_COMMUNICATOR_VERSION
  int32_t rank;    ///< in [0, size)
  int32_t size;    ///< at least 1
  int32_t gpu;     ///< 1 + number of this rank's GPU, if messages may lie in its memory; 0: host memory only
  void *context;   ///< first argument of the functions

  /// Starts to send and to receive messages, without waiting for any. Sets *ticket to a number that is not negative.
  /// Messages from one rank to another arrive in the order in which both ranks list them. Message n that A sends to B,
  /// counted over all calls of A and in the order of `sends`, is message n that B receives from A, and both must state
  /// the same number of bytes. Which messages go into one call is up to each rank. Messages with and without a stream
  /// are counted separately.
  /// `stream` is null for messages in host memory. For messages in the memory of the GPU, which need a `gpu`, it is a
  /// CUstream whose context is current. They are sent when the stream reaches them, and the stream goes on when they
  /// are complete. Without a stream, the library does not touch the memory of a message until `wait` has returned
  /// XFRT_TRANSPORT_OK for its ticket.
  int (*start)(void *context, const xfrt_peer_message *sends, int32_t send_count, const xfrt_peer_message *receives,
               int32_t receive_count, void *stream, int32_t *ticket);

  /// Waits until all messages of a ticket are complete, at most about `timeout_ms` milliseconds. With a limit of 0,
  /// checks once without waiting. This also lets messages move, which on a CPU move only during a call. After
  /// XFRT_TRANSPORT_OK `start` may return the ticket again.
  /// After XFRT_TRANSPORT_LATE with a limit above 0, `message` states which ranks are late. Messages in host memory
  /// remain under way: their memory must not be freed until they are complete or the process ends. Messages on a stream
  /// are aborted instead, and the stream goes on.
  int (*wait)(void *context, int32_t ticket, int64_t timeout_ms);

  /// Ends the processes of all ranks, because other ranks may be waiting for this one. The exit code is `code` if the
  /// transport can set it. Prints `why` on standard error. Does not return.
  void (*abort)(void *context, int code, const char *why);

  /// Returns one line about the last failure, without a final newline. The text is never null, and is valid until the
  /// next call.
  const char *(*message)(void *context);

  /// Closes the transport and frees everything that the table owns. Must not be called while messages are under way.
  void (*close)(struct xfrt_communicator *communicator);
} xfrt_communicator;

/// The function that a plug-in for host memory exports as `xfrt_make_communicator`. Fills the table for the ranks of
/// the running program, and initialises the transport unless the program has done it. Returns an xfrt_transport_status.
/// Fails if `version` is not the plug-in's. On failure writes one line into `why`, of `why_bytes` > 0 bytes.
typedef int (*xfrt_make_communicator_function)(xfrt_communicator *communicator, int32_t version, char *why,
                                               int32_t why_bytes);

/// The function that a plug-in for GPUs exports as `xfrt_make_gpu_communicator`. Fills the table as
/// xfrt_make_communicator does. `host` is a communicator of the same ranks that moves messages in host memory. It
/// brings the ranks together at the start. The table does not own `host`, which must outlive it. `device_number` is
/// this rank's GPU. `timeout_ms` > 0 is the limit for ranks to find each other.
typedef int (*xfrt_make_gpu_communicator_function)(xfrt_communicator *communicator, int32_t version,
                                                   const xfrt_communicator *host, int32_t device_number,
                                                   int64_t timeout_ms, char *why, int32_t why_bytes);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // XFRT_COMMUNICATOR_H

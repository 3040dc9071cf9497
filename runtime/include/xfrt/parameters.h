//===- xfrt/parameters.h - The weights of a model -----------------*- C -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store for everything that a model keeps between calls: its parameters and the state of its optimiser, one tensor
// for each name over all entries. Loads and saves safetensors files (https://huggingface.co/docs/safetensors).
//
//   xfrt_parameters *weights;
//   xfrt_parameters_create(&xfrt_model_NAME, NULL, &weights);
//   xfrt_parameters_load(weights, "weights.safetensors", XFRT_WEIGHTS);
//   xfrt_parameters_bind(weights, entry, arguments, count);   // fills the parameters' places; inputs are the caller's
//   xfrt_call(context, entry, arguments, count, results, result_count);
//
// If a model is for several ranks (xfrt_options::communicator), the store of a rank has only this rank's shares. A file
// has the whole tensors, so it has the same bytes for any number of ranks. All ranks load and save together.
//
// Files are not trusted: malformed contents give a status, and memory is limited by the size of the file's header.
// Threads: one thread at a time may change a store; calls that only read its tensors may run at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_PARAMETERS_H
#define XFRT_PARAMETERS_H

#include "xfrt/xfrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The weights and optimiser states of a model, in memory.
typedef struct xfrt_parameters xfrt_parameters;

/// Selects by role the tensors that a file holds. The values are bits, which may be combined.
typedef enum xfrt_contents {
  XFRT_WEIGHTS = 1,    ///< tensors with the role XFRT_PARAMETER
  XFRT_STATES = 2,     ///< tensors with the role XFRT_STATE
  XFRT_ALLOW_EXTRA = 4 ///< when loading: ignore tensors that the model does not have
} xfrt_contents;

/// Creates a store. Allocates every tensor of role XFRT_PARAMETER or XFRT_STATE, 64-byte aligned and filled with zeros.
/// `model` must outlive the store. Of `options` (null: the defaults), only the memory hooks, the communicator and
/// timeout_ms are used. If ranks share the tensors and there is no communicator, the store can neither load nor save.
/// On success the caller owns *parameters. On failure *parameters is null and the text is in xfrt_message(NULL).
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_ABI_MISMATCH, XFRT_BAD_MODEL (two entries give one name different types, shapes
/// or roles, or a size is dynamic; or the communicator has more ranks than the model), XFRT_OUT_OF_MEMORY.
XFRT_API xfrt_status xfrt_parameters_create(const xfrt_model *model, const xfrt_options *options,
                                            xfrt_parameters **parameters);

/// Frees the store and its tensors; null is ignored.
XFRT_API void xfrt_parameters_destroy(xfrt_parameters *parameters);

/// Returns the number of tensors in the store. They are indexed in the order in which the model's entries first name
/// them.
XFRT_API int32_t xfrt_parameters_count(const xfrt_parameters *parameters);

/// Describes the tensor at `index`. Sets *buffer to a view of the store's memory, which is valid until the store is
/// destroyed. Sets *name and *role (xfrt_role), each unless the pointer is null.
/// Errors: XFRT_INVALID_ARGUMENT (no tensor at `index`).
XFRT_API xfrt_status xfrt_parameters_at(xfrt_parameters *parameters, int32_t index, const char **name, int32_t *role,
                                        xfrt_buffer *buffer);

/// Sets *buffer to a view of the tensor called `name`, valid until the store is destroyed.
/// Errors: XFRT_INVALID_ARGUMENT (no such tensor).
XFRT_API xfrt_status xfrt_parameters_get(xfrt_parameters *parameters, const char *name, xfrt_buffer *buffer);

/// Sets the buffers of all parameters and states among the `count` arguments of the entry at index `entry` to views of
/// the store. Leaves the buffers of inputs unchanged.
XFRT_API xfrt_status xfrt_parameters_bind(xfrt_parameters *parameters, int32_t entry, xfrt_buffer *arguments,
                                          int32_t count);

/// Describes the tensor called `name` as a whole, not this process's share of it. Sets the type, the number of
/// dimensions and the shape of *buffer, and its other pointers to null. The shape is valid until the store is
/// destroyed. Errors: XFRT_INVALID_ARGUMENT (no such tensor).
XFRT_API xfrt_status xfrt_parameters_whole(xfrt_parameters *parameters, const char *name, xfrt_buffer *buffer);

/// Copies this rank's share of the tensor called `name` from `whole`, the tensor of all ranks in host memory. Sends
/// nothing.
/// Errors: XFRT_INVALID_ARGUMENT (no such tensor), XFRT_BAD_BUFFER (of another type or shape).
XFRT_API xfrt_status xfrt_parameters_take(xfrt_parameters *parameters, const char *name, const xfrt_buffer *whole);

/// Assembles the tensor called `name` from the shares of all ranks, and copies it to `whole` on rank 0. Other ranks may
/// pass null. All ranks must call this function together. Errors: those of xfrt_parameters_take, XFRT_OUT_OF_MEMORY;
/// XFRT_RANK_LOST, XFRT_RANKS_DIFFER, XFRT_TRANSPORT_ERROR, and the status of another rank that fails.
XFRT_API xfrt_status xfrt_parameters_gather(xfrt_parameters *parameters, const char *name, const xfrt_buffer *whole);

/// Reads the tensors of `contents` (bits of xfrt_contents) from a safetensors file. Converts no type: types must be
/// those of the model. Names are compared byte for byte. One message lists every difference: tensors that are missing
/// or not in the model, and tensors of another type or shape.
/// With several ranks, each reads its shares from the same file. All ranks fail if one of them cannot read it.
/// Errors: XFRT_PARAMETER_MISMATCH and XFRT_BAD_FILE leave all values unchanged. XFRT_IO_ERROR, also for a file that
/// shrinks or changes while it is read, may leave some values new and others old. XFRT_OUT_OF_MEMORY: the header is too
/// large.
XFRT_API xfrt_status xfrt_parameters_load(xfrt_parameters *parameters, const char *path, uint32_t contents);

/// Writes the tensors of `contents` (bits of xfrt_contents) and `metadata_count` pairs of strings (key, value, key,
/// value, ..) to a safetensors file, atomically. The file at `path` is either the old one or the complete new one. The
/// new one is on the disk when the function returns XFRT_OK. Equal values give equal bytes.
/// With several ranks, rank 0 receives the shares of the others, tensor by tensor, and writes the file. The path and
/// the metadata of other ranks are not used, but must be valid.
/// Errors: XFRT_INVALID_ARGUMENT (a duplicate key, text that is not UTF-8), XFRT_IO_ERROR, XFRT_OUT_OF_MEMORY; with
/// several ranks those of xfrt_parameters_gather. These leave the old file in place, unless only the last message was
/// lost.
XFRT_API xfrt_status xfrt_parameters_save(xfrt_parameters *parameters, const char *path, uint32_t contents,
                                          const char *const *metadata, int32_t metadata_count);

/// Returns the value of `key` in the metadata of the file that was loaded last, or null if it has no such key. The
/// store owns the string, which is valid until the next load.
XFRT_API const char *xfrt_parameters_metadata(const xfrt_parameters *parameters, const char *key);

/// Returns the message of the last function that failed on this store. It has several lines if it lists differences.
/// The store owns the string.
XFRT_API const char *xfrt_parameters_message(const xfrt_parameters *parameters);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // XFRT_PARAMETERS_H

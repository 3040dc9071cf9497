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
// Files are untrusted: whatever they contain is answered by a status, with memory bounded by the file's header.
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

/// Which tensors a file holds; bits to be combined.
typedef enum xfrt_contents {
  XFRT_WEIGHTS = 1,    ///< tensors with the role XFRT_PARAMETER
  XFRT_STATES = 2,     ///< tensors with the role XFRT_STATE
  XFRT_ALLOW_EXTRA = 4 ///< when loading: tensors that the model does not have are no difference
} xfrt_contents;

/// Allocates every tensor of role XFRT_PARAMETER or XFRT_STATE, 64-byte aligned and filled with zeros. `model` must
/// outlive the store; of `options` (or null) only the memory hooks are used. On failure *parameters is null and the
/// text is in xfrt_message(NULL).
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_ABI_MISMATCH, XFRT_BAD_MODEL (two entries disagree about a name, or a size is
/// dynamic), XFRT_OUT_OF_MEMORY.
XFRT_API xfrt_status xfrt_parameters_create(const xfrt_model *model, const xfrt_options *options,
                                            xfrt_parameters **parameters);

/// Frees the store and its tensors; null is ignored.
XFRT_API void xfrt_parameters_destroy(xfrt_parameters *parameters);

/// Number of tensors, in the order in which the entries name them first.
XFRT_API int32_t xfrt_parameters_count(const xfrt_parameters *parameters);

/// The tensor at `index`: its name and role (xfrt_role), either may be null, and a view that stays valid until the
/// store is destroyed. XFRT_INVALID_ARGUMENT when there is none.
XFRT_API xfrt_status xfrt_parameters_at(xfrt_parameters *parameters, int32_t index, const char **name, int32_t *role,
                                        xfrt_buffer *buffer);

/// The same by name.
XFRT_API xfrt_status xfrt_parameters_get(xfrt_parameters *parameters, const char *name, xfrt_buffer *buffer);

/// Sets those of the `count` arguments of `entry` that are parameters or state; the others are left alone.
XFRT_API xfrt_status xfrt_parameters_bind(xfrt_parameters *parameters, int32_t entry, xfrt_buffer *arguments,
                                          int32_t count);

/// Reads `contents` from a safetensors file. Types must be the model's own: nothing is converted. Names are compared
/// byte for byte. Every difference - missing, not in the model, other type, other shape - is listed in one message.
/// XFRT_PARAMETER_MISMATCH and XFRT_BAD_FILE leave all values as they were. After XFRT_IO_ERROR, which includes a file
/// that shrinks or changes while it is read, values may be partly new. XFRT_OUT_OF_MEMORY: the header is too large.
XFRT_API xfrt_status xfrt_parameters_load(xfrt_parameters *parameters, const char *path, uint32_t contents);

/// Writes `contents` and `metadata_count` pairs of strings (key, value, key, value, ..) atomically: the file at `path`
/// is the old one or the complete new one, and is on the disk when the function returns XFRT_OK. Equal values give
/// equal bytes. Errors: XFRT_INVALID_ARGUMENT (a key twice, text that is no UTF-8), XFRT_IO_ERROR, XFRT_OUT_OF_MEMORY.
XFRT_API xfrt_status xfrt_parameters_save(xfrt_parameters *parameters, const char *path, uint32_t contents,
                                          const char *const *metadata, int32_t metadata_count);

/// The value of `key` in the metadata of the file that was loaded last; null when it has none. Valid until the next
/// load.
XFRT_API const char *xfrt_parameters_metadata(const xfrt_parameters *parameters, const char *key);

/// What the last function on this store that failed had to say; several lines when it lists differences.
XFRT_API const char *xfrt_parameters_message(const xfrt_parameters *parameters);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // XFRT_PARAMETERS_H

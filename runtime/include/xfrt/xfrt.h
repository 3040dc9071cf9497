//===- xfrt/xfrt.h - Running a compiled object --------------------*- C -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C99 interface of libxfrt: everything an application needs beside the object that xfc wrote.
//
//   xfrt_context *context;
//   if (xfrt_create(&xfrt_model_NAME, NULL, &context) != XFRT_OK) { puts(xfrt_message(NULL)); .. }
//   xfrt_call(context, xfrt_find_entry(&xfrt_model_NAME, "attend"), arguments, 3, results, 1);
//   xfrt_destroy(context);
//
// Errors: functions that can fail return an xfrt_status and leave one line of text behind (xfrt_message,
// xfrt_parameters_message). Nothing is printed, and no function aborts, exits or throws.
// Threads: see each function. Models are constant data and may be shared by any number of handles.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_XFRT_H
#define XFRT_XFRT_H

#include "xfrt/model.h"

#include <stddef.h>
#include <stdint.h>

#if defined(XFRT_BUILD) && defined(__GNUC__)
#define XFRT_API __attribute__((visibility("default")))
#else
#define XFRT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Status
//===----------------------------------------------------------------------===//

typedef enum xfrt_status {
  XFRT_OK = 0,
  XFRT_INVALID_ARGUMENT = 1,    ///< a null pointer, an index out of range, a wrong number of buffers
  XFRT_BAD_BUFFER = 2,          ///< a buffer does not fit its tensor: type, shape, strides, alignment, overlap
  XFRT_OUT_OF_RANGE = 3,        ///< an integer element outside the range that the entry declares
  XFRT_ABI_MISMATCH = 4,        ///< object and library were built for different XFRT_ABI_VERSIONs
  XFRT_MISSING_FEATURES = 5,    ///< this processor lacks instructions that the kernels use
  XFRT_OUT_OF_MEMORY = 6,       ///< an allocation or the start of a thread failed
  XFRT_WORKSPACE_TOO_SMALL = 7, ///< the caller's workspace is smaller than xfrt_workspace_size
  XFRT_BUSY = 8,                ///< another call on the same handle has not returned; leaves no text
  XFRT_BAD_MODEL = 9,           ///< the tables of the object contradict themselves
  XFRT_BAD_HOOK = 10,           ///< the caller's parallel_for skipped or repeated tiles; results are undefined
  XFRT_IO_ERROR = 11,           ///< the operating system refused to open, read or write a file
  XFRT_BAD_FILE = 12,           ///< the contents of a file are malformed
  XFRT_PARAMETER_MISMATCH = 13, ///< a well-formed file does not hold the tensors that the model has
  // Of GPUs. An allocation of device memory that fails is XFRT_OUT_OF_MEMORY.
  XFRT_NO_DRIVER = 14,          ///< there is no libcuda.so.1, it is a stub, or it does not start
  XFRT_OLD_DRIVER = 15,         ///< the driver is older than what the runtime or the kernels need
  XFRT_NO_DEVICE = 16,          ///< the driver has no device, or none of that number
  XFRT_WRONG_ARCHITECTURE = 17, ///< the object has no kernels for this device, or none of an entry that fit it
  XFRT_JIT_FAILED = 18,         ///< the driver refused every image of the model; the text holds what it said
  XFRT_DRIVER_ERROR = 19,       ///< a function of the driver failed; the handle stays usable
  XFRT_DEVICE_ERROR = 20        ///< a kernel failed; every later call of the handle answers the same
} xfrt_status;

/// The name of an xfrt_status in lower case without its prefix, such as "bad_buffer"; "unknown" for any other number.
/// Constant, never null. Thread-safe.
XFRT_API const char *xfrt_status_name(int32_t status);

//===----------------------------------------------------------------------===//
// Tensors and entries
//===----------------------------------------------------------------------===//

/// A view of the caller's memory. Elements are contiguous in row-major order: strides, where given, must say so (the
/// stride of a dimension of size 1, and all strides of an empty tensor, are ignored). `data` is aligned to its element
/// (64 bytes are fastest) and may be null only where the tensor has no element or the result is updated in place.
/// Memory of a GPU is that of the handle's device and aligned to 16 bytes; only a handle for that GPU takes it.
/// The library keeps no pointer after a function returns, but see xfrt_options::stream and hold_parameters.
typedef struct xfrt_buffer {
  void *data;
  int32_t dtype;          ///< xfrt_dtype
  int32_t rank;           ///< number of dimensions, 0 for a scalar
  const int64_t *shape;   ///< [rank] sizes; may be null when rank is 0
  const int64_t *strides; ///< [rank] distances in elements, or null
  int32_t device;         ///< XFRT_CPU: `data` is the host's memory; XFRT_CUDA: memory of the handle's GPU
} xfrt_buffer;

/// Bytes of one element; 0 for a number that is no xfrt_dtype. Thread-safe.
XFRT_API size_t xfrt_dtype_size(int32_t dtype);

/// "f32", "f64", "f16", "bf16", "i32", "i64", "i1"; "unknown" otherwise. Thread-safe.
XFRT_API const char *xfrt_dtype_name(int32_t dtype);

/// The index of the entry called `name`, or -1. Thread-safe.
XFRT_API int32_t xfrt_find_entry(const xfrt_model *model, const char *name);

/// Whether the tables of a model and of those that follow it are what xfc wrote, which each function that takes a model
/// asks of the one that it uses; with `contents` also the bytes of their constants and images, which takes as long as
/// reading them. Damage to addresses, which the linker puts in, and to the code of kernels is not found.
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_ABI_MISMATCH, XFRT_BAD_MODEL. The text is in xfrt_message(NULL). Thread-safe.
XFRT_API xfrt_status xfrt_check_model(const xfrt_model *model, int32_t contents);

/// Sets *bytes to what a call of `entry` on the CPU needs on `threads` threads (0: as xfrt_options::threads).
/// `symbols` holds one value for each symbol of the entry, in the order of its table; null when there is none.
/// Errors: XFRT_INVALID_ARGUMENT (index, symbol_count, a value outside its range), XFRT_BAD_MODEL, XFRT_ABI_MISMATCH,
/// XFRT_MISSING_FEATURES, XFRT_OUT_OF_MEMORY. The text is in xfrt_message(NULL). Thread-safe.
XFRT_API xfrt_status xfrt_workspace_size(const xfrt_model *model, int32_t entry, const int64_t *symbols,
                                         int32_t symbol_count, int32_t threads, size_t *bytes);

/// Whether a handle for a device (xfrt_device, its number) could be made, before there is a model for it.
/// *architecture (or null) becomes 10 x the major + the minor number of a GPU's architecture, 90 for sm_90, or 0.
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_NO_DRIVER, XFRT_OLD_DRIVER, XFRT_NO_DEVICE, XFRT_DRIVER_ERROR. The text is in
/// xfrt_message(NULL). Thread-safe.
XFRT_API xfrt_status xfrt_find_device(int32_t device, int32_t device_number, int32_t *architecture);

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

/// Runs the tiles [begin, end) of a grid as `worker`.
typedef void (*xfrt_tiles)(void *task, int64_t begin, int64_t end, int32_t worker);

/// A caller's own parallel loop: covers [0, count) by calls of `tiles`, each tile once, in any order and on any
/// threads, and returns when all have returned. `worker` lies in [0, threads); no two calls that run at the same time
/// have the same. Neither allocates nor throws, if calls are to keep that promise.
typedef void (*xfrt_parallel_for)(void *user, int32_t threads, int64_t count, xfrt_tiles tiles, void *task);

/// Returns `bytes` (> 0) bytes aligned to `alignment` (a power of two, at most 64), or null.
typedef void *(*xfrt_allocate)(void *user, size_t bytes, size_t alignment);

/// Gives back what xfrt_allocate returned; `bytes` is what was asked for.
typedef void (*xfrt_release)(void *user, void *pointer, size_t bytes);

/// What a handle does with parameters (XFRT_PARAMETER and XFRT_STATE); see xfrt_forget_parameters.
typedef enum xfrt_hold {
  XFRT_READ_PARAMETERS = 0,    ///< they are read anew in every call
  XFRT_HOLD_PARAMETERS = 1,    ///< they are read once, and kept where and in the order in which kernels read fastest
  XFRT_RESIDENT_PARAMETERS = 2 ///< updates stay on the GPU, too, until xfrt_fetch_parameters; on a CPU the same as 1
} xfrt_hold;

/// All zero means: the defaults.
typedef struct xfrt_options {
  int32_t threads;                ///< workers, the caller included; 0: one for each CPU that the process may use
  xfrt_parallel_for parallel_for; ///< null: threads of the handle's own, started by xfrt_create
  void *parallel_user;            ///< first argument of parallel_for
  xfrt_allocate allocate;         ///< null: aligned memory from the C library; set both or neither
  xfrt_release release;
  void *memory_user;       ///< first argument of allocate and release
  void *workspace;         ///< 64-byte aligned memory that outlives the handle; null: allocated when first needed
  size_t workspace_bytes;  ///< of workspace
  int32_t hold_parameters; ///< xfrt_hold: how long parameters in the host's memory are kept
  int32_t device;          ///< xfrt_device: where to run. XFRT_CUDA_OR_CPU falls back for any reason that is no mistake
                           ///< of the caller and no lack of memory; the reason is then in xfrt_message of the handle
  int32_t device_number;   ///< of the GPU, as the driver counts them; 0 is the first
  void *stream;            ///< CUstream of the device's primary context, which outlives the handle; all work is put on
                           ///< it, after what the caller put there. Null: the handle's own. See xfrt_call
} xfrt_options;

/// A model made ready to run with a number of threads and a workspace. One call at a time on each handle; different
/// handles, of one model or several, may be used at the same time.
typedef struct xfrt_context xfrt_context;

/// Makes a handle. `model` must outlive it; `options` (null: the defaults) is copied. No kernel runs, and no code of an
/// object does before the processor is known to have the features that it needs.
/// For a GPU the driver is opened (libcuda.so.1; the library needs none to be loaded), the device's primary context is
/// retained and the kernels are loaded, which may compile them; the thread's current context stays as it is, in every
/// function. Threads, parallel_for and workspace are not used then. Entries with a kernel that needs more shared memory
/// than the device has are refused when they are called; XFRT_CUDA_OR_CPU then takes the CPU for the whole model.
/// On success the caller owns *context. On failure *context is null and the text is in xfrt_message(NULL).
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_ABI_MISMATCH, XFRT_MISSING_FEATURES (the text lists them), XFRT_BAD_MODEL,
/// XFRT_OUT_OF_MEMORY; for a GPU XFRT_NO_DRIVER, XFRT_OLD_DRIVER, XFRT_NO_DEVICE, XFRT_WRONG_ARCHITECTURE,
/// XFRT_JIT_FAILED, XFRT_DRIVER_ERROR, XFRT_DEVICE_ERROR. Thread-safe.
XFRT_API xfrt_status xfrt_create(const xfrt_model *model, const xfrt_options *options, xfrt_context **context);

/// Ends the handle's threads and frees its memory; not during a call. Waits for its work on a GPU. Null is ignored.
XFRT_API void xfrt_destroy(xfrt_context *context);

/// What the handle runs of the model that it was made of and those that follow it (xfrt_model::next): on a CPU the last
/// whose features it has, on a GPU the one of the highest architecture that it runs. Null for a null handle.
/// Thread-safe.
XFRT_API const xfrt_model *xfrt_selected_model(const xfrt_context *context);

/// The threads that calls of this handle use. Thread-safe.
XFRT_API int32_t xfrt_threads(const xfrt_context *context);

/// The GPU's name as its driver has it, such as "NVIDIA H200", empty where that does not say; "CPU" on a CPU. Never
/// null, valid as long as the handle; empty for a null handle. Thread-safe.
XFRT_API const char *xfrt_device_name(const xfrt_context *context);

/// Makes the workspace large enough for `entry` with these symbols (as in xfrt_workspace_size), so that the call
/// itself allocates nothing. Calls do the same when it was not done before. On a GPU this is the memory of intermediate
/// tensors; the copies of buffers in the host's memory get theirs in the first call.
/// Errors: those of xfrt_workspace_size, XFRT_WORKSPACE_TOO_SMALL for a caller's workspace, XFRT_BUSY; for a GPU
/// XFRT_WRONG_ARCHITECTURE, XFRT_DRIVER_ERROR, XFRT_DEVICE_ERROR.
XFRT_API xfrt_status xfrt_reserve(xfrt_context *context, int32_t entry, const int64_t *symbols, int32_t symbol_count);

/// Runs an entry. `arguments` and `results` hold one buffer for each of its tensors, in order.
///
/// A result that updates an argument is written into that argument's memory: its own buffer has the same `data`, or
/// null. No other result may overlap an argument, another result or the workspace.
/// All of it - types, shapes, the agreement of dynamic sizes, strides, alignment, overlap, declared integer ranges - is
/// checked before the first byte is written; the message names the entry and the tensor.
///
/// Nothing is allocated unless the workspace must grow or parameters are held for the first time. Kernels run with the
/// default floating-point environment (round to nearest, subnormals kept, exceptions masked) whatever the caller's is;
/// the caller's is restored. Results are bitwise the same for any number of threads.
///
/// On a GPU, buffers in the host's memory are copied to the device, and results from it after the last kernel; when the
/// function returns all is done. Where xfrt_options::stream is given and every buffer lies in the memory of the GPU (or
/// is a held parameter that is there already), the call returns when its work is on the stream, unless it has integers
/// to check, for which it waits. A kernel that fails later is then the answer of a later call. Before the first copy of
/// a result succeeds no memory of the host is written; a failure after that leaves results undefined. A caller that
/// records the stream as a graph of CUDA may record calls that neither copy nor wait nor allocate; others are refused.
///
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_BAD_BUFFER, XFRT_OUT_OF_RANGE, XFRT_OUT_OF_MEMORY, XFRT_WORKSPACE_TOO_SMALL,
/// XFRT_BUSY, XFRT_BAD_MODEL, XFRT_BAD_HOOK; on a GPU XFRT_WRONG_ARCHITECTURE (a kernel of the entry needs more shared
/// memory than the device has), XFRT_DRIVER_ERROR, XFRT_DEVICE_ERROR.
XFRT_API xfrt_status xfrt_call(xfrt_context *context, int32_t entry, const xfrt_buffer *arguments,
                               int32_t argument_count, const xfrt_buffer *results, int32_t result_count);

/// A handle that holds parameters keeps them, for entries that do not update them, in the order in which kernels read
/// them, and so reads each once instead of in every call; this memory (about the size of the weights that products use)
/// is allocated by the first call or xfrt_reserve. In return the caller promises that the memory of a parameter keeps
/// its values from call to call unless they change by an entry of this handle, or this function is called afterwards.
/// Parameters at another address are read anew. Null is ignored; not during a call.
///
/// On a GPU the copies of parameters in the host's memory are what is kept. XFRT_HOLD_PARAMETERS copies updates back in
/// the call that makes them. XFRT_RESIDENT_PARAMETERS leaves them on the GPU: the values in the host's memory are old
/// until xfrt_fetch_parameters, and this function, or another address, drops what was not fetched. After an error of a
/// call that updates them they are undefined.
XFRT_API void xfrt_forget_parameters(xfrt_context *context);

/// Copies updated parameters that are only on the GPU into the host's memory that they were read from, which must still
/// exist, and waits for that. Nothing to do, and XFRT_OK, on a CPU and without XFRT_RESIDENT_PARAMETERS.
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_BUSY, XFRT_DRIVER_ERROR, XFRT_DEVICE_ERROR.
XFRT_API xfrt_status xfrt_fetch_parameters(xfrt_context *context);

/// Gives `buffer`, whose type and shape are set, memory of the handle's device: `data` (null for a tensor without
/// elements) and `device`. For applications that keep tensors on a GPU without CUDA of their own; memory of CUDA's own
/// functions, or of another framework (xfrt/dlpack.h), is as good. The values are undefined.
/// The caller owns the memory and gives it back by xfrt_buffer_release before the handle ends.
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_BAD_BUFFER (no type or shape), XFRT_OUT_OF_MEMORY, XFRT_BUSY; on a GPU
/// XFRT_DRIVER_ERROR, XFRT_DEVICE_ERROR.
XFRT_API xfrt_status xfrt_buffer_allocate(xfrt_context *context, xfrt_buffer *buffer);

/// Gives back the memory of a buffer as xfrt_buffer_allocate left it, and makes `data` null. Waits for the work of the
/// GPU. Null is ignored; not during a call.
XFRT_API void xfrt_buffer_release(xfrt_context *context, xfrt_buffer *buffer);

/// Copies all elements of a buffer to another one of the same type and shape, between memory of the host and of the
/// handle's GPU in any direction, after the handle's earlier work. When it returns all is done.
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_BAD_BUFFER (they differ, overlap, or lie elsewhere), XFRT_BUSY; on a GPU
/// XFRT_DRIVER_ERROR, XFRT_DEVICE_ERROR.
XFRT_API xfrt_status xfrt_buffer_copy(xfrt_context *context, const xfrt_buffer *from, const xfrt_buffer *to);

/// What the last function on this handle that failed had to say, one line without a final newline; "" when none has.
/// With null: the last failure on this thread of a function that has no handle. Valid until the next call.
XFRT_API const char *xfrt_message(const xfrt_context *context);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // XFRT_XFRT_H

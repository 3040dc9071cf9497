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
// Errors: functions that can fail return an xfrt_status, and keep a text for the caller (xfrt_message,
// xfrt_parameters_message). No function aborts, exits or throws, and none prints, except xfrt_destroy if it cannot
// write a trace or profile.
// Threads: see each function. Models are constant data, which any number of handles may share.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_XFRT_H
#define XFRT_XFRT_H

#include "xfrt/communicator.h"
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
  XFRT_BAD_MODEL = 9,           ///< the tables of the object contradict themselves, or need an unimplemented feature
  XFRT_BAD_HOOK = 10,           ///< the caller's parallel_for skipped or repeated tiles; results are undefined
  XFRT_IO_ERROR = 11,           ///< the operating system refused to open, read or write a file
  XFRT_BAD_FILE = 12,           ///< the contents of a file are malformed
  XFRT_PARAMETER_MISMATCH = 13, ///< a well-formed file does not hold the tensors that the model has
  // For GPUs only. A failed allocation of device memory is XFRT_OUT_OF_MEMORY.
  XFRT_NO_DRIVER = 14,          ///< there is no libcuda.so.1, it is a stub, or it does not start
  XFRT_OLD_DRIVER = 15,         ///< the driver is older than what the runtime or the kernels need
  XFRT_NO_DEVICE = 16,          ///< the driver has no device, or no device of the given number
  XFRT_WRONG_ARCHITECTURE = 17, ///< the object has no kernels for this device, or a kernel does not fit the device
  XFRT_JIT_FAILED = 18,         ///< the driver refused every image of the model; the text quotes the driver
  XFRT_DRIVER_ERROR = 19,       ///< a function of the driver failed; the handle stays usable
  XFRT_DEVICE_ERROR = 20,       ///< a kernel failed; every later call of the handle returns the same
  // For programs of several ranks only. A rank that fails by itself gives its own status to those that wait for it.
  XFRT_NO_TRANSPORT = 21,    ///< there is no such plug-in, a library that it needs is missing, or it does not start
  XFRT_RANK_LOST = 22,       ///< messages of other ranks were late; the handle is unusable from then on
  XFRT_RANKS_DIFFER = 23,    ///< ranks run different objects, sizes, meshes or versions of the library
  XFRT_TRANSPORT_ERROR = 24, ///< the transport failed; the text quotes it. The handle is unusable from then on
  XFRT_FORKED = 25           ///< the handle is of a parent process, and on a GPU or of several ranks
} xfrt_status;

/// Returns the name of an xfrt_status in lower case without its prefix, such as "bad_buffer"; "unknown" for any other
/// number. The string is constant, never null. Thread-safe.
XFRT_API const char *xfrt_status_name(int32_t status);

//===----------------------------------------------------------------------===//
// Tensors and entries
//===----------------------------------------------------------------------===//

/// A tensor in memory of the caller. Elements are contiguous in row-major order. Strides, if given, must be row-major,
/// except that the stride of a dimension of size 1, and all strides of an empty tensor, are ignored. `data` must be
/// aligned to the size of an element; alignment to 64 bytes is fastest. It may be null only for a tensor without
/// elements, and for a result that updates an argument. GPU memory must belong to the handle's device and be aligned to
/// 16 bytes. The library keeps no pointer after a function returns, except as xfrt_options::stream and hold_parameters
/// describe.
typedef struct xfrt_buffer {
  void *data;
  int32_t dtype;          ///< xfrt_dtype
  int32_t rank;           ///< number of dimensions, 0 for a scalar
  const int64_t *shape;   ///< [rank] sizes; may be null when rank is 0
  const int64_t *strides; ///< [rank] distances in elements, or null
  int32_t device;         ///< XFRT_CPU: `data` is the host's memory; XFRT_CUDA: memory of the handle's GPU
} xfrt_buffer;

/// Returns the size in bytes of one element of an xfrt_dtype; 0 for a number that is no xfrt_dtype. Thread-safe.
XFRT_API size_t xfrt_dtype_size(int32_t dtype);

/// Returns the name of an xfrt_dtype: "f32", "f64", "f16", "bf16", "i32", "i64" or "i1"; "unknown" for any other
/// number. The string is constant, never null. Thread-safe.
XFRT_API const char *xfrt_dtype_name(int32_t dtype);

/// Returns the index of the entry called `name`, or -1 where the model has no such entry. Thread-safe.
XFRT_API int32_t xfrt_find_entry(const xfrt_model *model, const char *name);

/// Verifies that the tables of a model, and of the models that follow it (xfrt_model::next), are those that xfc wrote.
/// Every function that takes a model verifies the tables that it uses. With a non-zero `contents` also verifies the
/// bytes of constants and images, which takes as long as reading them. Does not detect damage to addresses, which the
/// linker writes, or to kernels for a CPU.
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_ABI_MISMATCH, XFRT_BAD_MODEL. The text is in xfrt_message(NULL). Thread-safe.
XFRT_API xfrt_status xfrt_check_model(const xfrt_model *model, int32_t contents);

/// Sets *bytes to the size of the workspace that a call of `entry` needs on the CPU with `threads` threads (0: as
/// xfrt_options::threads). `symbols` holds one value for each symbol of the entry, in the order of the entry's table.
/// It may be null if the entry has no symbol.
/// Errors: XFRT_INVALID_ARGUMENT (index, symbol_count, a value outside its range), XFRT_BAD_MODEL, XFRT_ABI_MISMATCH,
/// XFRT_MISSING_FEATURES, XFRT_OUT_OF_MEMORY. The text is in xfrt_message(NULL). Thread-safe.
XFRT_API xfrt_status xfrt_workspace_size(const xfrt_model *model, int32_t entry, const int64_t *symbols,
                                         int32_t symbol_count, int32_t threads, size_t *bytes);

/// Verifies, without a model, that a handle can be created for a device: a kind (xfrt_device) and, for a GPU, its
/// index. Sets *architecture (unless the pointer is null) to the GPU's compute capability as 10 x major + minor (90 for
/// sm_90), or to 0 for a CPU.
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_NO_DRIVER, XFRT_OLD_DRIVER, XFRT_NO_DEVICE, XFRT_DRIVER_ERROR. The text is in
/// xfrt_message(NULL). Thread-safe.
XFRT_API xfrt_status xfrt_find_device(int32_t device, int32_t device_number, int32_t *architecture);

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

/// Opens the ranks of the running program. Loads a plug-in, which stays loaded, and fills *communicator, which the
/// caller owns and must close (xfrt_communicator::close). `library` is the plug-in's file. If it is null, the plug-in
/// is one for MPI, libxfrt-mpi.so or libxfrt-mpi-abi.so, in the folder of this library or where the loader finds it.
/// The plug-in for the MPI that this process has loaded, or was started by, is tried first. The plug-in initialises
/// MPI, with MPI_THREAD_SERIALIZED, unless the program has done it, and works on a duplicate of MPI_COMM_WORLD. A
/// program that no launcher started is one rank. Errors: XFRT_INVALID_ARGUMENT, XFRT_NO_TRANSPORT (the text says what
/// is missing), XFRT_TRANSPORT_ERROR (the plug-in does not start, or refuses this XFRT_COMMUNICATOR_VERSION),
/// XFRT_ABI_MISMATCH (the plug-in fills a table of another version). The text is in xfrt_message(NULL). May be called
/// by one thread at a time.
XFRT_API xfrt_status xfrt_open_communicator(const char *library, xfrt_communicator *communicator);

/// Opens NCCL between the GPUs of the ranks of `host`. Every rank must call this function, with the number of its own
/// GPU as `device_number`. Loads the plug-in libxfrt-nccl.so and fills *communicator, which the caller owns and must
/// close before `host`.
/// `host` sends messages in host memory, and the id by which ranks find each other. NCCL sends collectives on GPUs,
/// from GPU memory to GPU memory. `timeout_ms` is the limit for ranks to find each other; 0 means ten minutes. NCCL
/// refuses two ranks with one GPU, unless NCCL_MULTI_RANK_GPU_ENABLE=1 lets a later version of NCCL accept them.
/// Errors: as xfrt_open_communicator; also XFRT_NO_TRANSPORT without libnccl.so.2 or a driver.
XFRT_API xfrt_status xfrt_open_nccl(const xfrt_communicator *host, int32_t device_number, int64_t timeout_ms,
                                    xfrt_communicator *communicator);

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

/// A function that runs the tiles [begin, end) of a grid. `worker` is the index of the worker that calls it.
typedef void (*xfrt_tiles)(void *task, int64_t begin, int64_t end, int32_t worker);

/// A hook for parallel loops. Covers [0, count) by calls of `tiles`, each tile once, in any order and on any threads.
/// Returns when all calls have returned. The `worker` of a call lies in [0, threads), and no two concurrent calls may
/// have the same one. The hook must not throw. If xfrt_call is to allocate no memory, the hook must not allocate any.
typedef void (*xfrt_parallel_for)(void *user, int32_t threads, int64_t count, xfrt_tiles tiles, void *task);

/// An allocation hook: allocates `bytes` (> 0) bytes, aligned to `alignment` (a power of two, at most 64). Returns null
/// on failure.
typedef void *(*xfrt_allocate)(void *user, size_t bytes, size_t alignment);

/// A release hook: frees `pointer`, which the allocation hook returned for a size of `bytes`.
typedef void (*xfrt_release)(void *user, void *pointer, size_t bytes);

/// Whether a handle keeps the values of parameters and states (XFRT_PARAMETER and XFRT_STATE) from call to call; see
/// xfrt_forget_parameters.
typedef enum xfrt_hold {
  XFRT_READ_PARAMETERS = 0,    ///< reads them anew in every call
  XFRT_HOLD_PARAMETERS = 1,    ///< reads them once, and keeps them on the device in the order that kernels read fastest
  XFRT_RESIDENT_PARAMETERS = 2 ///< keeps updates on the GPU, too, until xfrt_fetch_parameters; on a CPU the same as 1
} xfrt_hold;

/// Options of a handle. In each field the value 0 selects the default.
///
/// A handle's own threads run on any CPU that the process may use. The environment variable XFRT_AFFINITY may be a list
/// of CPUs, such as 0-3,8. Then thread n of a handle runs only on CPU number n of the list, modulo the length of the
/// list. Thread 0 is the caller, whose CPUs no function changes. Any other value is XFRT_INVALID_ARGUMENT.
///
/// If the environment variable XFRT_TRACE is the name of a file, a handle records its calls and launches and, on a CPU,
/// the tiles of each thread. It writes them to the file when it is destroyed, for https://ui.perfetto.dev. The first
/// handle of a process writes to the file of this name, handle n to NAME.n; rank R > 0 of several to NAME.rankR. If
/// XFRT_PROFILE is the name of a file, a handle writes the times of its steps to it in the same way. If a file cannot
/// be created, xfrt_create returns XFRT_IO_ERROR.
typedef struct xfrt_options {
  int32_t threads;                ///< workers, the caller included; 0: one for each CPU that the process may use, no
                                  ///< more than the quotas of its control groups (of a container) allow, rounded up
  xfrt_parallel_for parallel_for; ///< null: the handle's own threads, started by xfrt_create
  void *parallel_user;            ///< first argument of parallel_for
  xfrt_allocate allocate;         ///< null: aligned memory from the C library; set both or neither
  xfrt_release release;
  void *memory_user;       ///< first argument of allocate and release
  void *workspace;         ///< 64-byte aligned memory that outlives the handle; null: allocated when first needed
  size_t workspace_bytes;  ///< size of workspace
  int32_t hold_parameters; ///< xfrt_hold: whether the handle keeps parameters from call to call
  int32_t device;          ///< xfrt_device: where to run. XFRT_CUDA_OR_CPU falls back to the CPU after an error from
                           ///< XFRT_NO_DRIVER to XFRT_DEVICE_ERROR; xfrt_message of the handle then has the reason
  int32_t device_number;   ///< number of the GPU, as the driver counts them; 0 is the first
  void *stream;            ///< CUstream of the device's primary context. Must outlive the handle. Runs all work of the
                           ///< handle in order with the caller's. Must be the same stream in all threads, which
                           ///< CU_STREAM_PER_THREAD is not. Null: the handle's own stream. See xfrt_call
  const xfrt_communicator *communicator; ///< the ranks of the program, of which this process is one; null: one rank.
                                         ///< Must outlive the handle. See xfrt_open_communicator
  int64_t timeout_ms; ///< how long one wait for messages of other ranks may take, in milliseconds; 0: 10 minutes
} xfrt_options;

/// A handle: a model made ready to run, with its threads and workspace. At most one call may run at a time on each
/// handle. Different handles, of one model or several, may be used at the same time.
///
/// A child of fork() may use its parent's handles on the CPU, on one thread and without a trace or profile. If a call
/// of a handle was under way at the fork, the handle returns XFRT_BUSY in the child. A handle on a GPU or of several
/// ranks returns XFRT_FORKED. New handles of the child have all threads, but none can be on a GPU if the parent has
/// used a GPU. The child may destroy its parent's handles; the parent can still use them.
typedef struct xfrt_context xfrt_context;

/// Creates a handle. `model` must outlive the handle; `options` (null: the defaults) is copied. Runs no kernel.
/// Verifies that the processor has the features that the model needs before any code of the object runs. For a GPU
/// opens the driver (libcuda.so.1, loaded at run time), retains the device's primary context and loads the kernels,
/// which the driver may have to compile. No function of the library changes the thread's current context. A handle for
/// a GPU ignores threads, parallel_for and workspace. An entry with a kernel that needs more shared memory than the
/// device has fails when it is called. With XFRT_CUDA_OR_CPU, however, the handle then runs the model on the CPU. On
/// success the caller owns *context. On failure *context is null and the text is in xfrt_message(NULL). Errors:
/// XFRT_INVALID_ARGUMENT, XFRT_ABI_MISMATCH (of the object, or of the communicator), XFRT_MISSING_FEATURES (the text
/// lists them), XFRT_BAD_MODEL (also if a communicator has more ranks than the model has shares), XFRT_OUT_OF_MEMORY,
/// XFRT_IO_ERROR (XFRT_TRACE, XFRT_PROFILE); for a GPU XFRT_NO_DRIVER, XFRT_OLD_DRIVER, XFRT_NO_DEVICE,
/// XFRT_WRONG_ARCHITECTURE, XFRT_JIT_FAILED, XFRT_DRIVER_ERROR, XFRT_DEVICE_ERROR. Thread-safe.
XFRT_API xfrt_status xfrt_create(const xfrt_model *model, const xfrt_options *options, xfrt_context **context);

/// Writes the trace and the profile of the handle (XFRT_TRACE, XFRT_PROFILE), and ends both: later calls are not
/// recorded. Returns XFRT_OK if neither is recorded. If this function is not called, xfrt_destroy writes them, and
/// prints failures on standard error because it returns no status. A file that cannot be completed is removed, unless
/// it is a device.
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_BUSY, XFRT_IO_ERROR.
XFRT_API xfrt_status xfrt_write_records(xfrt_context *context);

/// Destroys a handle: waits for its work on a GPU, ends its threads and frees its memory. Must not be called during a
/// call of the handle. Null is ignored.
XFRT_API void xfrt_destroy(xfrt_context *context);

/// Returns the model that the handle runs: the model given to xfrt_create, or one of those that follow it
/// (xfrt_model::next). On a CPU this is the last of these models whose features the processor has, on a GPU the model
/// of the highest architecture that the device runs. Null for a null handle. Thread-safe.
XFRT_API const xfrt_model *xfrt_selected_model(const xfrt_context *context);

/// Returns the number of threads that calls of the handle use. Thread-safe.
XFRT_API int32_t xfrt_threads(const xfrt_context *context);

/// Returns the name of the handle's device: "CPU", or the GPU's name as the driver reports it, such as "NVIDIA H200".
/// Returns "", never null, for a null handle, and if the driver reports no name. The string is valid as long as the
/// handle. Thread-safe.
XFRT_API const char *xfrt_device_name(const xfrt_context *context);

/// Makes the workspace large enough for calls of `entry` with these symbols (as in xfrt_workspace_size), so that
/// xfrt_call allocates nothing. Without xfrt_reserve, a call grows the workspace itself. On a GPU the workspace is the
/// memory of intermediate tensors. The first call still allocates memory for copies of buffers in host memory.
/// Errors: those of xfrt_workspace_size, XFRT_WORKSPACE_TOO_SMALL for a caller's workspace, XFRT_BUSY; for a GPU
/// XFRT_WRONG_ARCHITECTURE, XFRT_DRIVER_ERROR, XFRT_DEVICE_ERROR.
XFRT_API xfrt_status xfrt_reserve(xfrt_context *context, int32_t entry, const int64_t *symbols, int32_t symbol_count);

/// Runs an entry. `arguments` and `results` hold one buffer for each of its tensors, in order.
///
/// A result that updates an argument is written into that argument's memory. The result's buffer must have the same
/// `data`, or null. No other result may overlap an argument, another result or the workspace. Before it writes the
/// first byte, the function verifies types, shapes, equality of dynamic sizes, strides, alignment, overlap, and
/// declared ranges of integers. The message of an error names the entry and the tensor.
///
/// Allocates nothing, unless the workspace must grow or parameters are held for the first time. Runs kernels with the
/// default floating-point environment (round to nearest, subnormals kept, exceptions masked) and restores the caller's.
/// Results are bitwise equal for any number of threads.
///
/// On a GPU, copies buffers in host memory to the device, and results back after the last kernel. The work is complete
/// when the function returns, with one exception. If xfrt_options::stream is given and every buffer lies in the memory
/// of the GPU (or is a held parameter that is there already), the call returns when its work is on the stream. It then
/// waits only to verify integers, and a later call reports a kernel that fails. No host memory is written before the
/// first copy of a result succeeds. A failure after that leaves results undefined.
///
/// A caller that records the stream as a CUDA graph may record calls that neither copy nor wait nor allocate. Other
/// calls are refused. Recorded calls use the memory of the handle, which must outlive the graph. On the device,
/// launches of such graphs and other calls of the handle must run one after the other, even on different streams. If
/// they overlap, the results of these and of all later calls are undefined.
///
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_BAD_BUFFER, XFRT_OUT_OF_RANGE, XFRT_OUT_OF_MEMORY, XFRT_WORKSPACE_TOO_SMALL,
/// XFRT_BUSY, XFRT_BAD_MODEL, XFRT_BAD_HOOK; on a GPU XFRT_WRONG_ARCHITECTURE (a kernel of the entry needs more shared
/// memory than the device has), XFRT_DRIVER_ERROR, XFRT_DEVICE_ERROR.
XFRT_API xfrt_status xfrt_call(xfrt_context *context, int32_t entry, const xfrt_buffer *arguments,
                               int32_t argument_count, const xfrt_buffer *results, int32_t result_count);

/// Makes the handle read all held parameters anew in the next call. Must be called after the caller has changed the
/// values of a held parameter. Null is ignored. Must not be called during a call of the handle.
///
/// A handle that holds parameters (xfrt_options::hold_parameters) keeps a copy of each, in the order in which kernels
/// read it, for entries that do not update parameters. So it reads each parameter once instead of in every call. The
/// first call or xfrt_reserve allocates the memory, about the size of the weights that products use. The caller must
/// not change the values of a parameter between calls without calling this function, except by an entry of this handle.
/// A parameter at another address is read anew without a call of this function.
///
/// On a GPU the handle also keeps copies of parameters that lie in host memory. With XFRT_HOLD_PARAMETERS a call that
/// updates parameters copies the updates back. With XFRT_RESIDENT_PARAMETERS the updates stay in GPU memory, and the
/// values in host memory are outdated until xfrt_fetch_parameters. This function, or a parameter at another address,
/// discards updates that were not fetched. If a call that updates parameters fails, their values are undefined.
XFRT_API void xfrt_forget_parameters(xfrt_context *context);

/// Copies updated parameters from the GPU back to host memory, and waits for the copies. Each parameter goes to the
/// memory that it was read from, which must still be allocated. Does nothing and returns XFRT_OK on a CPU and without
/// XFRT_RESIDENT_PARAMETERS.
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_BUSY, XFRT_DRIVER_ERROR, XFRT_DEVICE_ERROR.
XFRT_API xfrt_status xfrt_fetch_parameters(xfrt_context *context);

/// Do the work of xfrt_forget_parameters and xfrt_fetch_parameters for a single parameter or state: the one that was
/// read from host memory at `data` (xfrt_parameters_get). So a program can set a counter to zero, or read it, without
/// moving the weights.
XFRT_API void xfrt_forget_parameter(xfrt_context *context, const void *data);
XFRT_API xfrt_status xfrt_fetch_parameter(xfrt_context *context, const void *data);

/// Allocates memory of the handle's device for `buffer`, whose type and shape the caller has set. Sets `data` (null for
/// a tensor without elements) and `device`. The values are undefined. The caller owns the memory and must release it by
/// xfrt_buffer_release before xfrt_destroy. For applications that keep tensors on a GPU without using CUDA themselves;
/// xfrt_call also accepts memory allocated by CUDA or by other frameworks (xfrt/dlpack.h).
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_BAD_BUFFER (no type or shape), XFRT_OUT_OF_MEMORY, XFRT_BUSY; on a GPU
/// XFRT_DRIVER_ERROR, XFRT_DEVICE_ERROR.
XFRT_API xfrt_status xfrt_buffer_allocate(xfrt_context *context, xfrt_buffer *buffer);

/// Releases the memory of a buffer that xfrt_buffer_allocate has set and that the caller has not changed since. Sets
/// `data` to null. Waits for the work of the GPU. Null is ignored. Must not be called during a call of the handle.
XFRT_API void xfrt_buffer_release(xfrt_context *context, xfrt_buffer *buffer);

/// Copies all elements of `from` to `to`, a buffer of the same type and shape. Neither buffer may have strides. Each
/// lies in host memory or in memory of the handle's GPU. The copy starts after the handle's earlier work and is
/// complete when the function returns.
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_BAD_BUFFER (types or shapes differ, or a buffer has strides, lies elsewhere or
/// overlaps the other), XFRT_BUSY; on a GPU XFRT_DRIVER_ERROR, XFRT_DEVICE_ERROR.
XFRT_API xfrt_status xfrt_buffer_copy(xfrt_context *context, const xfrt_buffer *from, const xfrt_buffer *to);

/// Returns the message of the last function on this handle that failed: one line without a final newline, or "" if no
/// function has failed. For a null handle, returns the message of the last failure on this thread of a function without
/// a handle. The string is valid until the next call.
XFRT_API const char *xfrt_message(const xfrt_context *context);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // XFRT_XFRT_H

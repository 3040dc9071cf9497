//===- xfrt/model.h - What a compiled object contains ------------*- C -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The read-only tables that xfc emits, one xfrt_model per object, in the symbol `xfrt_model_<NAME>`. C99, no
// allocation, position independent.
//
// An entry is a list of launches over one arena. A launch runs `kernel` on a one-dimensional grid of independent tiles;
// its operands are buffers (argument, result, arena or constant, at a byte offset) and 64-bit scalars (sizes, strides).
// Every number that may depend on a dynamic size lives in a *frame*, an array of int64_t: static entries have a
// constant frame, dynamic ones compute it per call from their symbols (`prepare`).
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_MODEL_H
#define XFRT_MODEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Changes whenever a structure below does; a runtime refuses an object with another number before it runs a kernel.
#define XFRT_ABI_VERSION 6

/// What a model's kernels run on, and where a buffer lies.
typedef enum xfrt_device {
  XFRT_CPU = 0,
  XFRT_CUDA = 1,       ///< an NVIDIA GPU
  XFRT_CUDA_OR_CPU = 2 ///< of xfrt_options alone: a GPU where it can run the model, else the CPU
} xfrt_device;

/// Element types of buffers. Bool is one byte; any non-zero byte is true.
typedef enum xfrt_dtype {
  XFRT_F32 = 0,
  XFRT_F64 = 1,
  XFRT_F16 = 2,
  XFRT_BF16 = 3,
  XFRT_I32 = 4,
  XFRT_I64 = 5,
  XFRT_BOOL = 6
} xfrt_dtype;

/// A kernel runs the tiles [begin, end) of its grid. `scalars` and `buffers` hold the launch's operands in order;
/// `scratch` is private to the calling worker (xfrt_entry::scratch_bytes, 64-byte aligned). Tiles are independent: they
/// may run in any order, on any worker, with bitwise equal results.
typedef void (*xfrt_kernel)(const int64_t *scalars, void *const *buffers, int64_t begin, int64_t end, void *scratch);

/// Where a buffer operand lives. ARGUMENT and RESULT are followed by their index.
typedef enum xfrt_space {
  XFRT_ARENA = 0,
  XFRT_CONSTANT = 1,
  XFRT_ARGUMENT = 2,
  XFRT_RESULT = 3,
  XFRT_HELD = 4 ///< what a handle that holds parameters keeps from call to call (xfrt_model::held_bytes)
} xfrt_space;

/// In which calls a launch runs. A handle may hold parameters (xfrt_options::hold_parameters): it then keeps forms of
/// them in which kernels read them fastest, each filled once from the parameter that is the launch's first operand, an
/// argument.
typedef enum xfrt_when {
  XFRT_ALWAYS = 0,
  XFRT_FILLS_HELD = 1, ///< the handle holds parameters and form `held` is not that of the parameter given
  XFRT_IF_HELD = 2,
  XFRT_IF_NOT_HELD = 3
} xfrt_when;

/// Why an entry's `prepare` refuses sizes.
typedef enum xfrt_size_error {
  XFRT_SIZES_TOO_LARGE = -1, ///< a sum or product of them does not fit into 63 bits
  XFRT_SIZES_DIFFER = -2     ///< sizes that an operation needs to be equal are not
} xfrt_size_error;

/// Where a kernel finds one of its buffers.
typedef struct xfrt_operand {
  int32_t space;  ///< xfrt_space
  int32_t index;  ///< of the argument or result; 0 otherwise
  int32_t offset; ///< frame slot that holds the byte offset; -1 is offset 0
} xfrt_operand;

/// How a kernel on a GPU reads a buffer by tiles: what cuTensorMapEncodeTiled is given. Dimensions are listed innermost
/// first. Sizes and strides (in elements) are frame slots, -1 is 1; the innermost stride is 1 and its slot unused.
typedef struct xfrt_tensor_map {
  int32_t operand; ///< of the launch: which of its buffers
  int32_t dtype;   ///< xfrt_dtype
  int32_t rank;    ///< 1 to 5; the rest of the arrays is unused
  int32_t sizes[5], strides[5];
  int32_t box[5];        ///< elements of one tile, 1 to 256 each
  int32_t swizzle_bytes; ///< 0, 32, 64 or 128
} xfrt_tensor_map;

/// One kernel over a grid of independent tiles.
///
/// On a GPU the kernel is the function `name` of the model's image. Its parameters are, in this order: every scalar (64
/// bits), the address of every buffer (64 bits), every tensor map (128 bytes by value, aligned to 64), and the number
/// of tiles (64 bits). Blocks are one-dimensional and run the tiles blockIdx.x, blockIdx.x + gridDim.x, .. below that
/// number, so that the size of the grid does not change results.
typedef struct xfrt_launch {
  xfrt_kernel kernel;    ///< null on a GPU
  const char *name;      ///< of the kernel, for traces and xfc explain
  int32_t grid;          ///< frame slot: number of tiles, 0 allowed
  int32_t first_operand; ///< into xfrt_entry::operands
  int32_t operand_count;
  int32_t first_scalar; ///< into xfrt_entry::scalars, whose elements are frame slots
  int32_t scalar_count;
  int32_t when; ///< xfrt_when
  int32_t held; ///< FILLS_HELD only: the form that it fills, below xfrt_model::held_count
  // Of kernels on a GPU; 0 on a CPU.
  int32_t threads;      ///< of a block, 1 to 1024
  int32_t shared_bytes; ///< dynamic shared memory of a block
  /// n: no more blocks than n for each multiprocessor of the device; 0: one for each tile.
  int32_t blocks_per_processor;
  int32_t first_map; ///< into xfrt_entry::maps
  int32_t map_count;
} xfrt_launch;

/// One dimension of an argument or result: a constant (symbol < 0) or the value of a symbol of the entry.
typedef struct xfrt_dim {
  int64_t size;
  int32_t symbol;
} xfrt_dim;

/// A size that is known at call time only; every dimension that names it must agree, and min <= value <= max.
typedef struct xfrt_symbol {
  const char *name;
  int64_t min, max;
} xfrt_symbol;

/// Who owns an argument.
typedef enum xfrt_role {
  XFRT_INPUT = 0,     ///< given with every call
  XFRT_PARAMETER = 1, ///< model weight, named as in the state dict; shared by all entries of the model that name it
  XFRT_STATE = 2      ///< optimiser state, zero at first, kept beside the parameters
} xfrt_role;

/// What holds of integers that are arguments.
typedef enum xfrt_checks {
  XFRT_IN_RANGE = 1, ///< every element lies in [lowest, highest]
  XFRT_ORDERED = 2,  ///< elements do not decrease, beside that
  XFRT_LIMITED = 4   ///< no element is above limit_offset + the value of the symbol limit_symbol, beside that
} xfrt_checks;

/// The name and type of an argument or result.
typedef struct xfrt_tensor {
  const char *name; ///< as the user wrote it, any UTF-8
  int32_t dtype;    ///< xfrt_dtype
  int32_t rank;
  const xfrt_dim *dims;
  int32_t role;    ///< xfrt_role
  int32_t updates; ///< results only: the argument whose buffer receives this result in place, or -1
  int32_t checked; ///< integer arguments only: what holds of the elements, checked before the first kernel runs
                   ///< (xfrt_checks)
  int64_t lowest, highest;
  int32_t limit_symbol;
  int64_t limit_offset;
} xfrt_tensor;

/// A function of the model: its signature, and the launches that compute it, in order. A frame is an array of numbers,
/// the sizes, offsets and scalars of one call.
typedef struct xfrt_entry {
  const char *name;
  int32_t argument_count, result_count;
  const xfrt_tensor *arguments, *results;
  int32_t symbol_count;
  const xfrt_symbol *symbols;
  int32_t frame_size;
  const int64_t *frame;                                    ///< constant frame, or null where `prepare` fills one
  void (*prepare)(const int64_t *symbols, int64_t *frame); ///< null for static entries
  int32_t arena_bytes;                                     ///< frame slot: bytes of the arena, a multiple of 64, or
                                                           ///< why `prepare` refuses the sizes (xfrt_size_error)
  int32_t launch_count;
  const xfrt_launch *launches;
  const xfrt_operand *operands;
  const int32_t *scalars;
  int64_t scratch_bytes;        ///< per worker, a multiple of 64
  double flop;                  ///< counted as xf-bench reports it; static entries only, else 0
  double pairs, executed_pairs; ///< of all attentions of a static entry, per call
  const xfrt_tensor_map *maps;  ///< of kernels on a GPU
} xfrt_entry;

/// In which form an image holds kernels.
typedef enum xfrt_image_kind {
  XFRT_PTX = 0,  ///< text that ends with a NUL, which the driver compiles
  XFRT_CUBIN = 1 ///< machine code of one architecture
} xfrt_image_kind;

/// All kernels of a model for a GPU.
typedef struct xfrt_image {
  const char *arch; ///< "sm_90a"
  int32_t kind;     ///< xfrt_image_kind
  const void *data;
  int64_t bytes; ///< of data, the NUL of a text included
} xfrt_image;

/// Where the rows of a model lie, those of all its entries in one array for each kind, and the bytes that it points to.
/// Pointers of rows lead into these arrays; indices and counts, which are numbers that may be damaged, are checked
/// against their ends when a handle is made. Addresses are the linker's and trusted, as code is.
typedef struct xfrt_tables {
  const xfrt_entry *entries, *entries_end;
  const xfrt_tensor *tensors, *tensors_end; ///< arguments and results
  const xfrt_dim *dims, *dims_end;
  const xfrt_symbol *symbols, *symbols_end;
  const int64_t *frames, *frames_end; ///< constant ones
  const xfrt_launch *launches, *launches_end;
  const xfrt_operand *operands, *operands_end;
  const int32_t *scalars, *scalars_end;
  const xfrt_tensor_map *maps, *maps_end;
  const xfrt_image *images, *images_end;
  const char *strings, *strings_end;     ///< every name, each with its NUL
  const char *constants, *constants_end; ///< xfrt_model::constants
  const char *code, *code_end;           ///< data of images
} xfrt_tables;

/// What an object defines, as the constant xfrt_model_NAME. Code for several processors is a list of models of one
/// program: entries, tensors and symbols are the same in all of them; launches, sizes of memory and forms of parameters
/// are each one's own. Of those for the CPU the last one whose features the processor has is run; of those for GPUs, in
/// whatever order, the one of the highest architecture that the device runs, of those "sm_90a" before "sm_90"
/// (xfrt_selected_model). Models for GPUs follow those for CPUs; arena, constants and forms of parameters of theirs lie
/// in the memory of the GPU, and scratch_bytes is 0.
typedef struct xfrt_model {
  int32_t abi_version;
  const char *name;
  /// CPU features that the kernels need, comma separated, LLVM's names ("avx2,fma,avx512f"); empty: none. For a GPU its
  /// architecture: "sm_80" (that and all later ones), "sm_90a" (that one alone).
  const char *features;
  const char *content_hash; ///< hexadecimal, of the program and the options
  int32_t entry_count;
  const xfrt_entry *entries;
  const void *constants; ///< weights folded into the object, 64-byte aligned, or null
  int64_t constant_bytes;
  int32_t held_count; ///< forms of parameters that a handle may hold
  int64_t held_bytes; ///< of all of them
  int32_t device;     ///< xfrt_device: XFRT_CPU or XFRT_CUDA
  int32_t image_count;
  const xfrt_image *images;      ///< of a model for a GPU: each holds all kernels; machine code is tried before PTX
  const struct xfrt_model *next; ///< the same program for processors that can do more, or null
  const xfrt_tables *tables;     ///< null: rows made by hand in the program that uses them, whose counts are trusted
  /// Of every number above but abi_version, field by field, then of data_checksum, then of every number of the tables,
  /// table by table, row by row, field by field, then of the bytes of strings (xfrt/checksum.h); 0: none. Checked when
  /// a handle is made.
  uint64_t checksum;
  uint64_t data_checksum; ///< of the bytes of constants, then of code; 0: none. Checked by xfrt_check_model
} xfrt_model;

#ifdef __cplusplus
}
#endif

#endif // XFRT_MODEL_H

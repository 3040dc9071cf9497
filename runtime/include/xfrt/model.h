//===- xfrt/model.h - Tables of a compiled object ----------------*- C -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The read-only tables that xfc writes to an object. An object has one xfrt_model, in the symbol `xfrt_model_<NAME>`.
// C99, no allocation, position independent.
//
// An entry is a list of steps that a call runs in order. They share one block of memory, the arena. A step is a launch,
// a copy or, if several ranks run a program together, a collective. A launch runs `kernel` on a one-dimensional grid of
// independent tiles. Its operands are buffers (argument, result, arena or constant, at a byte offset) and 64-bit
// scalars (sizes, strides). A copy has two buffers and a number of bytes. Numbers that may depend on a dynamic size are
// elements of a *frame*, an array of int64_t. An entry with static sizes has a constant frame; any other computes the
// frame in each call from its symbols (`prepare`).
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_MODEL_H
#define XFRT_MODEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Version of the structures below. Any change to one of them changes the version. A runtime refuses an object with
/// another version before it runs a kernel.
#define XFRT_ABI_VERSION 15

/// A kind of device: where a model's kernels run, or in whose memory a buffer lies.
typedef enum xfrt_device {
  XFRT_CPU = 0,
  XFRT_CUDA = 1,       ///< an NVIDIA GPU
  XFRT_CUDA_OR_CPU = 2 ///< xfrt_options only: a GPU where one can run the model, otherwise the CPU
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

/// A kernel function: runs the tiles [begin, end) of its grid. `scalars` and `buffers` hold the launch's operands in
/// order; `scratch` is private to the calling worker (xfrt_entry::scratch_bytes, 64-byte aligned). Tiles are
/// independent: they may run in any order, on any worker, with bitwise equal results.
typedef void (*xfrt_kernel)(const int64_t *scalars, void *const *buffers, int64_t begin, int64_t end, void *scratch);

/// The memory in which a buffer operand lies. For XFRT_ARGUMENT and XFRT_RESULT, xfrt_operand::index is the index of
/// the argument or result.
typedef enum xfrt_space {
  XFRT_ARENA = 0,
  XFRT_CONSTANT = 1,
  XFRT_ARGUMENT = 2,
  XFRT_RESULT = 3,
  XFRT_HELD = 4 ///< prepacked forms that a handle keeps from call to call (xfrt_model::held_bytes)
} xfrt_space;

/// The condition under which a call runs a step. A handle that holds parameters (xfrt_options::hold_parameters) keeps
/// prepacked forms of them, in the order that kernels read fastest. A step with XFRT_FILLS_HELD fills one form from a
/// parameter. The parameter is an argument: the first operand of the step's launch, or the source of its copy.
typedef enum xfrt_when {
  XFRT_ALWAYS = 0,
  XFRT_FILLS_HELD = 1, ///< the handle holds parameters, and form `held` was not filled from the parameter of this call
  XFRT_IF_HELD = 2,    ///< the handle holds parameters
  XFRT_IF_NOT_HELD = 3 ///< the handle does not hold parameters
} xfrt_when;

/// The reason why an entry's `prepare` refuses sizes. `prepare` stores it in the frame slot xfrt_entry::arena_bytes.
typedef enum xfrt_size_error {
  XFRT_SIZES_TOO_LARGE = -1, ///< a sum or product of sizes does not fit into 63 bits
  XFRT_SIZES_DIFFER = -2     ///< sizes that an operation needs to be equal are not
} xfrt_size_error;

/// The kind of a step, and the table that has its row. A runtime refuses models with kinds that it does not implement.
typedef enum xfrt_step_kind {
  XFRT_LAUNCH = 0,     ///< runs a kernel: xfrt_entry::launches
  XFRT_COPY = 1,       ///< copies bytes: xfrt_entry::copies
  XFRT_COLLECTIVE = 2, ///< starts to send and receive between ranks: xfrt_tables::collectives
  XFRT_WAIT = 3        ///< waits for the end of a collective, whose row is the step's index
} xfrt_step_kind;

/// A step of an entry. It reads what the steps before it have written.
typedef struct xfrt_step {
  int32_t kind;  ///< xfrt_step_kind
  int32_t index; ///< index of the step's row in the table of this kind
  int32_t when;  ///< xfrt_when
  int32_t held;  ///< XFRT_FILLS_HELD only: the form that the step fills, below xfrt_model::held_count
} xfrt_step;

/// A copy of bytes from one buffer to another. The buffers are equal or do not overlap.
typedef struct xfrt_copy {
  int32_t from, to; ///< into xfrt_entry::operands
  int32_t bytes;    ///< frame slot: number of bytes, 0 allowed
} xfrt_copy;

/// The data that the ranks of a group exchange. A group is a set of ranks whose positions in the mesh differ only in
/// the axes of the collective. Its members are in the order of ranks. Sums are added in this order, so that they have
/// the same bits on all members.
typedef enum xfrt_collective_kind {
  XFRT_ALL_REDUCE = 0,     ///< the sum of what all members send
  XFRT_ALL_GATHER = 1,     ///< part p is what member p sends
  XFRT_REDUCE_SCATTER = 2, ///< on member p: part p of the sum of what all members send
  XFRT_ALL_TO_ALL = 3,     ///< on member p: part s is part p of what member s sends
  XFRT_EXCHANGE = 4,       ///< XFRT_ALL_GATHER of rows of keys: only those are sent that queries of the receiver see;
                           ///< the other rows of other members are undefined
  XFRT_ALL_SLICE = 5,      ///< on member p: part p of its own buffer; nothing is sent
  XFRT_RETURN_REDUCE = 6   ///< XFRT_REDUCE_SCATTER of rows of keys: only those are sent that queries of the sender see
} xfrt_collective_kind;

/// A collective of ranks. A buffer that is cut or joined has P parts, one for each of the P ranks of a group. Each part
/// has `runs` runs of `bytes` bytes, and run r of part p begins (r P + p) * `bytes` bytes after the buffer's begin. Any
/// other buffer is a single part. The parts that are sent and received have equal numbers of bytes.
typedef struct xfrt_collective {
  int32_t kind;                                               ///< xfrt_collective_kind
  int32_t axes;                                               ///< bit n stands for row n of xfrt_tables::axes
  int32_t dtype;                                              ///< xfrt_dtype of the elements
  int32_t send, receive;                                      ///< into xfrt_entry::operands; the buffers do not overlap
  int32_t send_runs, send_bytes, receive_runs, receive_bytes; ///< frame slots
  /// For XFRT_EXCHANGE and XFRT_RETURN_REDUCE, else 0. `queries` and `keys` are frame slots: the numbers of queries and
  /// of keys of a part. `plan` is the index in xfrt_tables::plans at which the plan begins. A run of a part has one row
  /// for each key, and all rows have one size.
  int32_t queries, keys, plan;
  /// For the same kinds: the segments of all queries and keys of a group. `query_segments` and `key_segments` are
  /// indices into xfrt_entry::operands. `segment_lists` is the frame slot of the number of lists. The runs of a part
  /// are cut into as many equal ranges, and each range has its own list of segments. `segment_dtype` is XFRT_I32 or
  /// XFRT_I64, or 0 without segments. A pair of the plan counts only if its two segments are equal and not negative.
  int32_t query_segments, key_segments, segment_lists, segment_dtype;
} xfrt_collective;

/// An axis of the mesh of ranks that run a program. The last axis varies fastest in the order of ranks.
typedef struct xfrt_axis {
  const char *name;
  int32_t ranks; ///< at least 1
} xfrt_axis;

/// An axis over which ranks share a dimension of a tensor. The dimension is cut into as many equal parts as the axis
/// has ranks. If several axes cut a dimension, the first one cuts it into the largest parts.
typedef struct xfrt_shard {
  int32_t tensor; ///< row of xfrt_tables::tensors
  int32_t dimension;
  int32_t axis; ///< row of xfrt_tables::axes
} xfrt_shard;

/// A buffer operand of a step: a memory space and a byte offset in it.
typedef struct xfrt_operand {
  int32_t space;  ///< xfrt_space
  int32_t index;  ///< index of the argument or result; 0 for other spaces
  int32_t offset; ///< frame slot that holds the byte offset; -1 is offset 0
} xfrt_operand;

/// A tensor map: the arguments of cuTensorMapEncodeTiled. A kernel on a GPU reads or writes boxes of a buffer through
/// it. Dimensions are listed innermost first. Sizes and strides (in elements) are frame slots; slot -1 means the value
/// 1. The innermost stride is 1, and its slot is not used.
typedef struct xfrt_tensor_map {
  int32_t operand; ///< the buffer, as an index among the operands of the launch
  int32_t dtype;   ///< xfrt_dtype
  int32_t rank;    ///< 1 to 5; the rest of the arrays is unused
  int32_t sizes[5], strides[5];
  int32_t box[5];        ///< elements of one tile, 1 to 256 each
  int32_t swizzle_bytes; ///< 0, 32, 64 or 128
} xfrt_tensor_map;

/// A launch of one kernel over a grid of independent tiles.
///
/// On a GPU the kernel is the function `name` of the model's image. Its parameters are, in this order: every scalar (64
/// bits), the address of every buffer (64 bits), every tensor map (128 bytes by value, aligned to 64), and the number
/// of tiles (64 bits). Thread blocks are one-dimensional. All thread blocks together run each tile once. Neither the
/// order of tiles nor the number of thread blocks changes results. A kernel may count the tiles that blocks have taken
/// in a variable of its image, which is 0 between launches. For this reason launches of one loaded image do not
/// overlap.
typedef struct xfrt_launch {
  xfrt_kernel kernel;    ///< null on a GPU
  const char *name;      ///< name of the kernel by what it computes, such as "matmul_bias_gelu", for traces and people
  int32_t grid;          ///< frame slot: number of tiles, 0 allowed
  int32_t first_operand; ///< into xfrt_entry::operands
  int32_t operand_count;
  int32_t first_scalar; ///< into xfrt_entry::scalars, whose elements are frame slots
  int32_t scalar_count;
  // For kernels on a GPU only; 0 on a CPU.
  int32_t threads;      ///< threads of a block, 1 to 1024
  int32_t shared_bytes; ///< dynamic shared memory of a block
  /// The largest number of blocks for each multiprocessor of the device; 0 launches one thread block for each tile.
  int32_t blocks_per_processor;
  int32_t first_map; ///< into xfrt_entry::maps
  int32_t map_count;
} xfrt_launch;

/// One dimension of an argument or result: a constant (symbol < 0) or the value of a symbol of the entry.
typedef struct xfrt_dim {
  int64_t size;
  int32_t symbol;
} xfrt_dim;

/// A dynamic size, known only in a call. All dimensions that name the symbol must have the same size, and min <= size
/// <= max. Derived symbols (xfrt_entry::derive) are computed from the others.
typedef struct xfrt_symbol {
  const char *name;
  int64_t min, max;
} xfrt_symbol;

/// The role of an argument: who provides its value, and how long it lives.
typedef enum xfrt_role {
  XFRT_INPUT = 0,     ///< given by the caller with every call
  XFRT_PARAMETER = 1, ///< weight of the model, named as in the state dict; shared by all entries that name it
  XFRT_STATE = 2      ///< state of the optimiser or the program, initialised to zero, kept from call to call beside the
                      ///< parameters
} xfrt_role;

/// Constraints on the elements of integer arguments, as bits to be combined (xfrt_tensor::checked).
typedef enum xfrt_checks {
  XFRT_IN_RANGE = 1,    ///< every element lies in [lowest, highest]
  XFRT_ORDERED = 2,     ///< XFRT_IN_RANGE, and elements do not decrease
  XFRT_LIMITED = 4,     ///< XFRT_IN_RANGE, and no element exceeds limit_offset + the value of the symbol limit_symbol
  XFRT_LEAVES_ROOM = 8, ///< XFRT_IN_RANGE, and no element exceeds limit_offset - the value of the symbol limit_symbol
  XFRT_MARKED = 16,     ///< XFRT_IN_RANGE, and no element is negative, except `lowest`, which marks unused elements
  XFRT_PLACE = 32       ///< XFRT_IN_RANGE, for a position at which a call writes; a state above `highest` is full
} xfrt_checks;

/// The declaration of an argument or result of an entry: name, type, shape and constraints.
typedef struct xfrt_tensor {
  const char *name; ///< as the user wrote it, any UTF-8
  int32_t dtype;    ///< xfrt_dtype
  int32_t rank;
  const xfrt_dim *dims;
  int32_t role;    ///< xfrt_role
  int32_t updates; ///< results only: the argument whose buffer receives this result in place, or -1
  int32_t checked; ///< integer arguments only: constraints on the elements (xfrt_checks), verified before the
                   ///< first kernel runs
  int64_t lowest, highest;
  int32_t limit_symbol;
  int64_t limit_offset;
} xfrt_tensor;

/// A function of the model: its signature, and the steps that compute it, in order. A frame is the array of numbers of
/// one call: sizes, offsets and scalars.
typedef struct xfrt_entry {
  const char *name;
  int32_t argument_count, result_count;
  const xfrt_tensor *arguments, *results;
  int32_t symbol_count;
  const xfrt_symbol *symbols;
  int32_t frame_size;
  const int64_t *frame;                                    ///< constant frame, or null if `prepare` fills a frame
  void (*prepare)(const int64_t *symbols, int64_t *frame); ///< null for static entries
  int32_t arena_bytes;                                     ///< frame slot: bytes of the arena, a multiple of 64, or
                                                           ///< an xfrt_size_error where `prepare` refuses the sizes
  int32_t step_count;
  const xfrt_step *steps;
  int32_t launch_count;
  const xfrt_launch *launches;
  int32_t copy_count;
  const xfrt_copy *copies;
  const xfrt_operand *operands;
  const int32_t *scalars;
  int64_t scratch_bytes;        ///< per worker, a multiple of 64
  double flop;                  ///< FLOP of a call, as xf-bench reports them; 0 unless the entry is static
  double pairs, executed_pairs; ///< pairs of all attentions of a call; 0 unless the entry is static
  const xfrt_tensor_map *maps;  ///< tensor maps of kernels on a GPU
  /// The last `derived_count` symbols are derived. Each is an expression of the symbols before it, and this expression
  /// is its name ("tokens + 1"). `derive` returns the value of derived symbol `number`, counted from 0, or INT64_MIN if
  /// the value does not fit into 64 bits. `derive` is null if no symbol is derived.
  int32_t derived_count;
  int64_t (*derive)(const int64_t *symbols, int32_t number);
} xfrt_entry;

/// Computes the derived symbols of an entry. `symbols` has room for all symbols, and holds the values of those that are
/// not derived.
static inline void xfrt_derive_symbols(const xfrt_entry *entry, int64_t *symbols) {
  const int32_t first = entry->symbol_count - entry->derived_count;
  for (int32_t i = 0; i < entry->derived_count; ++i)
    symbols[first + i] = entry->derive(symbols, i);
}

/// The form of the kernels in an image.
typedef enum xfrt_image_kind {
  XFRT_PTX = 0,  ///< text that ends with a NUL, which the driver compiles
  XFRT_CUBIN = 1 ///< machine code of one architecture
} xfrt_image_kind;

/// An image: all kernels of a model, compiled for one architecture of GPUs.
typedef struct xfrt_image {
  const char *arch; ///< "sm_90a"
  int32_t kind;     ///< xfrt_image_kind
  const void *data;
  int64_t bytes; ///< size of `data`, including the NUL of a text
} xfrt_image;

/// The work of one run of a step, for traces and profiles (xfrt_tables::work).
typedef struct xfrt_work {
  const char *source; ///< place of the operation in the user's program, "block.cpp:21" without folders, or empty
  double flop;        ///< floating-point operations; negative if the compiler does not count them or sizes are dynamic
  double bytes;       ///< bytes of all operands, each element once; negative if sizes are dynamic
} xfrt_work;

/// The bounds of a model's tables. There is one array for each kind of row, with the rows of all entries, and arrays of
/// the bytes that rows point to. Creating a handle verifies that indices and counts, which may be damaged, stay inside
/// these arrays. Addresses are written by the linker and trusted as code is.
typedef struct xfrt_tables {
  const xfrt_entry *entries, *entries_end;
  const xfrt_tensor *tensors, *tensors_end; ///< arguments and results
  const xfrt_dim *dims, *dims_end;
  const xfrt_symbol *symbols, *symbols_end;
  const int64_t *frames, *frames_end; ///< constant frames
  const xfrt_step *steps, *steps_end;
  const xfrt_launch *launches, *launches_end;
  const xfrt_copy *copies, *copies_end;
  const xfrt_operand *operands, *operands_end;
  const int32_t *scalars, *scalars_end;
  const xfrt_tensor_map *maps, *maps_end;
  const xfrt_image *images, *images_end;
  const char *strings, *strings_end;     ///< every name, each with its NUL
  const char *constants, *constants_end; ///< xfrt_model::constants
  const char *code, *code_end;           ///< data of images
  const xfrt_work *work, *work_end;      ///< one row for each row of `steps`, in the same order; or none
  // Of objects for several ranks:
  const xfrt_axis *axes, *axes_end; ///< axes of the mesh; none for one rank
  const xfrt_collective *collectives, *collectives_end;
  const xfrt_shard *shards, *shards_end; ///< in the order of tensors and dimensions
  /// The pairs of attentions as plans. A plan is a sequence of numbers; each list in it begins with its length:
  ///
  ///   plan       chunks m of a part, list of pieces, list of boxes
  ///   piece      index map of queries, index map of keys, number of residues, list of lower bounds, list of upper
  ///              bounds, list of conditions; bounds and conditions are forms
  ///   index map  residues, period, width, offset, cell, multiplier, shift
  ///   form       list of divisions, row
  ///   division   row, divisor
  ///   row        constant, factor of the query's position, list of factors of the numbers of queries and of keys,
  ///              list of factors of the divisions before it
  ///   box        [begin, end) of positions of queries, [begin, end) of positions of keys
  ///
  /// A pair is in the plan if it is in a piece, as #xf.piece defines, or in a box. A condition holds if it is >= 0.
  /// Queries and keys are cut into m P chunks, where P is the number of ranks of a group. In turn t < m, member p has
  /// chunk tP + p if t is even, and chunk (t + 1)P - 1 - p if t is odd.
  const int64_t *plans, *plans_end;
} xfrt_tables;

/// A compiled model, which an object defines as the constant xfrt_model_NAME. An object with code for several
/// processors defines a list of models of one program. All of them have the same entries, tensors and symbols, but
/// different steps, sizes of memory and prepacked forms. Models for CPUs come before models for GPUs.
///
/// On a CPU a handle runs the last model whose features the processor has. On a GPU it runs the model of the highest
/// architecture that the device runs, whatever their order, and prefers "sm_90a" to "sm_90" (xfrt_selected_model). The
/// arena, constants and prepacked forms of a model for a GPU lie in the memory of the GPU, and its scratch_bytes is 0.
typedef struct xfrt_model {
  int32_t abi_version;
  const char *name;
  /// For a CPU: the features that the kernels need, separated by commas, by LLVM's names ("avx2,fma,avx512f"). Empty if
  /// the kernels need none. "sve256" and "sve512" mean SVE with registers of exactly this size. For a GPU: its
  /// architecture, "sm_80" (this and all later ones) or "sm_90a" (only this one).
  const char *features;
  const char *content_hash; ///< hexadecimal, of the program and the options
  int32_t entry_count;
  const xfrt_entry *entries;
  const void *constants; ///< weights folded into the object, 64-byte aligned, or null
  int64_t constant_bytes;
  int32_t held_count; ///< number of prepacked forms that a handle may hold
  int64_t held_bytes; ///< size of all forms together
  int32_t device;     ///< xfrt_device: XFRT_CPU or XFRT_CUDA
  int32_t image_count;
  const xfrt_image *images;      ///< models for a GPU only: each holds all kernels; machine code is tried before PTX
  const struct xfrt_model *next; ///< the next model of the list: the same program for another processor; or null
  const xfrt_tables *tables;     ///< null for tables written by hand in the program itself, whose counts are trusted
  /// Checksum (xfrt/checksum.h) of the model and its tables, but not of abi_version. Words are added in this order:
  /// every other number above, field by field; data_checksum; every number of the tables from `entries` to `images`,
  /// table by table, row by row, field by field; the bytes of strings; `work`, `axes`, `collectives`, `shards` and
  /// `plans`. 0 means no checksum. Verified when a handle is created.
  uint64_t checksum;
  uint64_t data_checksum; ///< checksum of the bytes of constants, then of code; 0: none. Verified by xfrt_check_model
} xfrt_model;

#ifdef __cplusplus
}
#endif

#endif // XFRT_MODEL_H

/*===- c99.c - A C99 program that needs libxfrt and nothing else -----------===*\
|*
|* Part of xf, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include "xfrt/dlpack.h"
#include "xfrt/xfrt.h"

#include <stdio.h>

static void negate(const int64_t *scalars, void *const *buffers, int64_t begin, int64_t end, void *scratch) {
  const float *x = (const float *)buffers[0];
  float *y = (float *)buffers[1];
  int64_t i;
  (void)scalars;
  (void)scratch;
  for (i = begin; i < end; ++i)
    y[i] = -x[i];
}

static const xfrt_dim dims[] = {{4, -1}};
static const xfrt_tensor arguments[] = {{"x", XFRT_F32, 1, dims, XFRT_INPUT, -1, 0, 0, 0, 0, 0}};
static const xfrt_tensor results[] = {{"y", XFRT_F32, 1, dims, XFRT_INPUT, -1, 0, 0, 0, 0, 0}};
static const int64_t frame[] = {4, 0};
static const xfrt_operand operands[] = {{XFRT_ARGUMENT, 0, -1}, {XFRT_RESULT, 0, -1}};
static const xfrt_launch launches[] = {{negate, "negate", 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}};
static const xfrt_step steps[] = {{XFRT_LAUNCH, 0, XFRT_ALWAYS, 0}};
static const xfrt_entry entries[] = {{"negate", 1, 1,   arguments, results, 0,        NULL, 2,    frame,
                                      NULL,     1, 1,   steps,     1,       launches, 0,    NULL, operands,
                                      NULL,     0, 0.0, 0.0,       0.0,     NULL,     0,    NULL}};
static const xfrt_model model = {XFRT_ABI_VERSION, "c99", "",   "",   1,    entries, NULL, 0, 0, 0,
                                 XFRT_CPU,         0,     NULL, NULL, NULL, 0,       0};

int main(void) {
  const int64_t shape[] = {4};
  float x[] = {1, 2, 3, 4}, y[] = {0, 0, 0, 0};
  xfrt_buffer argument = {x, XFRT_F32, 1, shape, NULL, XFRT_CPU}, result = {y, XFRT_F32, 1, shape, NULL, XFRT_CPU};
  xfrt_context *context = NULL;
  int i;
  argument.data = x;
  result.data = y;
  if (xfrt_create(&model, NULL, &context) != XFRT_OK) {
    puts(xfrt_message(NULL));
    return 1;
  }
  if (xfrt_call(context, xfrt_find_entry(&model, "negate"), &argument, 1, &result, 1) != XFRT_OK) {
    puts(xfrt_message(context));
    return 1;
  }
  xfrt_destroy(context);
  for (i = 0; i < 4; ++i)
    if (y[i] != -x[i])
      return 1;
  return 0;
}

// An application that knows the packages alone.
#include "scale.h"

#include <stdio.h>

int main(void) {
  const float x[4] = {1.5f, 1.5f, 1.5f, 1.5f};
  float y[4];
  xfrt_context *context;
  if (xfrt_create(&xfrt_model_scale, NULL, &context) != XFRT_OK || scale_scale(context, x, y) != XFRT_OK)
    return puts(xfrt_message(NULL)), 1;
  printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
  xfrt_destroy(context);
  return 0;
}

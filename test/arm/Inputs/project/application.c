#include "scale.h"

#include <stdio.h>

int main(void) {
  const float x[4] = {1, 2, 3, 4}, cotangent[4] = {1, 0, 0, 2};
  float y[4], gradient[4];
  xfrt_context *context = NULL;
  if (xfrt_create(&xfrt_model_scale, NULL, &context) != XFRT_OK ||
      scale_scale_vjp(context, x, cotangent, y, gradient) != XFRT_OK) {
    printf("%s\n", xfrt_message(context));
    xfrt_destroy(context);
    return 1;
  }
  printf("features: %s\n", xfrt_selected_model(context)->features);
  printf("y = %g %g %g %g, d_x = %g %g %g %g\n", y[0], y[1], y[2], y[3], gradient[0], gradient[1], gradient[2],
         gradient[3]);
  xfrt_destroy(context);
  return 0;
}

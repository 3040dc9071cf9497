/* Two models in one C99 program. */
#include "layer.h"
#include "scale.h"

#include <stdio.h>

static int failed(xfrt_status status, const char *message) {
  if (status != XFRT_OK)
    printf("%s: %s\n", xfrt_status_name(status), message);
  return status != XFRT_OK;
}

int main(void) {
  xfrt_context *context = NULL, *layer = NULL;
  xfrt_parameters *parameters = NULL;
  const float x[4] = {1, 2, 3, 4}, cotangent[4] = {1, 0, 0, 2};
  float y[4], gradient[4], applied[3];
  xfrt_buffer weight;
  int n, status = 1;

  if (failed(xfrt_create(&xfrt_model_scale, NULL, &context), xfrt_message(NULL)) ||
      failed(scale_scale_vjp(context, x, cotangent, y, gradient), xfrt_message(context)) ||
      failed(xfrt_create(&xfrt_model_layer, NULL, &layer), xfrt_message(NULL)) ||
      failed(xfrt_parameters_create(&xfrt_model_layer, NULL, &parameters), xfrt_message(NULL)) ||
      failed(xfrt_parameters_get(parameters, "weight", &weight), xfrt_parameters_message(parameters)))
    goto end;
  for (n = 0; n < 6; ++n)
    ((float *)weight.data)[n] = (float)n;
  if (failed(layer_apply(layer, parameters, x, applied), xfrt_message(layer)))
    goto end;
  printf("y = %g %g %g %g, d_x = %g %g %g %g\n", y[0], y[1], y[2], y[3], gradient[0], gradient[1], gradient[2],
         gradient[3]);
  printf("apply = %g %g %g\n", applied[0], applied[1], applied[2]);
  status = 0;
end:
  xfrt_parameters_destroy(parameters);
  xfrt_destroy(layer);
  xfrt_destroy(context);
  return status;
}

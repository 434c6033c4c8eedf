/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Softmax regression on drawn digits as ranks of a run, softmax.json:
 * cc -std=c99 -O2 softmax.c -o softmax $(pkg-config --cflags --libs slipstream) -lm */
#include <math.h>
#include <slipstream.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIXELS = 784, CLASSES = 10 };

static uint32_t noise = 1; /* the program's own state: which inputs are dropped next */

static void check(int status) {
  if (status == 0) return;
  fprintf(stderr, "%s\n", slipstream_error());
  exit(1);
}

static float kept(float value) {
  noise = noise * 1664525U + 1013904223U;
  return noise >> 28 == 0 ? 0.0F : value;
}

/* Adds the gradient of `scale` times the mean loss; returns the mean loss. */
static double pass(const slipstream_samples* samples, const float* w, const float* b, double scale, float* dw, float* db) {
  double loss = 0;
  for (int64_t i = 0; i < samples->count; ++i) {
    float x[PIXELS];
    double p[CLASSES], sum = 0;
    for (int k = 0; k < PIXELS; ++k) x[k] = kept(samples->inputs[i * PIXELS + k]);
    for (int c = 0; c < CLASSES; ++c) {
      double z = b[c];
      for (int k = 0; k < PIXELS; ++k) z += (double)w[c * PIXELS + k] * x[k];
      sum += p[c] = exp(z);
    }
    loss -= log(p[samples->labels[i]] / sum) / (double)samples->count;
    for (int c = 0; c < CLASSES; ++c) {
      const double d = scale * (p[c] / sum - (c == samples->labels[i])) / (double)samples->count;
      db[c] += (float)d;
      for (int k = 0; k < PIXELS; ++k) dw[c * PIXELS + k] += (float)(d * x[k]);
    }
  }
  return loss;
}

int main(void) {
  slipstream_rank* rank = slipstream_join(SLIPSTREAM_ABI);
  if (rank == NULL) check(-1);
  const int64_t weight[] = {CLASSES, PIXELS}, bias[] = {CLASSES};
  const slipstream_tensor tensors[] = {
      {sizeof(slipstream_tensor), "softmax.weight", weight, 2, 0, SLIPSTREAM_WEIGHT},
      {sizeof(slipstream_tensor), "softmax.bias", bias, 1, 0, SLIPSTREAM_BIAS}};
  check(slipstream_describe(rank, tensors, 2));
  noise += (uint32_t)slipstream_number(rank);
  size_t size = 0;
  const void* state = NULL;
  check(slipstream_restored(rank, &state, &size));
  if (size == sizeof noise) noise = *(const uint32_t*)state;
  float *w = slipstream_weights(rank), *dw = slipstream_gradients(rank);
  const int64_t at_w = slipstream_offset(rank, 0), at_b = slipstream_offset(rank, 1);
  while (!slipstream_should_stop(rank)) { /* weights that nobody writes begin with zeros */
    slipstream_step step = {.size = sizeof step};
    slipstream_outcome outcome = {.size = sizeof outcome};
    double loss = 0;
    check(slipstream_begin(rank, &step));
    for (int i = 0; i < step.micro_batches; ++i) {
      slipstream_samples samples = {.size = sizeof samples};
      check(slipstream_get_samples(rank, i, &samples));
      loss += samples.share * pass(&samples, w + at_w, w + at_b, samples.share * step.loss_scale, dw + at_w, dw + at_b);
      check(slipstream_ready(rank, 1, i));
      check(slipstream_ready(rank, 0, i));
    }
    check(slipstream_finish(rank, loss, NULL, NULL, &outcome));
    if (outcome.checkpoint_due) check(slipstream_checkpoint(rank, &noise, sizeof noise));
  }
  check(slipstream_leave(rank));
  return 0;
}

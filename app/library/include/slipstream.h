// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Training loops of your own as ranks of Slipstream's runs: the program owns network, loss and loop; launch, exchange,
 * optimizer, checkpoints and record are Slipstream's. C99; see README.md beside the examples for a whole program.
 *
 *   join -> describe -> (write first weights) -> until should_stop: begin, ready for each gradient, finish -> leave
 *
 * The experiment names the program: "network": {"program": ["./train"]}. `slipstream plan` starts it once by itself to
 * ask for its tensors, `slipstream run` starts one a rank.
 *
 * Functions return 0, or -1 where they fail; those that return a number return a negative one, those that return a
 * pointer NULL. slipstream_error says why, with place and remedy. A rank that fails ends the run when its process ends;
 * a process that it forked does not, and is no rank. All but slipstream_ready belong to the thread
 * that joined, and what the text calls collective has to be called by every rank.
 *
 * Structs begin with their size, which the caller sets to sizeof: a library that is newer than the program's header
 * reads and writes no more than that. A function keeps its meaning for as long as SLIPSTREAM_ABI is the same.
 */
#ifndef SLIPSTREAM_H
#define SLIPSTREAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPSTREAM_ABI 1

typedef struct slipstream_rank slipstream_rank;

/* What a tensor is for. */
enum { SLIPSTREAM_WEIGHT = 0, SLIPSTREAM_BIAS = 1, SLIPSTREAM_NORM = 2, SLIPSTREAM_EMBEDDING = 3 };

/* A trained tensor of fp32 values. */
typedef struct slipstream_tensor {
  size_t size;          /* sizeof(slipstream_tensor), the same in all of a list */
  const char* name;     /* letters, digits and . _ - */
  const int64_t* shape; /* `dimensions` numbers */
  size_t dimensions;
  int layer; /* from 0, in the order of the forward pass */
  int kind;
} slipstream_tensor;

/* What one step is to do. */
typedef struct slipstream_step {
  size_t size;
  int64_t step;            /* of the run, from 0 */
  int micro_batches;       /* equal parts that the rank's samples of the step pass through the network in */
  int first_trained_layer; /* layers below are frozen: their gradients are not needed */
  double share;            /* what the mean loss of one micro-batch counts for in the step's */
  double loss_scale;       /* what the loss is multiplied by before its backward pass */
  int64_t samples;         /* of this rank in the step, as the plan counts them: of all its micro-batches together */
} slipstream_step;

/* What became of a step. */
typedef struct slipstream_outcome {
  size_t size;
  int updated;        /* the weights changed */
  int overflow;       /* some rank's gradient was no finite number, so nothing changed */
  int checkpoint_due; /* a checkpoint is kept before the next step: slipstream_checkpoint adds the program's state */
  int stop;           /* as slipstream_should_stop */
} slipstream_outcome;

/* A micro-batch of the data set that the experiment names. Valid until the next is asked for. */
typedef struct slipstream_samples {
  size_t size;
  const float* inputs;   /* [count, height, width, channels]; of flat samples height is 0: [count, channels] */
  const int32_t* labels; /* [count] */
  int64_t count;
  int64_t height;
  int64_t width;
  int64_t channels;
  double share; /* in place of slipstream_step.share, where ranks have different numbers of samples */
} slipstream_samples;

/* The ABI of the library: as SLIPSTREAM_ABI of the header that it was built with. */
int slipstream_abi(void);
/* Why the last call of this thread failed; valid until its next. Never NULL. */
const char* slipstream_error(void);

/* Joins the run that started this process. Once a process, before threads or other processes are started. Collective.
 * `abi`: SLIPSTREAM_ABI. */
slipstream_rank* slipstream_join(int abi);
int slipstream_number(const slipstream_rank* rank); /* of this rank, from 0 */
int slipstream_ranks(const slipstream_rank* rank);
/* The number of the device whose memory holds this rank's weights and gradients, among those of its kind on its host,
 * as planned. 0 where they are in the host's memory, and where `slipstream plan` only asks for tensors, which opens no
 * device. */
int slipstream_device_number(const slipstream_rank* rank);
/* 1 where this rank's weights and gradients are in the host's memory, or no device was opened; 0 where they are in
 * memory of a device. */
int slipstream_is_on_host(const slipstream_rank* rank);
/* A value of the experiment by its path ("dataset.batch_size", "seed"), as JSON; "" gives all of it. NULL where there
 * is none. Valid until the next call. */
const char* slipstream_setting(slipstream_rank* rank, const char* path);

/* Describes what is trained, in the order of the forward pass, and makes room for it; what the run goes on from is put
 * back. Where `slipstream plan` only asks, this answers and ends the process. Collective. */
int slipstream_describe(slipstream_rank* rank, const slipstream_tensor* tensors, size_t count);
/* 1 where the run starts anew: the weights are what the program writes before the first step, rank 0's on all ranks. */
int slipstream_is_fresh(slipstream_rank* rank);
/* Weights and gradients of all tensors, at one place each, in memory of the experiment's device: tensor i begins at
 * slipstream_offset. They move only where a stage of the experiment ends, inside slipstream_begin. */
float* slipstream_weights(slipstream_rank* rank);
float* slipstream_gradients(slipstream_rank* rank);
int64_t slipstream_offset(slipstream_rank* rank, size_t tensor);
int64_t slipstream_elements(slipstream_rank* rank); /* of all tensors */
/* 1 where gradients are copied on their way to the exchange, because ranks keep shards of them. */
int slipstream_copies_gradients(slipstream_rank* rank);
/* Puts in `state` what this rank gave slipstream_checkpoint; NULL and size 0 where the run starts anew or gave nothing.
 * Valid as long as the rank. */
int slipstream_restored(slipstream_rank* rank, const void** state, size_t* size);

int64_t slipstream_steps_done(slipstream_rank* rank);
int64_t slipstream_total_steps(slipstream_rank* rank);
/* 1 where no further step is to begin: the run is over, or asked to end. -1 where this fails, which ends a loop, too.
 */
int slipstream_should_stop(slipstream_rank* rank);

/* Begins a step: keeps a checkpoint that is due, and clears the gradients. Collective. */
int slipstream_begin(slipstream_rank* rank, slipstream_step* step);
/* The samples of a micro-batch of the step, from 0. Not where dataset.name is "program". */
int slipstream_get_samples(slipstream_rank* rank, int micro_batch, slipstream_samples* samples);
/* The gradient of a tensor is complete for a micro-batch: d(loss_scale * share * mean loss) was added to it. Once for
 * each tensor of a layer that is trained, the last layer first for the sake of speed; from any thread. On a GPU: when
 * the kernels that add to it have ended; begin and finish return when the engine's have. */
int slipstream_ready(slipstream_rank* rank, size_t tensor, int micro_batch);
/* Hands over the gradients that other threads said to be ready. Behind a backward pass of such threads. */
int slipstream_flush_ready(slipstream_rank* rank);
/* The loss of the step's samples with the weights as they are now; changes nothing else. */
typedef double (*slipstream_trial_loss)(void* context);
/* Ends the step: exchange, optimizer, record, votes. `loss`: each micro-batch's mean loss times its share. `trial` may
 * be NULL where no algorithm tries weights out (dim_reduce does). `outcome` may be NULL. Collective. */
int slipstream_finish(slipstream_rank* rank, double loss, slipstream_trial_loss trial, void* context,
                      slipstream_outcome* outcome);

/* Records a value of this rank, at the number of steps that are over. What is the same on all ranks ("accuracy",
 * "evaluation_loss" and other results of evaluations) is recorded for rank 0 alone. An "accuracy" is a fraction of 1.
 */
int slipstream_record(slipstream_rank* rank, const char* name, double value);
/* Keeps the checkpoint that is due, with the program's own state of this rank: position in its data, random state.
 * Between finish and begin. Collective. */
int slipstream_checkpoint(slipstream_rank* rank, const void* state, size_t size);

/* Leaves the run, behind its last step. The rank is gone then. Collective. */
int slipstream_leave(slipstream_rank* rank);
/* Ends the run on all ranks as failed, with the cause; does not return. From any thread. Without a rank (NULL, because
 * it could not join or has left) it prints the cause and ends this process with exit code 1. */
void slipstream_fail(slipstream_rank* rank, const char* cause);

#ifdef __cplusplus
}
#endif

#endif

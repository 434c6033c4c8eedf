/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that goes wrong in the way that its argument names, on rank 1 and in step 4 where that means something. */
#include <signal.h>
#include <slipstream.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* fault;

static int is(const char* name) {
  return strcmp(fault, name) == 0;
}

static void check(int status) {
  if (status == 0) return;
  fprintf(stderr, "%s\n", slipstream_error());
  exit(1);
}

static void print_garbage(void) {
  unsigned char bytes[4096];
  for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = (unsigned char)(i * 37 + 128);
  for (int i = 0; i < 64; ++i) {
    fwrite(bytes, 1, sizeof bytes, stdout);
    fwrite(bytes, 1, sizeof bytes, stderr);
  }
}

static void go_wrong(slipstream_rank* rank, const slipstream_tensor* tensors, int64_t step) {
  if (slipstream_number(rank) != 1 || step != 4) return;
  if (is("dies")) raise(SIGSEGV);
  if (is("exits")) exit(0);
  if (is("exits_with_3")) exit(3);
  if (is("hangs")) pause();
  if (is("prints_garbage")) {
    print_garbage();
    exit(7);
  }
  if (is("describes_twice")) check(slipstream_describe(rank, tensors, 2));
  if (is("forks")) {
    const pid_t child = fork();
    if (child == 0) exit(0); /* as what a library runs on the side */
    waitpid(child, NULL, 0);
  }
  if (is("asks_first")) {
    if (slipstream_setting(rank, "not.there") != NULL) exit(9);
    exit(0);
  }
  if (is("recovers")) {
    if (slipstream_record(rank, "a metric?", 1) == 0) exit(9);
  }
  if (is("fails_without_a_rank")) slipstream_fail(NULL, "no rank is left");
  if (is("readies_no_tensor")) check(slipstream_ready(rank, (size_t)1 << 32, 0));
  if (is("gives_up")) slipstream_fail(rank, "the data of shard 7 is missing: put it back");
  if (is("leaves_early")) check(slipstream_leave(rank));
}

int main(int count, char** words) {
  fault = count > 1 ? words[1] : "none";
  if (is("never_joins")) exit(5);
  slipstream_rank* rank = slipstream_join(is("of_another_interface") ? SLIPSTREAM_ABI + 1 : SLIPSTREAM_ABI);
  if (rank == NULL) check(-1);
  const int asked = getenv("SLIPSTREAM_DESCRIBE") != NULL;
  if (is("asks_for_its_device") && slipstream_device_number(rank) != 0) exit(9);
  const int64_t matrix[] = {8, is("changes_its_tensors") && !asked ? 5 : 4}, vector[] = {8};
  const slipstream_tensor tensors[] = {{sizeof tensors[0], "one.weight", matrix, 2, 0, SLIPSTREAM_WEIGHT},
                                       {sizeof tensors[0], "two.bias", vector, 1, 1, SLIPSTREAM_BIAS}};
  check(slipstream_describe(rank, tensors, 2));
  if (is("joins_twice") && slipstream_join(SLIPSTREAM_ABI) == NULL) check(-1);
  float* gradients = slipstream_gradients(rank);
  while (!slipstream_should_stop(rank)) {
    slipstream_step step = {.size = sizeof step};
    check(slipstream_begin(rank, &step));
    if (step.step == 4) sleep(1); /* until what came before is in the store: it is shipped behind the training */
    go_wrong(rank, tensors, step.step);
    if (step.step == 4 && is("begins_twice")) check(slipstream_begin(rank, &step));
    for (int i = 0; i < step.micro_batches; ++i) {
      for (int64_t k = 0; k < slipstream_elements(rank); ++k) gradients[k] += 0.01F;
      check(slipstream_ready(rank, 1, i));
      if (step.step == 4 && is("says_ready_twice")) check(slipstream_ready(rank, 1, i));
      if (step.step == 4 && is("forgets_ready")) continue;
      check(slipstream_ready(rank, 0, i));
    }
    const double loss = step.step == 4 && is("loses_its_loss") ? 0.0 / (double)(step.step - 4) : 1.0;
    check(slipstream_finish(rank, loss, NULL, NULL, NULL));
    if (step.step == 4 && is("records_percent")) check(slipstream_record(rank, "accuracy", 97.3));
    if (step.step == 5 && is("recovers") && slipstream_number(rank) == 1) exit(0);
    if (step.step == 4 && is("records_nonsense")) check(slipstream_record(rank, "a metric?", 1));
  }
  check(slipstream_leave(rank));
  return 0;
}

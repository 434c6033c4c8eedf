# SPDX-License-Identifier: GPL-3.0-or-later
"""Training loops of your own with PyTorch (2.1 and later) as ranks of Slipstream's runs.

    rank = slipstream.join()
    step = rank.wrap(model)
    for data, target in step.batches(loader):
        with step():
            loss = criterion(model(data), target)
            loss.backward()

The program owns network, loss and loop. Parameters are views of the engine's weights and their .grad views of its
gradients: nothing is copied. The optimizer is the experiment's.
"""

import atexit
import ctypes
import io
import json
import os
import random
import sys
import threading
import traceback

from ._library import ABI, KINDS, Library, Outcome, Samples, SlipstreamError, Step as StepPlan, Tensor, TrialLoss

_rank = None


def join():
    """Joins the run that started this process; call it once, before data loaders start processes of their own."""
    global _rank
    if _rank is not None:
        raise SlipstreamError("this process has joined before: it is one rank of one run")
    _rank = Rank(Library())
    return _rank


class Rank:
    """This process as a rank of a run."""

    def __init__(self, library):
        self._library = library
        self._handle = library.join(ABI)
        self._step = None
        self.number = library.number(self._handle)
        """From 0."""
        self.ranks = library.ranks(self._handle)
        self.experiment = json.loads(library.setting(self._handle, b""))
        """All settings, as `slipstream show --json` has them."""
        kind = self.experiment["device"].split(":")[0]
        self._on_host = bool(library.is_on_host(self._handle))
        self.device = "cpu" if self._on_host else f"{kind}:{library.device_number(self._handle)}"
        """Where this rank's parameters belong, as PyTorch writes it: model.to(rank.device). "cpu" where the engine's
        weights are in the host's memory, and where `slipstream plan` only asks for tensors, which opens no device."""
        self._process = os.getpid()  # children that it forks are no ranks
        self._hook = sys.excepthook
        sys.excepthook = self._fail
        atexit.register(self._end)

    def wrap(self, model, state=None):
        """Describes the model's parameters that require gradients, moves them into the engine's memory and returns the
        training step. `state`: an object with state_dict() and load_state_dict(), kept in checkpoints beside buffers,
        random streams and the position of `Step.batches`."""
        if self._step is not None:
            raise SlipstreamError("a model is wrapped already: a process trains one network, so put its parts into one "
                                  "torch.nn.Module and wrap that")
        self._step = Step(self, model, state)
        return self._step

    def record(self, name, value):
        """A metric of this rank, recorded at the number of steps that are over (`Step.done`), as evaluations are. Of what
        is the same on all ranks (accuracy, evaluation_loss) the value of rank 0 is recorded and those of others are not.
        Accuracies are fractions of 1."""
        self._call("record", name.encode(), float(value))

    def leave(self):
        """Ends in order; done by itself at the program's end where the run is over."""
        if self._handle is not None:
            self._call("leave")
            self._handle = None

    def _call(self, name, *values):
        if self._handle is None:
            raise SlipstreamError("the program has left the run")
        return getattr(self._library, name)(self._handle, *values)

    def _fail(self, kind, error, trace):
        self._hook(kind, error, trace)
        if self._handle is None or os.getpid() != self._process:
            return
        frames = [frame for frame in traceback.extract_tb(trace) if frame.filename != __file__]
        place = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
        sys.stdout.flush()
        sys.stderr.flush()
        self._library.fail(self._handle, f"{kind.__name__}{place}: {error}".encode())

    def _end(self):
        if self._handle is None or self._step is None or os.getpid() != self._process:
            return
        if self._step.should_stop:
            self.leave()


class Step:
    """`with step():` is one training step; made by Rank.wrap."""

    def __init__(self, rank, model, state):
        import torch

        self._torch, self._thread = torch, threading.get_ident()
        if not hasattr(torch.Tensor, "register_post_accumulate_grad_hook"):
            raise SlipstreamError(f"PyTorch {torch.__version__} is older than 2.1: install a newer one")
        self.model = model
        self._rank, self._model, self._state = rank, model, state
        self._parameters = _trained(torch, model)
        self._buffers = dict(model.named_buffers())
        self._scope = None
        self._frozen_below = 0
        self._versions = None
        self._position = _Position()
        self._resumed = None  # the random streams of the checkpoint, until the loader is where it was
        layers = _layers(model, self._parameters)
        self._layer_of = [layer for layer, _ in layers]
        self._describe(layers)
        self._fresh = bool(rank._call("is_fresh"))
        self._bind(take=self._fresh)
        for index, (_, parameter) in enumerate(self._parameters):
            parameter.register_post_accumulate_grad_hook(self._hook(index))
        self._restore()
        self._state_bytes(verify=True)  # what cannot be kept is refused before anything is trained
        self._verified = False

    # What a program asks.

    @property
    def should_stop(self):
        """The run is over, or asked to end: begin no further step."""
        return bool(self._rank._call("should_stop"))

    @property
    def done(self):
        """Steps of the run that are over."""
        return self._rank._call("steps_done")

    @property
    def total(self):
        return self._rank._call("total_steps")

    def __call__(self, trial=None):
        """The step's scope, for `with`. `trial`: computes the mean loss of this step's samples anew, for algorithms that
        try weights out (dim_reduce)."""
        return _Scope(self, trial)

    def batches(self, loader):
        """The loader's batches, epoch after epoch, until the run should stop. A resumed run goes on behind the batch of
        its checkpoint, in the same order."""
        position = self._position
        while not self.should_stop:
            batches = self._epoch(loader)
            for batch in batches:
                position.batch += 1
                yield batch
                if self.should_stop:
                    return
            if position.batch == 0:
                raise SlipstreamError("the loader has no batch: give it more samples than a batch has")
            position.batch, position.start = 0, None

    def _epoch(self, loader):
        """The loader's iterator, behind the batches of the epoch that are over. They are drawn again, so that the order
        is the same; what the program draws goes on as it stood at the checkpoint."""
        position, generators = self._position, _generators(loader)
        if position.start is None:
            position.start, position.generators = self._streams(), [each.get_state() for each in generators]
            return iter(loader)
        if len(generators) != len(position.generators):
            raise SlipstreamError(f"the loader has {len(generators)} generators of its own, and had "
                                  f"{len(position.generators)} at the checkpoint: make it as the program did then")
        now = self._streams() if self._resumed is None else self._resumed
        self._resumed = None
        self._set_streams(position.start)
        for generator, state in zip(generators, position.generators):
            generator.set_state(state)
        batches = iter(loader)
        for _ in range(position.batch):
            next(batches, None)
        self._set_streams(now)
        return batches

    # Random streams of the process: PyTorch's on the CPU and on GPUs, Python's and numpy's.

    def _streams(self):
        torch = self._torch
        streams = {"torch": torch.get_rng_state(), "python": random.getstate()}
        if torch.cuda.is_available() and torch.cuda.is_initialized():
            streams["cuda"] = torch.cuda.get_rng_state_all()
        if "numpy" in sys.modules:
            kind, keys, *rest = sys.modules["numpy"].random.get_state()
            streams["numpy"] = [kind, keys.tolist(), *rest]
        return streams

    def _set_streams(self, streams):
        self._torch.set_rng_state(streams["torch"])
        random.setstate(_tuples(streams["python"]))
        if "cuda" in streams:
            self._torch.cuda.set_rng_state_all(streams["cuda"])
        if "numpy" in streams:
            import numpy

            numpy.random.set_state(tuple(streams["numpy"]))

    # The engine's memory.

    def _describe(self, layers):
        list_of = (Tensor * len(self._parameters))()
        kept = []
        for entry, (name, parameter), (layer, kind) in zip(list_of, self._parameters, layers):
            shape = (ctypes.c_int64 * max(1, parameter.dim()))(*parameter.shape)
            kept.append(shape)
            entry.size, entry.name, entry.shape = ctypes.sizeof(Tensor), name.encode(), shape
            entry.dimensions, entry.layer, entry.kind = parameter.dim(), layer, KINDS[kind]
        self._rank._call("describe", list_of, len(self._parameters))

    def _flat(self, which):
        count, place = self._rank._call("elements"), self._rank._call(which)
        if self._rank._on_host:
            return self._torch.frombuffer((ctypes.c_float * count).from_address(place), dtype=self._torch.float32)
        return self._torch.as_tensor(_OnDevice(place, count), device=self._rank.device)

    def _bind(self, take):
        """Makes parameters and gradients views. `take`: the engine's weights become the parameters' values."""
        torch, rank = self._torch, self._rank
        self._place = rank._call("weights")
        weights, gradients = self._flat("weights"), self._flat("gradients")
        self._views = []
        for index, (name, parameter) in enumerate(self._parameters):
            self._check_kind(name, parameter)
            begin = rank._call("offset", index)
            part = slice(begin, begin + parameter.numel())
            view = weights[part].view(parameter.shape)
            with torch.no_grad():
                if take:
                    view.copy_(parameter)
                parameter.data = view
            self._views.append((view, gradients[part].view(parameter.shape)))
            parameter.grad = self._views[-1][1]

    def _check_kind(self, name, parameter):
        torch = self._torch
        if parameter.dtype != torch.float32:
            raise SlipstreamError(f"parameter {name} is {parameter.dtype}: keep parameters in float32 (model.float()) and "
                                  "compute in others with torch.autocast")
        if str(parameter.device) != self._rank.device:
            raise SlipstreamError(f"parameter {name} is on {parameter.device}, and this rank's weights are on "
                                  f"{self._rank.device}: call model.to(rank.device) before rank.wrap(model)")

    def _check_views(self):
        """What a program may have done to its parameters since the step before."""
        for (name, parameter), (view, gradient) in zip(self._parameters, self._views):
            if parameter.data_ptr() != view.data_ptr() or parameter.shape != view.shape:
                raise SlipstreamError(
                    f"parameter {name} is no longer in the engine's memory: model.to(), .half(), channels_last and "
                    "assignments to .data belong before rank.wrap(model); copy values in with parameter.copy_()")
            if not parameter.is_contiguous():
                raise SlipstreamError(f"parameter {name} was laid out anew: do that before rank.wrap(model)")
            if parameter.grad is None or parameter.grad.data_ptr() != gradient.data_ptr():
                parameter.grad = gradient  # zero_grad(set_to_none=True)
        now = {name for name, parameter in self._model.named_parameters() if parameter.requires_grad}
        trained = {name for (name, _), layer in zip(self._parameters, self._layer_of) if layer >= self._frozen_below}
        if now != trained:
            raise SlipstreamError(f"what the model trains has changed since it was wrapped ({', '.join(sorted(now ^ trained))}): "
                                  "add, remove and freeze parameters before rank.wrap(model); grad_freeze freezes by itself")
        versions = [parameter._version for _, parameter in self._parameters]
        if self._versions is not None and versions != self._versions:
            changed = next(i for i, version in enumerate(versions) if version != self._versions[i])
            raise SlipstreamError(
                f"parameter {self._parameters[changed][0]} was changed between steps: the experiment's optimizer makes the "
                "update, so remove optimizer.step() (and what else writes to parameters)")

    def _freeze(self, first):
        if first == self._frozen_below:
            return
        for (_, parameter), layer in zip(self._parameters, self._layer_of):
            parameter.requires_grad_(layer >= first)
        self._frozen_below = first

    def _hook(self, index):
        def ready(_):
            if self._scope is None:
                raise SlipstreamError(f"the gradient of {self._parameters[index][0]} was computed outside of a step: put "
                                      "loss.backward() inside `with step():`")
            self._scope._ready(index)

        return ready

    # The program's own state.

    def _state_bytes(self, verify):
        """The state of a checkpoint. `verify`: that a resumed run could read it, which runs no code of its own."""
        torch, position = self._torch, self._position
        state = {
            "streams": self._streams(),
            "buffers": dict(self._model.named_buffers()),
            "position": [position.batch, position.start, position.generators],
            "own": None if self._state is None else self._state.state_dict(),
        }
        target = io.BytesIO()
        try:
            torch.save(state, target)
            if verify:
                torch.load(io.BytesIO(target.getvalue()), weights_only=True)
        except Exception as error:
            raise SlipstreamError(
                f"what state_dict() of {type(self._state).__name__} gives cannot be kept in checkpoints "
                f"({_what_failed(error)}): let it be tensors, numbers, texts, and lists, tuples and dictionaries of these "
                "(torch.from_numpy, float(), .tolist())") from error
        return target.getvalue()

    def _restore(self):
        place, size = ctypes.c_void_p(), ctypes.c_size_t()
        self._rank._call("restored", ctypes.byref(place), ctypes.byref(size))
        if not place.value:
            return
        torch = self._torch
        state = torch.load(io.BytesIO(ctypes.string_at(place.value, size.value)), weights_only=True)
        self._set_streams(state["streams"])
        self._resumed = state["streams"]
        with torch.no_grad():
            for name, buffer in self._model.named_buffers():
                buffer.copy_(state["buffers"][name])
        self._position.batch, self._position.start, self._position.generators = state["position"]
        if self._state is not None and state["own"] is not None:
            self._state.load_state_dict(state["own"])


class _Position:
    """Where in its data a program is."""

    def __init__(self):
        self.batch = 0  # of the epoch, the next
        self.start = None  # the random streams when the epoch began
        self.generators = []  # and the states of the loader's own generators


class _Scope:
    """One step."""

    def __init__(self, step, trial):
        self._step, self._trial = step, trial

    def __enter__(self):
        step = self._step
        if step._scope is not None:
            raise SlipstreamError("a step is inside another: end the first before the next begins")
        step._check_views()
        self._plan = StepPlan(size=ctypes.sizeof(StepPlan))
        step._rank._call("begin", ctypes.byref(self._plan))
        if step._rank._call("weights") != step._place:
            step._bind(take=False)
        step._versions = None
        step._freeze(self._plan.first_trained_layer)
        self._passes, self._losses, self._weight = 0, [], None
        self._grads = None
        self._backward = step._torch.Tensor.backward
        step._torch.Tensor.backward = self._patched()
        step._scope = self
        return self

    def __exit__(self, kind, error, trace):
        step = self._step
        step._torch.Tensor.backward = self._backward
        step._scope = None
        if kind is not None:
            return False
        if self._passes != self._plan.micro_batches:
            raise SlipstreamError(
                f"the step passes its samples in {self._plan.micro_batches} micro-batches, and loss.backward() was called "
                f"{self._passes} times: `with step() as now:` and `for x, y in now.parts(x, y):` around forward and "
                "backward pass")
        loss = float(sum(weight * loss.item() for weight, loss in self._losses))
        outcome = Outcome(size=ctypes.sizeof(Outcome))
        trial = TrialLoss(self._try) if self._trial else ctypes.cast(None, TrialLoss)
        self._trial_error = None
        try:
            step._rank._call("finish", loss, trial, None, ctypes.byref(outcome))
        finally:
            if self._trial_error is not None:
                raise self._trial_error
        step._versions = [parameter._version for _, parameter in step._parameters]
        self.updated, self.overflow = bool(outcome.updated), bool(outcome.overflow)
        if outcome.checkpoint_due:
            state = step._state_bytes(verify=not step._verified)
            step._verified = True
            step._rank._call("checkpoint", state, len(state))
        return False

    @property
    def step(self):
        """Of the run, from 0."""
        return self._plan.step

    @property
    def micro_batches(self):
        """How many forward and backward passes the step has."""
        return self._plan.micro_batches

    @property
    def weight(self):
        """What the mean loss of the micro-batch at hand counts for in the step's."""
        return self._plan.share if self._weight is None else self._weight

    def parts(self, *tensors):
        """The micro-batches of the step's samples: each tensor cut along its first dimension."""
        count, parts = len(tensors[0]), self._plan.micro_batches
        self._check_count(count)
        if count < parts:
            raise SlipstreamError(f"{count} samples cannot be cut into {parts} micro-batches: use larger batches")
        for index in range(parts):
            begin, end = count * index // parts, count * (index + 1) // parts
            self._weight = self._plan.share * parts * (end - begin) / count
            part = [tensor[begin:end] for tensor in tensors]
            yield part[0] if len(part) == 1 else part

    def _check_count(self, count):
        """A step takes as many samples as the plan counts: epochs, rates and accumulation are made for them."""
        planned, dataset = self._plan.samples, self._step._rank.experiment["dataset"]
        if count == planned or (count < planned and not dataset.get("drop_remainder", True)):
            return
        size = dataset["batch_size"]
        accumulated = f" times {planned // size} that are accumulated" if planned != size else ""
        raise SlipstreamError(
            f"the step was given {count} samples, and the plan counts {planned} a rank (dataset.batch_size {size}"
            f"{accumulated}): load {planned} at a time (DataLoader(..., batch_size={planned}, drop_last=True)), or write "
            "another dataset.batch_size")

    def samples(self):
        """The step's micro-batches of the data set that the experiment names: inputs as NCHW (or [count, values]) and
        labels, on the CPU, each valid until the next."""
        torch = self._step._torch
        for index in range(self._plan.micro_batches):
            given = Samples(size=ctypes.sizeof(Samples))
            self._step._rank._call("get_samples", index, ctypes.byref(given))
            self._weight = given.share
            labels = torch.tensor(given.labels[:given.count], dtype=torch.int64)
            if given.height == 0:
                yield _copied(torch, given.inputs, (given.count, given.channels)), labels
                continue
            images = _copied(torch, given.inputs, (given.count, given.height, given.width, given.channels))
            yield images.permute(0, 3, 1, 2).contiguous(), labels

    def _patched(self):
        original, scope = self._backward, self

        def backward(loss, gradient=None, *arguments, **keywords):
            if gradient is not None or loss.numel() != 1:
                raise SlipstreamError("inside a step backward() is called on the loss alone, one value: its mean over the "
                                      "samples")
            scope._begin_pass()
            weight = scope.weight
            scope._losses.append((weight, loss.detach()))
            original(loss * (weight * scope._plan.loss_scale), None, *arguments, **keywords)
            scope._end_pass()

        return backward

    def _flush_ready(self):
        """What other threads said to be ready is handed over on the one that joined."""
        if threading.get_ident() == self._step._thread:
            self._step._rank._call("flush_ready")

    def _begin_pass(self):
        self._flush_ready()
        if self._passes == self._plan.micro_batches:
            raise SlipstreamError(f"the step has {self._plan.micro_batches} micro-batches, and loss.backward() was called "
                                  "once more: one step is one batch, in as many parts")
        versions = [gradient._version for _, gradient in self._step._views]
        if self._grads is not None and versions != self._grads:
            raise SlipstreamError("gradients were changed between the micro-batches of a step (zero_grad?): leave them as "
                                  "they are, the engine clears them")
        self._fired = set()

    def _ready(self, index):
        step = self._step
        parameter, gradient = step._parameters[index][1], step._views[index][1]
        if parameter.grad.data_ptr() != gradient.data_ptr():
            with step._torch.no_grad():
                gradient.add_(parameter.grad)
            parameter.grad = gradient
        if parameter.is_cuda:
            step._torch.cuda.current_stream(parameter.device).synchronize()
        self._fired.add(index)
        step._rank._call("ready", index, self._passes)

    def _end_pass(self):
        """Parameters that have no part in this loss have a gradient all the same: zero."""
        step = self._step
        for index in reversed(range(len(step._parameters))):
            if index not in self._fired and step._layer_of[index] >= self._plan.first_trained_layer:
                step._parameters[index][1].grad = step._views[index][1]
                step._rank._call("ready", index, self._passes)
        self._flush_ready()
        self._grads = [gradient._version for _, gradient in step._views]
        self._passes += 1
        self._weight = None

    def _try(self, _):
        """Changes nothing but the loss it returns: buffers and random streams are as before."""
        step, torch = self._step, self._step._torch
        buffers = {name: buffer.clone() for name, buffer in step._model.named_buffers()}
        streams = step._streams()
        try:
            with torch.no_grad():
                return float(self._trial())
        except BaseException as error:  # no exception passes through C
            self._trial_error = error
            return float("nan")
        finally:
            step._set_streams(streams)
            with torch.no_grad():
                for name, buffer in step._model.named_buffers():
                    buffer.copy_(buffers[name])


class _OnDevice:
    """Memory of a GPU, as PyTorch takes it."""

    def __init__(self, place, count):
        self.__cuda_array_interface__ = {"shape": (count,), "typestr": "<f4", "data": (place, False), "version": 3}


def _trained(torch, model):
    parameters = [(name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad]
    if not parameters:
        raise SlipstreamError("the model has no parameter that requires a gradient: there is nothing to train")
    for name, parameter in parameters:
        if isinstance(parameter, torch.nn.parameter.UninitializedParameter):
            raise SlipstreamError(f"parameter {name} has no shape yet: pass one batch through the model before wrap")
        if parameter.layout != torch.strided:
            raise SlipstreamError(f"parameter {name} is sparse: only dense parameters can be trained")
    return parameters


def _layers(model, parameters):
    """(number, kind) of each parameter: those of one module are one layer."""
    modules = dict(model.named_modules())
    layers, last = [], None
    number = -1
    for name, _ in parameters:
        owner = name.rpartition(".")[0]
        if owner != last:
            number, last = number + 1, owner
        layers.append((number, _kind(type(modules[owner]).__name__, name)))
    return layers


def _kind(module, name):
    if "Norm" in module:
        return "norm"
    if name.endswith("bias"):
        return "bias"
    return "embedding" if "Embedding" in module else "weight"


def _copied(torch, place, shape):
    count = 1
    for size in shape:
        count *= size
    source = ctypes.cast(place, ctypes.POINTER(ctypes.c_float * count)).contents
    return torch.frombuffer(source, dtype=torch.float32).view(shape).clone()


def _generators(loader):
    """Generators of the loader's own, each once: what they draw is in no stream of the process."""
    sampler = getattr(loader, "sampler", None)
    owners = (loader, sampler, getattr(getattr(loader, "batch_sampler", None), "sampler", None))
    found = []
    for owner in owners:
        generator = getattr(owner, "generator", None)
        if hasattr(generator, "get_state") and all(generator is not other for other in found):
            found.append(generator)
    return found


def _what_failed(error):
    """One line, without PyTorch's advice on how to load it all the same."""
    text = str(error)
    return (text.partition("WeightsUnpickler error: ")[2] or text).strip().partition("\n")[0]


def _tuples(value):
    return tuple(_tuples(part) for part in value) if isinstance(value, (list, tuple)) else value

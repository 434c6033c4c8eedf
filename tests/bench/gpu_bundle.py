#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""All that is to be known of a GPU, in one call on a bare machine that has one: tests, sanitizers, the rate of every kernel, and
ResNet-50 beside PyTorch; what is worth most comes first, for as long as there is time.

    python3 gpu_bundle.py [--minutes 10] [--out gpu_results.jsonl] [--programs FOLDER] [--list]

Wants Python 3.9 alone. cuDNN, cuBLAS, NVRTC and NCCL are looked for among pip's packages, in /usr/local/cuda* and where the
loader looks; PyTorch is measured where it is installed. Every result is written as a line of JSON as soon as it is known; a later
call with the same file goes on with what is missing. The target gpu_bundle makes the folder that this stands in.
"""

import argparse
import ctypes
import glob
import json
import os
import pathlib
import select
import shutil
import site
import statistics
import subprocess
import sys
import tarfile
import time

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = {"libcudnn.so.9": "nvidia-cudnn-cu13", "libcublasLt.so.13": "nvidia-cublas", "libnvrtc.so.13": "nvidia-cuda-nvrtc",
             "libnccl.so.2": "nvidia-nccl-cu13"}
FORMS = ("plain", "graphs", "compiled", "deterministic")
SHAPES = (("fp16", 256), ("bf16", 256), ("fp16", 128), ("fp16", 64), ("bf16", 64), ("fp16", 512), ("bf16", 512))
REPETITIONS = 3
STEPS = 20


class Results:
    """Lines of JSON in a file, one a step. What failed or could not be done is tried again by the next call."""

    def __init__(self, path):
        self.path = path
        self.lines = []
        if path.exists():
            before = path.read_text()
            if before and not before.endswith("\n"):
                path.write_text(before + "\n")
            for text in before.splitlines():
                try:
                    self.lines.append(json.loads(text))
                except json.JSONDecodeError:
                    pass  # the last line of a call that was killed

    def has(self, step):
        return any(line["step"] == step and line["state"] == "done" for line in self.lines)

    def add(self, step, state, **details):
        line = {"step": step, "state": state, **details}
        self.lines.append(line)
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())
        print(json.dumps(line), flush=True)


class Machine:
    """Where programs and libraries are, and the environment that programs start in."""

    def __init__(self, programs):
        self.programs = programs or unpacked(HERE)
        self.environment = dict(os.environ)
        self.missing = {}
        folders = [str(self.programs / "lib")]
        for library, package in LIBRARIES.items():
            folder = folder_of(library)
            if folder:
                folders.append(folder)
            elif not loads(library):
                self.missing[library] = "pip install " + package
        before = self.environment.get("LD_LIBRARY_PATH", "")
        self.environment["LD_LIBRARY_PATH"] = ":".join(dict.fromkeys(folders)) + (":" + before if before else "")
        self.sanitizer = shutil.which("compute-sanitizer") or first_of("/usr/local/cuda*/bin/compute-sanitizer")
        self.gpu = gpu_named()

    def program(self, name):
        path = self.programs / name
        return str(path) if path.exists() else None


def unpacked(folder):
    """The folder of programs; what the target packed is unpacked once."""
    archive, programs = folder / "programs.tar.gz", folder / "programs"
    if archive.exists() and not (programs / "complete").exists():
        with tarfile.open(archive) as packed:
            packed.extractall(programs)
        (programs / "complete").touch()
    return programs if archive.exists() else HERE.parents[1] / "build/release/bin"


def first_of(pattern):
    found = sorted(glob.glob(pattern))
    return found[-1] if found else None


def folder_of(library):
    """Among pip's packages and toolkits; None where it is in neither."""
    for packages in [*site.getsitepackages(), site.getusersitepackages(), *sys.path]:
        found = first_of(f"{packages}/nvidia/*/lib/{library}")
        if found:
            return str(pathlib.Path(found).parent)
    found = first_of(f"/usr/local/cuda*/lib*/{library}")
    return str(pathlib.Path(found).parent) if found else None


def loads(library):
    try:
        ctypes.CDLL(library)
        return True
    except OSError:
        return False


def gpu_named():
    try:
        command = ["nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.max.sm", "--format=csv,noheader"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return done.stdout.strip().splitlines() if done.returncode == 0 else []
    except (OSError, subprocess.TimeoutExpired):
        return []


class Call:
    """What one call of this script works with."""

    def __init__(self, machine, results, minutes):
        self.machine, self.results = machine, results
        self.end = time.monotonic() + 60 * minutes
        self.rival = None
        self.rival_lacks = None
        self.told = set()

    def lacks(self, step, what):
        """Said once a call, at the first step that it holds up."""
        if what not in self.told:
            self.told.add(what)
            self.results.add(step, "missing", what=what)

    def left(self):
        return self.end - time.monotonic()

    def run(self, command):
        """Exit code (None: no time was left), standard output, standard error."""
        try:
            done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                                  env=self.machine.environment, timeout=max(1, self.left()))
            return done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            return None, "", "no time was left"
        except OSError as problem:
            return 127, "", str(problem)


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no output"


def started(call, name):
    """That a program starts at all: all libraries that it is linked with are here."""
    path = call.machine.program(name)
    if not path:
        return call.results.add("start " + name, "missing", what=name, remedy="build the target gpu_bundle")
    listing = ["--gtest_list_tests"] if name.startswith("test_") else []
    if not listing:
        return None
    code, _, errors = call.run([path, *listing])
    return call.results.add("start " + name, "done" if code == 0 else "failed", **({} if code == 0 else {"why": last_line(errors)}))


def counted(report):
    """Of googletest's report: how many ran and were skipped, and what failed."""
    tests = [test for suite in report.get("testsuites", []) for test in suite.get("testsuite", [])]
    skipped = sum(test.get("result") == "SKIPPED" for test in tests)
    failed = [f"{test['classname']}.{test['name']}" for test in tests if test.get("failures")]
    return {"passed": len(tests) - skipped - len(failed), "skipped": skipped, "failed": failed}


def tested(call, step, program, options, before=()):
    path = call.machine.program(program)
    if not path:
        return call.lacks(step, program)
    report = call.results.path.with_suffix(".report.json")
    report.unlink(missing_ok=True)
    start = time.monotonic()
    code, output, errors = call.run([*before, path, *options, f"--gtest_output=json:{report}"])
    details = {"seconds": round(time.monotonic() - start, 1), "code": code}
    if report.exists():
        details.update(counted(json.loads(report.read_text())))
        report.unlink()
    if code == 0:
        ran = details.get("passed", 0) > 0
        return call.results.add(step, "done" if ran else "missing", **details, **({} if ran else {"what": "all were skipped"}))
    text = (output + "\n" + errors).strip()
    return call.results.add(step, "out of time" if code is None else "failed", **details, end=text[-3000:])


def kernels(call, step, classes):
    path = call.machine.program("bench_cuda")
    if not path:
        return call.lacks(step, "bench_cuda")
    code, output, errors = call.run([path, 11, classes])
    if code != 0:
        return call.results.add(step, "out of time" if code is None else "failed", why=last_line(errors))
    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return call.results.add(step, "done", lines=lines)


def ours(call, step, precision, batch):
    path = call.machine.program("bench_resnet")
    if not path:
        return call.lacks(step, "bench_resnet")
    code, output, errors = call.run([path, "resnet50", batch, 1, STEPS, precision, "cuda"])
    if code != 0:
        return call.results.add(step, "out of time" if code is None else "failed", why=last_line(errors))
    return call.results.add(step, "done", side="slipstream", **{**json.loads(last_line(output)), "precision": precision, "batch": batch})


def rival_of(call):
    """The one process of PyTorch; None where there is none."""
    if call.rival is None and call.rival_lacks is None:
        code, output, errors = call.run([sys.executable, "-c", "import torch; print(torch.cuda.is_available())"])
        if code != 0:
            call.rival_lacks = "PyTorch: " + last_line(errors)
        elif last_line(output) != "True":
            call.rival_lacks = "PyTorch sees no GPU"
    if call.rival_lacks is None and (call.rival is None or call.rival.poll() is not None):
        call.rival = subprocess.Popen([sys.executable, str(HERE / "torch_on_gpu.py")], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
    return call.rival


def answer_of(rival, seconds):
    """Its next line; None where it does not come in time, empty where the process has ended."""
    text = b""
    end = time.monotonic() + seconds
    while not text.endswith(b"\n"):
        ready, _, _ = select.select([rival.stdout], [], [], max(0, end - time.monotonic()))
        if not ready:
            return None
        part = os.read(rival.stdout.fileno(), 65536)
        if not part:
            return b""
        text += part
    return text


def theirs(call, step, precision, batch, form):
    rival = rival_of(call)
    if rival is None:
        return call.lacks(step, call.rival_lacks)
    text = b""
    try:
        rival.stdin.write((json.dumps({"precision": precision, "batch": batch, "form": form}) + "\n").encode())
        text = answer_of(rival, call.left())
    except BrokenPipeError:
        pass  # it ended beside its last answer
    if not text:
        rival.kill()
        rival.wait()
        return call.results.add(step, "out of time" if text is None else "failed", why="PyTorch ended" if text == b"" else "")
    answer = json.loads(text)
    state = "failed" if "failed" in answer else "done"
    return call.results.add(step, state, precision=precision, batch=batch, side="torch " + form, **answer)


def steps_of(call):
    """(name, seconds that it needs at least, what to do), what is worth most first."""
    gpu_only = ["--gtest_filter=*/cuda*"]
    sanitizer = call.machine.sanitizer

    def sanitized(tool, program, options):
        name = f"{tool} {program}"
        if not sanitizer:
            return name, 0, lambda: call.lacks(name, "compute-sanitizer")
        before = [sanitizer, "--tool", tool, "--error-exitcode", "9"]
        return name, 60, lambda: tested(call, name, program, options, before)

    def resnet(precision, batch, repetition):
        name = f"resnet50 {precision} {batch} #{repetition + 1}"
        yield name + " slipstream", 20, lambda: ours(call, name + " slipstream", precision, batch)
        for form in FORMS:
            step = f"{name} torch {form}"
            yield step, 30, lambda step=step, form=form: theirs(call, step, precision, batch, form)

    yield "test kernels", 20, lambda: tested(call, "test kernels", "test_kernels", gpu_only)
    yield "test ranks", 10, lambda: tested(call, "test ranks", "test_comm_gpu", [])
    yield "test layers", 20, lambda: tested(call, "test layers", "test_nn_cuda_gpu", [])
    yield "test training", 60, lambda: tested(call, "test training", "test_train_cuda_gpu", [])
    yield "rate of kernels, 1000 classes", 10, lambda: kernels(call, "rate of kernels, 1000 classes", 1000)
    yield from resnet(*SHAPES[0], 0)
    yield sanitized("memcheck", "test_kernels", gpu_only)
    yield sanitized("racecheck", "test_kernels", gpu_only)
    yield "rate of kernels, 10 classes", 10, lambda: kernels(call, "rate of kernels, 10 classes", 10)
    for repetition in range(1, REPETITIONS):
        yield from resnet(*SHAPES[0], repetition)
    for shape in SHAPES[1:]:
        yield from resnet(*shape, 0)
    yield sanitized("synccheck", "test_kernels", gpu_only)
    yield sanitized("memcheck", "test_nn_cuda_gpu", [])
    yield sanitized("initcheck", "test_kernels", gpu_only)
    for shape in SHAPES[1:]:
        for repetition in range(1, REPETITIONS):
            yield from resnet(*shape, repetition)


def summary(results):
    """Medians of images a second by side, and ours beside the best of the others."""
    table = []
    for precision, batch in SHAPES:
        rates = {}
        for line in results.lines:
            if line["state"] == "done" and (line.get("precision"), line.get("batch")) == (precision, batch):
                rates.setdefault(line["side"], []).append(line["images_per_second"])
        medians = {side: round(statistics.median(found), 1) for side, found in rates.items()}
        best = max((rate for side, rate in medians.items() if side != "slipstream"), default=0)
        if not medians:
            continue
        row = {"precision": precision, "batch": batch, **medians}
        if "slipstream" in medians and best:
            row["ratio_to_best"] = round(medians["slipstream"] / best, 3)
        table.append(row)
    return table


def work_through(call):
    """Returns how many steps there was no time for."""
    late = 0
    for step, needs, work in steps_of(call):
        if call.results.has(step):
            continue
        if call.left() < needs:
            late += 1
            continue
        work()
    return late


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(os.environ.get("OUT", ".")) / "gpu_results.jsonl")
    parser.add_argument("--programs", type=pathlib.Path, help="where the programs are, instead of beside this script")
    parser.add_argument("--list", action="store_true", help="only say which steps there are")
    given = parser.parse_args()
    results = Results(given.out)
    call = Call(Machine(given.programs), results, given.minutes)
    if given.list:
        print("\n".join(step for step, _, _ in steps_of(call)))
        return 0
    for program in ("test_kernels", "test_comm_gpu", "test_nn_cuda_gpu", "test_train_cuda_gpu", "bench_cuda", "bench_resnet"):
        started(call, program)
    lacking = [{"what": library, "remedy": remedy} for library, remedy in call.machine.missing.items()]
    if not call.machine.gpu:
        lacking.insert(0, {"what": "a GPU", "remedy": "a machine on which nvidia-smi names one"})
    results.add("machine", "done" if call.machine.gpu else "missing", gpu=call.machine.gpu, lacking=lacking)
    late = work_through(call) if call.machine.gpu else 0
    if call.rival:
        call.rival.kill()
    failed = [line["step"] for line in results.lines if line["state"] == "failed" and not results.has(line["step"])]
    results.add("summary", "done", table=summary(results), failed=sorted(set(failed)), late=late, lacking=lacking)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

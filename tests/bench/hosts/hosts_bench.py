#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs bench_hosts on hosts that are network namespaces of this machine, joined by links of a given rate.

    python3 tests/bench/hosts/hosts_bench.py build/release/bin/bench_hosts --hosts 2 3 4 8

Each host has a network and a host name of its own; a bridge in one more namespace joins them, so that nothing of this
machine's own network is touched. tbf shapes both directions of every link. All of it is removed at the end. It needs
root, Open MPI's mpirun, and ip and tc of iproute2. Every line of bench_hosts is JSON, printed with the machine's load.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

# The burst passes unshaped, once: 0.4 % of the smallest message that is worth measuring here. What the network stack
# hands on in one go, as large as a real card takes it, stays below the burst: tbf would cut it into packets of the MTU,
# each of which costs this machine's cores time.
BURST = "64kb"
LARGEST = 61_000

# mpirun calls it as it would call ssh: options, the host, a command line.
AGENT = """#!/bin/sh
while [ "${{1#-}}" != "$1" ]; do shift; done
host=$1; shift
name={prefix}h${{host##*.}}
exec ip netns exec $name unshare --uts sh -c "hostname $name; $*"
"""


def call(*words):
    subprocess.run([str(word) for word in words], check=True)


class Hosts:
    """Namespaces PREFIXh1 .. PREFIXhN on a bridge in PREFIXb, whose address .254 is where mpirun runs."""

    def __init__(self, count, rate, mtu):
        self.prefix = f"sl{os.getpid() % 100000}"
        self.subnet = f"10.{random.randint(100, 250)}.{random.randint(0, 255)}"
        self.count = count
        self.rate = rate
        self.mtu = mtu
        self.bridge = self.prefix + "b"

    def __enter__(self):
        try:
            self.make()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, *_):
        self.remove()

    def make(self):
        call("ip", "netns", "add", self.bridge)
        self.within_bridge("ip", "link", "add", "name", "bridge0", "type", "bridge")
        self.within_bridge("ip", "addr", "add", f"{self.subnet}.254/24", "dev", "bridge0")
        for device in ("bridge0", "lo"):
            self.within_bridge("ip", "link", "set", device, "up")
        for host in range(1, self.count + 1):
            self.make_host(host)

    def make_host(self, host):
        name = self.name(host)
        size = ("mtu", self.mtu, "gso_max_size", LARGEST)
        call("ip", "netns", "add", name)
        self.within_bridge("ip", "link", "add", f"v{host}", "type", "veth", "peer", "name", "e0", "netns", name)
        self.within_bridge("ip", "link", "set", f"v{host}", *size, "master", "bridge0", "up")
        within = ("ip", "netns", "exec", name)
        call(*within, "ip", "addr", "add", f"{self.address(host)}/24", "dev", "e0")
        call(*within, "ip", "link", "set", "e0", *size, "up")
        call(*within, "ip", "link", "set", "lo", "up")
        if self.rate:
            shape = ("root", "tbf", "rate", self.rate, "burst", BURST, "latency", "50ms")
            call(*within, "tc", "qdisc", "add", "dev", "e0", *shape)
            self.within_bridge("tc", "qdisc", "add", "dev", f"v{host}", *shape)

    def remove(self):
        for name in [self.name(host) for host in range(1, self.count + 1)] + [self.bridge]:
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL, check=False)

    def within_bridge(self, *words):
        call("ip", "netns", "exec", self.bridge, *words)

    def name(self, host):
        return f"{self.prefix}h{host}"

    def address(self, host):
        return f"{self.subnet}.{host}"

    def mpirun(self, folder, ranks_per_host):
        """The command line up to the program. The ranks of a host follow one another."""
        agent = Path(folder) / "agent"
        agent.write_text(AGENT.format(prefix=self.prefix), encoding="ascii")
        agent.chmod(0o755)
        table = Path(folder) / "hosts"
        lines = [self.address(host) for host in range(1, self.count + 1) for _ in range(ranks_per_host)]
        table.write_text("\n".join(lines) + "\n", encoding="ascii")
        network = f"{self.subnet}.0/24"
        options = {
            "plm_rsh_agent": agent, "oob_tcp_if_include": network, "btl_tcp_if_include": network,
            "btl": "self,vader,tcp", "rmaps": "seq", "mpi_yield_when_idle": 1, "orte_tmpdir_base": folder,
        }
        words = ["ip", "netns", "exec", self.bridge, "mpirun", "--hostfile", table, "--bind-to", "none"]
        for name, value in options.items():
            words += ["--mca", name, value]
        return words + ["-x", "OMP_NUM_THREADS=1", "-np", len(lines)]


def bits_per_second(rate):
    for unit, factor in (("gbit", 1e9), ("mbit", 1e6)):
        if rate.endswith(unit):
            return float(rate[: -len(unit)]) * factor
    return 0.0


def measure(given, count, ranks_per_host):
    with Hosts(count, given.rate, given.mtu) as hosts, tempfile.TemporaryDirectory(prefix=hosts.prefix) as folder:
        command = hosts.mpirun(folder, ranks_per_host)
        command += [given.program, bits_per_second(given.rate) / 8, given.repetitions, *given.bytes]
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        run = subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.PIPE, text=True)
        for line in run.stdout:
            if not line.startswith("{"):
                print(line, end="", file=sys.stderr)
                continue
            print(json.dumps(json.loads(line) | {"rate": given.rate or "unlimited", "load": os.getloadavg()[0]}),
                  flush=True)
        return run.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--hosts", type=int, nargs="+", default=[2, 3, 4, 8])
    parser.add_argument("--ranks-per-host", type=int, nargs="+", default=[1])
    parser.add_argument("--rate", default="1gbit", help='of every link and direction; "" for unlimited')
    parser.add_argument("--mtu", type=int, default=1500)
    parser.add_argument("--bytes", type=int, nargs="+", default=[16_777_216])
    parser.add_argument("--repetitions", type=int, default=5)
    given = parser.parse_args()
    given.program = given.program.resolve()
    ends = [measure(given, hosts, ranks) for hosts in given.hosts for ranks in given.ranks_per_host]
    return max(ends)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-3.0-or-later
"""A metric over the steps of a run, put together from what every rank of every attempt reported.

The rules are those of engine/store/metric_reading.cpp, whose results are these, bit for bit.
"""

from array import array
from bisect import bisect_right

from .stored_form import Block, Damaged, decode_chunk

_LIVE = ("starting", "running", "stopping")


class Series:
    """One metric over steps: `steps` and `wall_ns` are arrays of 64-bit integers, `values` one of doubles.

    Arrays are taken by numpy and pandas as they are: `pandas.DataFrame(series.columns())`.
    """

    def __init__(self, steps=(), wall_ns=(), values=()):
        self.steps = array("q", steps)
        self.wall_ns = array("q", wall_ns)
        self.values = array("d", values)

    def __len__(self):
        return len(self.steps)

    def __iter__(self):
        return iter(zip(self.steps, self.values))

    def __repr__(self):
        return "Series(%d steps)" % len(self)

    def columns(self):
        """A dictionary of the arrays, by name."""
        return {"step": self.steps, "wall_ns": self.wall_ns, "value": self.values}

    def _extend(self, steps, wall_ns, values):
        self.steps.extend(steps)
        self.wall_ns.extend(wall_ns)
        self.values.extend(values)

    def _clipped(self, limit):
        end = bisect_right(self.steps, limit)
        return Series(self.steps[:end], self.wall_ns[:end], self.values[:end])

    def _tidied(self):
        """Steps in increasing order; of a step that was reported again, the later report."""
        steps = self.steps
        if all(steps[i] < steps[i + 1] for i in range(len(steps) - 1)):
            return self
        order = sorted(range(len(steps)), key=lambda i: steps[i])
        last = [i for place, i in enumerate(order) if place + 1 == len(order) or steps[order[place + 1]] != steps[i]]
        return Series([steps[i] for i in last], [self.wall_ns[i] for i in last], [self.values[i] for i in last])


def _mean_over_ranks(ranks):
    """The mean over the ranks that report a step, in rank order; its time is when the last of them had done it."""
    if len(ranks) == 1:
        return next(iter(ranks.values()))
    sums = {}
    for rank in sorted(ranks):
        series = ranks[rank]
        for step, wall, value in zip(series.steps, series.wall_ns, series.values):
            total, count, last = sums.get(step, (0.0, 0, 0))
            sums[step] = (total + value, count + 1, max(last, wall))
    steps = sorted(sums)
    return Series(steps, [sums[step][2] for step in steps], [sums[step][0] / sums[step][1] for step in steps])


class SeriesReader:
    """Reads series of one run at one moment: every query is in the transaction that the caller holds open."""

    def __init__(self, connection, number, run_id):
        self._connection = connection
        self._number = number
        self._run_id = run_id

    def names(self):
        """Names of the metrics that any rank has reported, sorted."""
        names = {row[0] for row in self._query("SELECT DISTINCT name FROM series WHERE run = ?", self._number)}
        for (payload,) in self._query("SELECT payload FROM tail WHERE run = ?", self._number):
            names.update(self._block(payload).names)
        return sorted(names, key=lambda name: name.encode("utf-8", "surrogateescape"))

    def read(self, name, rank):
        """Of one rank, or of the run where `rank` is None."""
        limits = self._limits()
        live_attempt, complete_step, all_report = self._live_attempt()
        whole = Series()
        reported = self._reported(name, rank)
        for attempt in sorted(reported):
            ranks = {number: series._tidied() for number, series in reported[attempt].items()}
            of_one_rank = len(ranks) == 1 and all_report
            part = _mean_over_ranks(ranks)
            if rank is None and attempt == live_attempt and not of_one_rank:
                part = part._clipped(complete_step)
            if attempt in limits:
                part = part._clipped(limits[attempt])
            whole._extend(part.steps, part.wall_ns, part.values)
        return whole._tidied()

    def _query(self, sql, *values):
        return self._connection.execute(sql, values)

    def _damaged(self, what, problem):
        return Damaged("run %s: %s of its metrics is damaged: %s; 'slipstream store verify' tells how far"
                       % (self._run_id, what, problem))

    def _block(self, payload):
        try:
            return Block(payload)
        except Damaged as damage:
            raise self._damaged("a block", damage) from None

    def _chunk(self, data):
        try:
            return decode_chunk(data)
        except Damaged as damage:
            raise self._damaged("a chunk", damage) from None

    def _reported(self, name, rank):
        """What each rank of each attempt reported, chunks and waiting blocks together: attempt -> rank -> Series."""
        reported = {}
        wanted = -1 if rank is None else rank
        rows = self._query("SELECT number, attempt, rank FROM series WHERE run = ? AND name = ? AND (? < 0 OR rank = ?)",
                           self._number, name, wanted, wanted).fetchall()
        for number, attempt, of in rows:
            series = reported.setdefault(attempt, {}).setdefault(of, Series())
            for (data,) in self._query("SELECT data FROM chunk WHERE series = ? ORDER BY position", number):
                series._extend(*self._chunk(data))
        for attempt, of, payload in self._query(
                "SELECT attempt, rank, payload FROM tail WHERE run = ? AND (? < 0 OR rank = ?)"
                " ORDER BY attempt, rank, sequence", self._number, wanted, wanted):
            block = self._block(payload)
            values = block.values(name)
            if values is not None:
                reported.setdefault(attempt, {}).setdefault(of, Series())._extend(block.steps, block.walls, values)
        return reported

    def _limits(self):
        """Where each attempt was overtaken: the least step that a newer one which has reported something began from."""
        limits = {}
        limit = (1 << 63) - 1
        for attempt, from_step, has_reported in self._query(
                "SELECT attempt, from_step, EXISTS (SELECT 1 FROM tail t WHERE t.run = a.run AND t.attempt = a.attempt)"
                " OR EXISTS (SELECT 1 FROM folded f WHERE f.run = a.run AND f.attempt = a.attempt)"
                " FROM attempt a WHERE run = ? ORDER BY attempt DESC", self._number):
            limits[attempt] = limit
            if has_reported:
                limit = min(limit, from_step)
        return limits

    def _live_attempt(self):
        """(attempt, step up to which every rank has reported, whether every rank has); attempt -1 where none goes on.

        A mean over the ranks that have reported so far would change once the others have.
        """
        row = self._query("SELECT attempt, ranks, state FROM run WHERE number = ?", self._number).fetchone()
        if row is None or row[2] not in _LIVE:
            return -1, 0, False
        reached = self._progress(row[0])
        if len(reached) < row[1] or not reached:
            return row[0], -1, len(reached) >= row[1]
        return row[0], min(reached.values()), True

    def _progress(self, attempt):
        """The last step of each rank that has reported a loss in the attempt."""
        reached = {}
        for rank, data in self._query(
                "SELECT rank, data FROM series JOIN chunk ON chunk.series = series.number WHERE run = ? AND name = 'loss'"
                " AND attempt = ? AND position = (SELECT max(position) FROM chunk c WHERE c.series = series.number)",
                self._number, attempt):
            steps = self._chunk(data)[0]
            if steps:
                reached[rank] = steps[-1]
        for rank, payload in self._query("SELECT rank, payload FROM tail WHERE run = ? AND attempt = ?", self._number,
                                         attempt):
            block = self._block(payload)
            if block.steps and "loss" in block.names:
                reached[rank] = max(reached.get(rank, block.steps[-1]), block.steps[-1])
        return reached

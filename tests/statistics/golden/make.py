# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes statistics.json: what independent programs say of numbers that are drawn here.

In an environment of its own, outside the tree: pip install scipy==1.17.1 statsmodels lifelines==0.30.3, then
python make.py > statistics.json. Nothing of it is needed to build or to test.
"""
import json

import numpy as np
import pandas as pd
from lifelines import KaplanMeierFitter
from lifelines.utils import restricted_mean_survival_time
from scipy import optimize, stats
from statsmodels.duration.survfunc import SurvfuncRight
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

draw = np.random.default_rng(20261125)


def distributions():
    cases = []
    for degrees in (1, 2, 3, 4, 9, 30, 199):
        for probability in (0.8, 0.975, 0.995, 1 - 0.05 / 80):
            cases.append({"degrees": degrees, "probability": probability,
                          "quantile": stats.t.ppf(probability, degrees)})
    beyond = [{"degrees": d, "t": t, "p": 2 * stats.t.sf(t, d)}
              for d in (1, 2, 4, 9, 30, 199) for t in (0.0, 0.3, 1.0, 2.5, 7.0)]
    power = [{"degrees": d, "shift": s, "critical": c, "power": stats.nct.sf(c, d, s)}
             for d in (1, 2, 4, 9, 29) for s in (0.0, 1.5, 4.0) for c in (1.0, 2.8, 4.3)]
    shifts = [{"degrees": d, "critical": c, "power": p,
               "shift": optimize.brentq(lambda s: stats.nct.sf(c, d, s) - p, 0, 60, xtol=1e-13)}
              for d, c in ((2, 4.302652729911275), (4, 2.7764451051977987), (9, 2.262157162740992))
              for p in (0.8, 0.9)]
    normal = [{"probability": p, "quantile": stats.norm.ppf(p)} for p in (0.025, 0.5, 0.8, 0.975, 0.9995)]
    return {"student": cases, "beyond": beyond, "power": power, "shifts": shifts, "normal": normal}


def paired():
    cases = []
    for n in (3, 5, 10):
        for effect in (0.0, 0.5, 2.0):
            before = draw.normal(10, 1, n)
            after = before + effect + draw.normal(0, 0.7, n)
            low, high = stats.ttest_rel(after, before).confidence_interval(0.95)
            ratio = stats.ttest_rel(np.log(np.abs(after)), np.log(np.abs(before)))
            ratio_low, ratio_high = ratio.confidence_interval(0.99)
            p, _, _ = ttost_paired(after, before, -1.0, 1.0)
            cases.append({"before": list(before), "after": list(after), "low": low, "high": high,
                          "p": stats.ttest_rel(after, before).pvalue, "ratio_low": ratio_low,
                          "ratio_high": ratio_high, "ratio_p": ratio.pvalue, "margin": 1.0, "equivalence_p": p})
    return cases


def holm():
    cases = []
    for n in (1, 2, 4, 8, 24):
        p = draw.uniform(0, 1, n) ** 3
        shown, adjusted, _, _ = multipletests(p, 0.05, method="holm")
        cases.append({"p": list(p), "adjusted": list(adjusted), "shown": [bool(s) for s in shown]})
    return cases


def survival():
    cases = []
    for n, ties in ((5, False), (12, True), (40, True), (40, False)):
        times = draw.lognormal(3, 0.6, n)
        if ties:
            times = np.ceil(times / 4) * 4
        horizon = float(np.quantile(times, 0.7))
        happened = times < horizon
        happened &= draw.uniform(size=n) > 0.1
        times = np.minimum(times, horizon)
        fitter = KaplanMeierFitter().fit(times, happened)
        at = sorted(set(times[happened]))
        errors = SurvfuncRight(times, happened.astype(int))
        cases.append({"times": list(times), "happened": [bool(h) for h in happened], "at": at,
                      "survival": [float(fitter.predict(t)) for t in at],
                      "deviation": [float(errors.surv_prob_se[list(errors.surv_times).index(t)]) for t in at],
                      "horizon": horizon, "restricted_mean": restricted_mean_survival_time(fitter, horizon)})
    return cases


def profiles():
    """As scoring/performance_profile.py of mlcommons/algorithmic-efficiency defines profile and score."""
    cases = []
    for contenders, workloads in ((2, 8), (4, 8), (3, 20)):
        times = draw.lognormal(4, 0.5, (contenders, workloads))
        times[draw.uniform(size=times.shape) < 0.15] = np.inf
        frame = pd.DataFrame(times)
        with np.errstate(invalid="ignore"):
            frame = frame.div(frame.min(axis=0), axis=1)
        points = np.linspace(1.0, 4.0, num=100)
        profile = pd.concat([(frame <= tau).sum(axis=1) / workloads for tau in points], axis=1)
        scores = np.trapezoid(profile, x=points) / (points.max() - points.min())
        cases.append({"times": [[t if np.isfinite(t) else None for t in row] for row in times],
                      "profiles": profile.values.tolist(), "scores": list(scores)})
    return cases


def looks():
    """Bounds by recursive integration over the statistic itself, one rule of 600 points a look."""
    nodes, weights = np.polynomial.legendre.leggauss(600)
    cases = []
    for shares in ([1.0], [0.5, 1.0], [1 / 3, 2 / 3, 1.0], [0.2, 0.4, 0.6, 0.8, 1.0], [0.3, 0.5, 1.0], [0.25, 0.6]):
        for alpha in (0.05, 0.05 / 6):
            levels, spent, points, density = [], 0.0, None, None
            for k, share in enumerate(shares):
                target = 4 * stats.norm.sf(stats.norm.isf(alpha / 4) / np.sqrt(share))
                if k == 0:
                    bound = stats.norm.isf(target / 2)
                else:
                    step = share - shares[k - 1]
                    brown = points * np.sqrt(shares[k - 1])

                    def crossing(z):
                        c = z * np.sqrt(share)
                        out = stats.norm.sf((c - brown) / np.sqrt(step)) + stats.norm.sf((c + brown) / np.sqrt(step))
                        return float(np.sum(density * out)) - (target - spent)

                    bound = optimize.brentq(crossing, 0, 30, xtol=1e-14)
                levels.append(2 * stats.norm.sf(bound))
                spent = target
                if k + 1 == len(shares):
                    break
                reach = min(bound, 9.0)
                new = nodes * reach
                if k == 0:
                    density = stats.norm.pdf(new) * weights * reach
                else:
                    spread = np.sqrt(step / share)
                    kernel = stats.norm.pdf(new[:, None], points[None, :] * np.sqrt(shares[k - 1] / share), spread)
                    density = (kernel @ density) * weights * reach
                points = new
            cases.append({"shares": shares, "alpha": alpha, "levels": levels})
    return cases


print(json.dumps({"distributions": distributions(), "paired": paired(), "holm": holm(), "survival": survival(),
                  "profiles": profiles(), "looks": looks()}, indent=1,
                 default=lambda value: value.item()))

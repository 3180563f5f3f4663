"""Runs a program of this folder before several backends, and tells which of its steps gave something else."""

import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).parent
TIME = 300


def run(started, port, asks, environment):
    """What each step gave, as JSON, by its name."""
    arguments = ["127.0.0.1", str(port), "tester", "shop", "asks" if asks else "plain"]
    environment = os.environ | {"PYTHONPATH": str(HERE), "TZ": "UTC"} | environment
    ran = subprocess.run([*map(str, started), *arguments], capture_output=True, text=True, env=environment, timeout=TIME)
    steps = {}
    for line in ran.stdout.splitlines():
        name, tab, gave = line.partition("\t")
        if tab:
            steps[name] = gave
    if ran.returncode != 0:
        steps["exit code"] = json.dumps([ran.returncode, ran.stderr[-2000:]])
    return steps


def compare(name, started, ports, environment=None):
    """For each of Querent's backends the steps, those that differ, and those of them that are news: step, expected, got.

    `ports` are those of PostgreSQL itself, of Querent before it, and of Querent before a SQLite file. Questions cannot
    be asked without Querent: before either backend they must give the same. A listed difference that is gone is news too.
    """
    environment = environment or {}
    theirs = run(started, ports[0], False, environment)
    known, asked, outcomes = read_known().get(name, {}), None, {}
    for backend, port in zip(("postgres", "sqlite"), ports[1:], strict=True):
        ours = run(started, port, True, environment)
        if asked is None:
            asked = {step: gave for step, gave in ours.items() if step.split()[0] == "ask"}
        expected = theirs | asked
        different = {step for step in set(expected) | set(ours) if ours.get(step) != expected.get(step)}
        news = different ^ {step for at, step in known if at == backend}
        outcomes[backend] = (ours, different, [(step, expected.get(step), ours.get(step)) for step in sorted(news)])
    return theirs, outcomes


def read_known():
    """The steps that differ, by program, each with its backend and its reason."""
    known = {}
    for line in (HERE / "known.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            program, backend, step, reason = (part.strip() for part in line.split("|", 3))
            known.setdefault(program, {})[backend, step] = reason
    return known

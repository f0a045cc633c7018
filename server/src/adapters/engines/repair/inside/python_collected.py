"""The tests of one file, loaded once: each candidate runs in a fork, where the code of the functions that it changes is exchanged.

A fork shares what a process has open, and has but one thread. Files whose loading starts a thread or a process, or leaves
anything open, are not held.
"""

import contextlib
import gc
import json
import os
import random
import sys

from python_exchange import Program, Watch
from python_fork import end, fork, read_until, run_forked, silence, write_lines
from python_items import Items
from python_tests import CONFIG, PYTEST_OPTIONS, FileRun, substitute

START_SECONDS = 20
STUCK_FACTOR = 20


class Collected:
    """The process that holds them. It is asked by lines of JSON, and answers each with one."""

    def __init__(self, file, held):
        jobs, self.jobs = os.pipe()

        def act(writer):
            # Whoever else keeps these open lets a process that holds tests outlive the one that asks it.
            for one in (self.jobs, *(end for other in held if other.pid for end in (other.jobs, other.answers))):
                os.close(one)
            silence()
            hold(file, os.fdopen(jobs), writer)

        self.pid, self.answers = fork(act)
        os.close(jobs)
        if self.read(START_SECONDS) != "ready":
            self.end()

    def run(self, names, job):
        """As `run_forked` answers; None where it cannot be said here."""
        if not self.pid:
            return None
        try:
            write_lines(self.jobs, [{**job, "names": names}])
        except OSError:
            return self.end()
        # That process sees to the time of its fork. Should it be stuck itself:
        answer = self.read(2 + STUCK_FACTOR * job["totalMs"] / 1000)
        if answer is None:
            return self.end()
        return (answer["status"], answer["timedOut"], answer["data"].encode()) if answer else None

    def read(self, seconds):
        data, in_time = read_until(self.answers, seconds, lambda data: data.endswith(b"\n"))
        return json.loads(data) if in_time and data else None

    def end(self):
        if self.pid:
            os.close(self.jobs)
            end(self.pid, self.answers, is_killed=True)
        self.pid = 0


def hold(file, jobs, writer):
    descriptors = open_descriptors()
    watch = Watch()

    def serve(run, warm_up):
        if not watch.end() or not can_fork(descriptors):
            return
        # What Python has run often it runs faster, and without writing to the memory that forks share.
        with contextlib.suppress(Exception):
            warm_up(brief_run(file, None, {"testMs": 60_000}, lambda message: None))
        program = Program(watch.ran)
        dice = random.getstate()
        gc.collect()
        gc.freeze()
        write_lines(writer, ["ready"])
        for line in jobs:
            job = json.loads(line)
            write_lines(writer, [answer_job(program, file, job, dice, run)])

    if CONFIG.get("usesPytest"):
        import pytest

        class Loop:
            """Takes the place of pytest's own, once it has collected a file without a fault."""

            def pytest_runtestloop(self, session):
                # It was called otherwise before pytest 7.
                if hasattr(session._setupstate, "setup"):
                    items = Items(session)
                    serve(items.run, items.warm_up)
                return True

        pytest.main([*PYTEST_OPTIONS, "--capture=sys", file], plugins=[Loop()])
    else:
        tests = FileRun(file, None, {"testMs": 60_000}, lambda message: None).load_unittest()
        if tests is not None:
            serve(lambda file_run: file_run.run_loaded(tests), FileRun.warm_up)


def brief_run(file, names, job, send):
    file_run = FileRun(file, names, job, send)
    file_run.is_brief = not job.get("saysWhy")
    return file_run


def answer_job(program, file, job, dice, run):
    """False where only a fresh load can say it."""
    sources = job["sources"] or {}
    exchanged = program.find_exchange(sources)
    if exchanged is None:
        return False

    def act(child_writer):
        # A fork is given new dice, though the tests may have set them when they were loaded.
        random.setstate(dice)
        substitute(sources)
        for function, code in exchanged:
            function.__code__ = code
        messages = []
        run(brief_run(file, job["names"], job, messages.append))
        write_lines(child_writer, messages)

    status, timed_out, data = run_forked(act, job["totalMs"] / 1000)
    if not timed_out and (status != 0 or not data):
        return False
    return {"status": status, "timedOut": timed_out, "data": data.decode("latin1")}


def can_fork(descriptors):
    return (
        sys.implementation.name == "cpython"
        and len(os.listdir("/proc/self/task")) == 1
        and open_descriptors() == descriptors
        and not has_children()
        and not has_shared_memory()
    )


def open_descriptors():
    found = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{name}")
        except OSError:
            continue
        if target not in (os.devnull, "/dev/urandom") and not target.startswith("/proc/"):
            found.add((name, target))
    return found


def has_children():
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


def has_shared_memory():
    with open("/proc/self/maps") as maps:
        return any(line.split()[1][1:4:2] == "ws" for line in maps)

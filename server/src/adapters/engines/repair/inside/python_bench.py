"""Runs jobs: test files, each in a fork of its own, with a candidate in place of one file where the job has one.

python_bench.py CONFIG          reads one JSON job a line, answers each; outside libraries are loaded once, before
python_bench.py CONFIG --once   runs the one job in CONFIG, in a process that has loaded nothing

The tests are run by pytest where CONFIG says so, else by unittest and, for plain functions, one by one. A fork loads the
test file with the candidate in place. Of a file that is asked for again and again the tests are loaded once, and such a fork
only has to check them: whether they say the same, and each candidate that passes.
"""

import contextlib
import gc
import importlib
import json
import os
import re
import sys
import time

from python_collected import Collected
from python_fork import end, fork, read_until, run_forked, silence, write_lines
from python_tests import CONFIG, WORKSPACE, FileRun, is_over
from python_watch import UNSTOPPABLE, project_path

ASKED_MIN = 3
SLOWER = 3
"""How much longer than without a candidate a test may take."""
COLLECTED_MAX = 8
PRELOAD_SECONDS = 20
FREE_FACTOR = 5
"""So many times as long may take what is compared, without a candidate."""


class TestFile:
    """Runs tests of one file, in the quicker way where that says the same."""

    held = []

    def __init__(self, file):
        self.file = file
        self.asked = self.answered = 0
        self.collected = None
        self.compared = set()
        self.times = {}

    def run(self, names, job):
        quick = self.run_collected(names, job)
        if not quick:
            return self.run_fresh(names, job)
        self.answered += 1
        # Of what does not pass the first, the tenth, the hundredth … is compared.
        if quick.is_passing or str(self.answered).strip("0") != "1":
            return quick
        return self.confirm(quick, names, job)

    def confirm(self, quick, names, job):
        fresh = self.run_fresh(names, job)
        if fresh.verdicts() != quick.verdicts():
            self.collected.end()
        return fresh

    def run_fresh(self, names, job):
        job = self.in_time(names, job)

        def act(writer):
            silence()
            FileRun(self.file, names, job, lambda message: write_lines(writer, [message])).run()

        return Told(self.file, *run_forked(act, job["totalMs"] / 1000))

    def run_collected(self, names, job):
        """None where only a fresh load can say it."""
        if not job.get("sources") or job.get("isCovering"):
            return None
        self.asked += 1
        if self.asked == ASKED_MIN and len(self.held) < COLLECTED_MAX:
            self.collected = Collected(self.file, self.held)
            self.held.append(self.collected)
        if not self.collected or not self.collected.pid or not self.says_the_same(names, job):
            return None
        told = self.tell(names, self.in_time(names, job))
        if told:
            told.is_quick = True
        return told

    def tell(self, names, job):
        """What the held process says; None where it cannot."""
        ran = self.collected.run(names, job)
        return Told(self.file, *ran) if ran else None

    def in_time(self, names, job):
        """With the time that its tests need in a process of their own, where the first also pays for what others find done."""
        if not job.get("sources"):
            return job
        slowest = max((self.times.get(name, 0) for name in names or self.times), default=0)
        return {**job, "testMs": max(job["testMs"], SLOWER * slowest)}

    def says_the_same(self, names, job):
        """Of the program as it is, with the same words: a test that fails must fail for the same reason."""
        new = [None] if names is None else [name for name in names if name not in self.compared]
        if not new or None in self.compared:
            return True
        self.compared.update(new)
        plain = {**job, "sources": None, "stopsAt": "end", "testMs": FREE_FACTOR * job["testMs"]}
        fresh = self.run_fresh(names and new, plain)
        quick = self.tell(names and new, {**plain, "saysWhy": True})
        brief = self.tell(names and new, plain)
        is_same = (
            quick and brief and quick.reasons() == fresh.reasons() and brief.verdicts() == fresh.verdicts()
        )
        if not is_same:
            self.collected.end()
        for test in (brief if is_same else fresh).tests:
            if not was_ended(test):
                self.times[test["name"]] = test["ms"]
        return is_same


class Told:
    """What a child process told of the tests of one file."""

    is_quick = False

    def __init__(self, file, status, timed_out, data):
        self.imported, self.tests = {}, []
        self.timed_out = timed_out and status != 0
        running = ""
        for line in data.split(b"\n"):
            with contextlib.suppress(ValueError):
                message = json.loads(line)
                if message["type"] == "test":
                    running = message["name"]
                elif message["type"] == "imported":
                    self.imported[message["file"]] = message["lines"]
                else:
                    running = ""
                    self.tests.append({key: value for key, value in message.items() if key != "type"})
        if status != 0:
            has_timed_out = timed_out or os.waitstatus_to_exitcode(status) == UNSTOPPABLE
            error = "timed out" if has_timed_out else f"the process ended with status {status}"
            relative = os.path.relpath(file, WORKSPACE)
            self.tests.append({"file": relative, "name": running, "isPassing": False, "ms": 0, "error": error})

    @property
    def is_passing(self):
        return all(test["isPassing"] for test in self.tests)

    @property
    def is_hanging(self):
        return any(was_ended(test) for test in self.tests)

    def verdicts(self):
        return [(test["name"], test["isPassing"]) for test in self.tests]

    def reasons(self):
        return [(test["name"], reason_of(test["error"] or "")) for test in self.tests]


def was_ended(test):
    """For its time."""
    return "timed out" in (test["error"] or "")


def reason_of(error):
    # How deep a recursion came depends on who called the test.
    text = error.strip().rpartition("\n")[2] if "RecursionError" in error else error
    # Addresses, as their language or the project itself writes them.
    return re.sub(r"0[xX][0-9a-fA-F]+|\d{9,}", "0x", text)


test_files = {}


def run_job(job):
    answer = {"id": job["id"], "tests": [], "imported": {}, "timedOut": False, "isQuick": True}
    deadline = time.monotonic() + job["totalMs"] / 1000
    ran = []
    for one in job["files"]:
        # A run of everything shares its time. A candidate's time for a file is its own, whatever was compared before.
        if not job.get("sources"):
            job["totalMs"] = max(0, (deadline - time.monotonic()) * 1000)
        test_file = test_files.setdefault(one["file"], TestFile(one["file"]))
        told = test_file.run(one["names"], job)
        ran.append((test_file, one["names"], told))
        if is_over(job, not told.is_passing, told.is_hanging):
            break
    # A candidate with which all of them pass is rare, and must be right.
    is_passing = all(told.is_passing for _, _, told in ran)
    for test_file, names, told in ran:
        if is_passing and told.is_quick:
            told = test_file.confirm(told, names, job)
        answer["tests"] += told.tests
        answer["imported"].update(told.imported)
        answer["timedOut"] = answer["timedOut"] or told.timed_out
        answer["isQuick"] = answer["isQuick"] and told.is_quick
    return answer


def preload():
    """Imports in this process what the tests import from outside the project, so that no fork has to."""

    def act(writer):
        silence()
        before = set(sys.modules)
        job = {"testMs": 1000, "files": CONFIG["files"]}
        for file in CONFIG["files"]:
            with contextlib.suppress(BaseException):
                FileRun(file, ["no such test"], job, lambda message: None).run()
        loaded = [(name, getattr(module, "__file__", None) or "/") for name, module in list(sys.modules.items())]
        write_lines(writer, [[name for name, file in loaded if name not in before and not project_path(file, WORKSPACE)]])

    pid, reader = fork(act)
    data, _ = read_until(reader, PRELOAD_SECONDS, lambda data: data.endswith(b"\n"))
    end(pid, reader, is_killed=True)
    with contextlib.suppress(ValueError):
        for name in json.loads(data):
            with contextlib.suppress(BaseException):
                importlib.import_module(name)


def main():
    sys.dont_write_bytecode = True
    folder = os.path.join(WORKSPACE, CONFIG.get("folder", ""))
    os.chdir(folder)
    sys.path[0] = folder
    if os.path.isdir(os.path.join(folder, "src")):
        sys.path.insert(1, os.path.join(folder, "src"))
    jobs, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def tell(answer):
        # The mark tells an answer from what a test's own child processes may write here.
        answers.write(f"\n@runwright {json.dumps(answer)}\n")
        answers.flush()

    if sys.argv[2:] == ["--once"]:
        tell(run_job(CONFIG["job"]))
        return
    preload()
    gc.collect()
    gc.freeze()
    for line in jobs:
        tell(run_job(json.loads(line)))
    for collected in TestFile.held:
        collected.end()


main()

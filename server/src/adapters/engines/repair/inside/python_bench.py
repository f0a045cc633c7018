"""Runs jobs: test files, each in a fork of its own, with a candidate in place of one file where the job has one.

python_bench.py CONFIG          reads one JSON job a line, answers each; outside libraries are loaded once, before
python_bench.py CONFIG --once   runs the one job in CONFIG, in a process that has loaded nothing

The tests are run by pytest where CONFIG says so, else by unittest and, for plain functions, one by one.
"""

import contextlib
import gc
import importlib
import importlib.machinery
import inspect
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
import unittest

from python_watch import LineTrace, Timer, project_path

CONFIG = json.load(open(sys.argv[1]))
WORKSPACE = os.path.realpath(CONFIG["workspace"])
MEMORY_BYTES = 2 << 30
TEXT_MAX = 2000


def substitute(sources):
    """Lets the given sources take the place of their files when these are imported."""
    original = importlib.machinery.SourceFileLoader.get_code

    def get_code(self, name):
        source = sources.get(os.path.realpath(self.path))
        return original(self, name) if source is None else compile(source, self.path, "exec", dont_inherit=True)

    importlib.machinery.SourceFileLoader.get_code = get_code


def test_base(file):
    """The folder that a test file's module is imported from: the first one upwards that is no package."""
    folder = os.path.dirname(file)
    while os.path.exists(os.path.join(folder, "__init__.py")) and folder.startswith(WORKSPACE + os.sep):
        folder = os.path.dirname(folder)
    return folder


class FileRun:
    """One test file in a child process."""

    def __init__(self, file, names, job, send):
        self.file, self.names, self.job, self.send_line = file, names, job, send
        self.relative = os.path.relpath(file, WORKSPACE)
        self.timer = Timer(job["testMs"] / 1000)
        self.trace = LineTrace(WORKSPACE) if job.get("isCovering") else None
        self.began = 0.0
        self.error = None

    def send(self, kind, **fields):
        self.send_line({"type": kind, "file": self.relative, **fields})

    def run(self):
        if self.job.get("sources"):
            substitute(self.job["sources"])
        self.send("test", name="")
        if self.trace:
            self.trace.start()
        (self.run_pytest if CONFIG.get("usesPytest") else self.run_unittest)()

    def imported(self):
        if self.trace:
            self.send("imported", lines=self.trace.take())

    def begin(self, name):
        self.send("test", name=name)
        self.error = None
        self.began = time.perf_counter()
        self.timer.start()

    def end(self, name):
        self.timer.stop()
        self.result(name, self.error, (time.perf_counter() - self.began) * 1000)

    def result(self, name, error, ms=0.0):
        lines = self.trace.take() if self.trace else None
        error = None if error is None else error[-TEXT_MAX:]
        self.send("result", name=name, isPassing=error is None, ms=ms, error=error, lines=lines)

    def run_unittest(self):
        base = test_base(self.file)
        if base not in sys.path:
            sys.path.insert(0, base)
        module_name = os.path.relpath(self.file, base)[:-3].replace(os.sep, ".")
        try:
            module = importlib.import_module(module_name)
        except BaseException:
            error = traceback.format_exc()
            self.imported()
            self.result("", error)
            return
        self.imported()
        loaded = unittest.defaultTestLoader.loadTestsFromModule(module)
        tests = [*flatten(loaded), *plain_functions(module)]
        if self.names is not None:
            tests = [test for test in tests if test_name(test) in self.names]
        result = UnittestResult(self)
        result.failfast = self.job.get("stopsAtFirst", False)
        unittest.TestSuite(tests).run(result)

    def run_pytest(self):
        import pytest

        selected = [self.file] if self.names is None else [f"{self.file}::{name}" for name in self.names]
        options = ["-p", "no:cacheprovider", "-q", "-o", "addopts=", "--tb=short"]
        if self.job.get("stopsAtFirst"):
            options.append("-x")
        reports = PytestReports(self)
        code = pytest.main([*options, *selected], plugins=[reports])
        # A test that is ended for its time may take pytest itself along, which then says nothing of it.
        if code in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.INTERRUPTED) and reports.has_collected:
            raise RuntimeError(f"pytest ended with {code!r}")


class UnittestResult(unittest.TestResult):
    def __init__(self, file_run):
        super().__init__()
        self.file_run = file_run

    def startTest(self, test):
        super().startTest(test)
        self.is_skipped = False
        self.file_run.begin(test_name(test))

    def stopTest(self, test):
        super().stopTest(test)
        if self.is_skipped:
            self.file_run.timer.stop()
        else:
            self.file_run.end(test_name(test))

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.is_skipped = True

    def addError(self, test, err):
        super().addError(test, err)
        if isinstance(test, unittest.TestCase):
            self.file_run.error = self.errors[-1][1]
        else:
            self.file_run.result(test.id(), self.errors[-1][1])

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.file_run.error = self.failures[-1][1]

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.file_run.error = "".join(traceback.format_exception(*err))

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.file_run.error = "passed, though marked as an expected failure"


class PytestReports:
    def __init__(self, file_run):
        self.file_run = file_run
        self.is_skipped = False
        self.has_collected = False

    def pytest_collectreport(self, report):
        if report.failed:
            self.file_run.result("", str(report.longrepr))

    def pytest_collection_finish(self, session):
        self.has_collected = True
        self.file_run.imported()

    def pytest_runtest_logstart(self, nodeid):
        self.is_skipped = False
        self.file_run.begin(nodeid.partition("::")[2])

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.file_run.error = str(report.longrepr)
        self.is_skipped = self.is_skipped or report.skipped

    def pytest_runtest_logfinish(self, nodeid):
        if self.is_skipped and self.file_run.error is None:
            self.file_run.timer.stop()
        else:
            self.file_run.end(nodeid.partition("::")[2])


def flatten(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flatten(test)
        else:
            yield test


def plain_functions(module):
    """`def test_…():` without parameters, as pytest would find them."""
    for name, value in list(vars(module).items()):
        if name.startswith("test") and inspect.isfunction(value) and value.__module__ == module.__name__:
            if not inspect.signature(value).parameters:
                yield unittest.FunctionTestCase(value, description=name)


def test_name(test):
    if isinstance(test, unittest.FunctionTestCase):
        return test.shortDescription()
    return f"{type(test).__qualname__}.{test.id().rpartition('.')[2]}"


def run_in_child(file, names, job, writer):
    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")

    def send(message):
        data = (json.dumps(message) + "\n").encode()
        while data:
            data = data[os.write(writer, data) :]

    FileRun(file, names, job, send).run()


def run_file(file, names, job, deadline, answer):
    """True when all its tests passed."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 0
        try:
            os.close(reader)
            run_in_child(file, names, job, writer)
        except BaseException:
            status = 2
        os._exit(status)
    os.close(writer)
    status, timed_out, data = None, False, bytearray()
    try:
        while True:
            ready, _, _ = select.select([reader], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                timed_out = True
                break
            piece = os.read(reader, 1 << 16)
            if not piece:
                break
            data += piece
    finally:
        os.close(reader)
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL) if timed_out else None
        status = os.waitpid(pid, 0)[1]
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
    return collect(file, data, status, timed_out, answer)


def collect(file, data, status, timed_out, answer):
    is_passing, running = True, ""
    for line in bytes(data).split(b"\n"):
        with contextlib.suppress(ValueError):
            message = json.loads(line)
            if message["type"] == "test":
                running = message["name"]
            elif message["type"] == "imported":
                answer["imported"][message["file"]] = message["lines"]
            else:
                running = ""
                is_passing = is_passing and message["isPassing"]
                answer["tests"].append({key: value for key, value in message.items() if key != "type"})
    if status != 0:
        error = "timed out" if timed_out else f"the process ended with status {status}"
        relative = os.path.relpath(file, WORKSPACE)
        answer["tests"].append({"file": relative, "name": running, "isPassing": False, "ms": 0, "error": error})
        answer["timedOut"] = timed_out
        is_passing = False
    return is_passing


def run_job(job):
    answer = {"id": job["id"], "tests": [], "imported": {}, "timedOut": False}
    deadline = time.monotonic() + job["totalMs"] / 1000
    for one in job["files"]:
        if not run_file(one["file"], one["names"], job, deadline, answer) and job.get("stopsAtFirst"):
            break
    return answer


def preload():
    """Imports in this process what the tests import from outside the project, so that no fork has to."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            os.close(reader)
            before = set(sys.modules)
            job = {"testMs": 1000, "files": CONFIG["files"]}
            for file in CONFIG["files"]:
                with contextlib.suppress(BaseException):
                    FileRun(file, ["no such test"], job, lambda message: None).run()
            new = [
                name
                for name, module in list(sys.modules.items())
                if name not in before and not project_path(getattr(module, "__file__", None) or "/", WORKSPACE)
            ]
            os.write(writer, json.dumps(new).encode()[: 1 << 16])
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as pipe:
        data = pipe.read() if select.select([pipe], [], [], 20)[0] else b""
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
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


main()

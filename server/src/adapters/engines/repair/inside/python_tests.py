"""Runs the tests of one file in this process, and says of each what came of it."""

import importlib
import importlib.machinery
import inspect
import json
import os
import sys
import traceback
import unittest

from python_watch import LineTrace, Timer

CONFIG = json.load(open(sys.argv[1]))
WORKSPACE = os.path.realpath(CONFIG["workspace"])
TEXT_MAX = 2000
WARM_RUNS = 10
HUNG_SHARE = 5
# Plugins are loaded before pytest looks at them, which it warns of; a project may make errors of warnings.
IGNORED = "ignore:Module already imported:pytest.PytestAssertRewriteWarning"
PYTEST_OPTIONS = ["-p", "no:cacheprovider", "-q", "-o", "addopts=", "--tb=short", "-W", IGNORED]


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


def is_over(job, has_failed, has_hung):
    """Whether what it was asked for is known."""
    stops_at = job.get("stopsAt")
    return has_failed and stops_at == "failure" or has_hung and stops_at in ("failure", "hang")


class FileRun:
    """One test file in a child process."""

    def __init__(self, file, names, job, send):
        self.file, self.names, self.job, self.send_line = file, names, job, send
        self.relative = os.path.relpath(file, WORKSPACE)
        self.timer = Timer()
        self.trace = LineTrace(WORKSPACE) if job.get("isCovering") else None
        self.began = 0.0
        self.error = None
        self.has_failed = self.has_hung = False
        self.slowest = 0.0
        # Whether only the verdict counts, and of an error its last words.
        self.is_brief = False

    def send(self, kind, **fields):
        self.send_line({"type": kind, "file": self.relative, **fields})

    def run(self):
        if self.job.get("sources"):
            substitute(self.job["sources"])
        self.send("test", name="")
        if self.trace:
            self.trace.start()
        (self.run_pytest if CONFIG.get("usesPytest") else self.run_unittest)()

    @property
    def is_over(self):
        return is_over(self.job, self.has_failed, self.has_hung)

    def imported(self):
        if self.trace:
            self.send("imported", lines=self.trace.take())

    def begin(self, name):
        self.send("test", name=name)
        self.error = None
        self.began = self.timer.now()
        self.timer.start(self.limit())

    def limit(self):
        """Where one test has not ended, others are likely not to end either: they get a part of its time."""
        seconds = self.job["testMs"] / 1000
        return min(seconds, max(seconds / HUNG_SHARE, 3 * self.slowest)) if self.has_hung else seconds

    def in_brief(self, error):
        """How far the test came in its own file, and the last words."""
        name, lines, frame = os.path.basename(self.file), [], error.__traceback__
        while frame:
            if os.path.basename(frame.tb_frame.f_code.co_filename) == name:
                lines.append(f"{name}:{frame.tb_lineno}: ")
            frame = frame.tb_next
        return f"{''.join(lines)}{type(error).__name__}: {error}"

    def end(self, name):
        self.timer.stop()
        seconds = self.timer.now() - self.began
        if self.error is None:
            self.slowest = max(self.slowest, seconds)
        self.result(name, self.error, seconds * 1000)

    def result(self, name, error, ms=0.0):
        lines = self.trace.take() if self.trace else None
        error = None if error is None else shorten(error)
        self.has_failed = self.has_failed or error is not None
        self.has_hung = self.has_hung or self.timer.rung > 0
        self.send("result", name=name, isPassing=error is None, ms=ms, error=error, lines=lines)

    def run_unittest(self):
        tests = self.load_unittest()
        if tests is not None:
            self.run_loaded(tests)

    def load_unittest(self):
        """All tests of the file; None where it does not load, which is its result then."""
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
            return None
        self.imported()
        return [*flatten(unittest.defaultTestLoader.loadTestsFromModule(module)), *plain_functions(module)]

    def run_loaded(self, tests):
        if self.names is not None:
            tests = [test for test in tests if test_name(test) in self.names]
        result = UnittestResult(self)
        result.failfast = self.job.get("stopsAt") == "failure"
        unittest.TestSuite(tests).run(result)

    def warm_up(self):
        """Runs tests of ours."""
        self.run_loaded([unittest.FunctionTestCase(act, description="warm") for act in [passing, failing] * WARM_RUNS])

    def run_pytest(self):
        import pytest

        options = [*PYTEST_OPTIONS]
        if self.job.get("stopsAt") == "failure":
            options.append("-x")
        reports = PytestReports(self)
        code = pytest.main([*options, self.file], plugins=[reports])
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
        if self.file_run.is_over:
            self.stop()

    def _exc_info_to_string(self, err, test):
        if self.file_run.is_brief:
            return self.file_run.in_brief(err[1])
        return super()._exc_info_to_string(err, test)

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
        self.has_collected = self.is_unreadable = False
        self.session = None

    def pytest_sessionstart(self, session):
        self.session = session

    def pytest_collectreport(self, report):
        if report.failed:
            self.is_unreadable = True
            self.file_run.result("", str(report.longrepr))

    def pytest_collection_modifyitems(self, items):
        """In the order of the names, and none where one is missing. Named one by one to pytest itself, 50,000 tests take minutes."""
        for item in items:
            show_recursion_plainly(item)
        names = self.file_run.names if self.file_run else None
        if names is None:
            return
        by_name = {item.nodeid.partition("::")[2]: item for item in items}
        items[:] = [by_name[name] for name in names] if all(name in by_name for name in names) else []

    def pytest_collection_finish(self, session):
        self.has_collected = not self.is_unreadable
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
        if self.session and self.file_run.is_over:
            self.session.shouldfail = "what it was asked for is known"


def show_recursion_plainly(item):
    """Pytest reads the source of each of 1,000 frames, for more than a second; Python says which of them repeat."""
    show = item._repr_failure_py

    def show_failure(excinfo, style=None):
        return show(excinfo, "native" if isinstance(excinfo.value, RecursionError) else style)

    item._repr_failure_py = show_failure


def shorten(error):
    """Where it was stands at the beginning or, after a long way, at the end."""
    return error if len(error) <= TEXT_MAX else f"{error[: TEXT_MAX // 4]}\n…\n{error[-TEXT_MAX * 3 // 4 :]}"


def passing():
    pass


def failing():
    raise AssertionError("as it should")


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

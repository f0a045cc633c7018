"""Watches a test as it runs: for how long, and which lines of the project."""

import os
import signal
import sys
import threading
import time


UNSTOPPABLE = 97
"""How a process ends in which a test goes on whatever is raised in it."""


class TimedOut(BaseException):
    """Not an Exception, so that the code under test does not swallow it by accident."""


def waited_for_core(process="self"):
    """For how many seconds a process was ready to run while others had the cores; 0 where the system does not say."""
    try:
        with open(f"/proc/{process}/schedstat") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


class Timer:
    """Raises TimedOut in the main thread; again and again, should something swallow it after all.

    The time that others had the cores does not count: on a busy machine the right change may take ten times as long."""

    now = staticmethod(time.monotonic)
    """Kept where those who stop the clock for a test do not look: they exchange what modules have."""

    def __init__(self):
        self.rung = 0
        self.seconds = self.end = 0.0
        signal.signal(signal.SIGALRM, self.ring)

    def ring(self, _signal, _frame):
        left = self.end + waited_for_core() - self.now()
        if left > 0.01 and not self.rung:
            signal.setitimer(signal.ITIMER_REAL, left, 0.2)
            return
        self.rung += 1
        if self.rung > 3:
            os._exit(UNSTOPPABLE)
        raise TimedOut(f"timed out after {self.seconds} s")

    def start(self, seconds):
        self.rung = 0
        self.seconds = seconds
        self.end = self.now() + seconds - waited_for_core()
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)

    def stop(self):
        signal.setitimer(signal.ITIMER_REAL, 0)


class LineTrace:
    """Collects the lines of the project's files that run."""

    def __init__(self, workspace):
        self.workspace = workspace
        self.lines = {}
        self.is_project = {}

    def start(self):
        threading.settrace(self.on_call)
        sys.settrace(self.on_call)

    def on_call(self, frame, _event, _argument):
        file = frame.f_code.co_filename
        relative = self.is_project.get(file)
        if relative is None:
            relative = self.is_project[file] = project_path(file, self.workspace)
        if not relative:
            return None
        self.lines.setdefault(relative, set()).add(frame.f_lineno)
        return self.on_line

    def on_line(self, frame, event, _argument):
        if event == "line":
            self.lines[self.is_project[frame.f_code.co_filename]].add(frame.f_lineno)
        return self.on_line

    def take(self):
        taken = {file: sorted(lines - {0}) for file, lines in self.lines.items() if lines}
        for lines in self.lines.values():
            lines.clear()
        return taken


def project_path(file, workspace):
    """The path within the workspace, or '' for what is not the project's."""
    if file.startswith("<"):
        return ""
    path = os.path.realpath(file)
    if not path.startswith(workspace + os.sep) or "/site-packages/" in path:
        return ""
    return os.path.relpath(path, workspace)

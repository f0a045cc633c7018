"""Runs something in a child process that cannot outlive it, and hears what it says."""

import contextlib
import json
import os
import resource
import select
import signal
import sys

from python_watch import Timer, waited_for_core

MEMORY_BYTES = 2 << 30


def silence():
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")


def write_lines(writer, messages):
    data = "".join(json.dumps(message) + "\n" for message in messages).encode()
    while data:
        data = data[os.write(writer, data) :]


def fork(act):
    """Calls act(writer) in a child; answers its id and where what it writes can be read."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 0
        try:
            os.close(reader)
            os.setpgid(0, 0)
            act(writer)
        except BaseException:
            status = 2
        os._exit(status)
    os.close(writer)
    return pid, reader


def read_until(reader, seconds, is_whole=lambda data: False, waited=lambda: 0.0):
    """All that comes, and whether it ended in time. The seconds that `waited` answers do not count."""
    deadline = Timer.now() + seconds
    data = bytearray()
    while not is_whole(data):
        left = deadline + waited() - Timer.now()
        if select.select([reader], [], [], max(0, left))[0]:
            piece = os.read(reader, 1 << 16)
            if not piece:
                break
            data += piece
        elif left <= 0:
            return bytes(data), False
    return bytes(data), True


def end(pid, reader, is_killed):
    """Its status; all that it started ends with it."""
    os.close(reader)
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL) if is_killed else None
    status = os.waitpid(pid, 0)[1]
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    return status


def run_forked(act, seconds):
    """Calls act(writer) in a child for so long; answers its status, whether it was ended for its time, and what it wrote."""

    def bounded(writer):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        act(writer)

    pid, reader = fork(bounded)
    in_time = False
    data = b""
    try:
        data, in_time = read_until(reader, seconds, waited=lambda: waited_for_core(pid))
    finally:
        status = end(pid, reader, is_killed=not in_time)
    return status, not in_time, data

"""Finds which functions of a loaded program a changed text changes, so that their code can be exchanged.

It answers None, and the program is loaded anew, wherever that would not be the same: a text that also changes what runs while
the file is loaded, a function that ran then (what it did may be kept anywhere), a function whose docstring or signature
changes (a decorator may have read them), one that nothing refers to any more, and one whose code somebody has copied.
"""

import __future__
import ast
import functools
import gc
import os
import sys
import threading
import types

CODE = types.CodeType
NEW_LOCALS = 0x02
HAS_DOCSTRING = 0x4000000
KIND_FLAGS = 0x04 | 0x08 | 0x20 | 0x80 | 0x100 | 0x200
FUTURE_FLAGS = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})
IN_PLACE = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
SUSPENDED = {
    types.GeneratorType: "gi_code",
    types.CoroutineType: "cr_code",
    types.AsyncGeneratorType: "ag_code",
}


class Watch:
    """Notes what code runs from now on."""

    def __init__(self):
        self.ran = {}
        ran = self.ran

        def note(frame, event, _argument):
            # The code stays alive here, so that its id is not given away.
            if event == "call":
                ran[id(frame.f_code)] = frame.f_code

        self.note = note
        threading.setprofile(note)
        sys.setprofile(note)

    def end(self):
        """Whether nobody else has ended it."""
        was_watching = sys.getprofile() is self.note
        sys.setprofile(None)
        threading.setprofile(None)
        return was_watching


class Program:
    """The program as it is loaded."""

    def __init__(self, ran):
        self.ran = set(ran)
        gc.unfreeze()
        self.functions = {}
        for one in gc.get_objects():
            if type(one) is types.FunctionType:
                self.functions.setdefault(id(one.__code__), []).append(one)
            elif type(one) in SUSPENDED:
                self.ran.add(id(getattr(one, SUSPENDED[type(one)])))
        realpath = functools.lru_cache(maxsize=None)(os.path.realpath)
        self.modules = {}
        for code in ran.values():
            if code.co_name == "<module>":
                self.modules.setdefault(realpath(code.co_filename), []).append(code)
        known = {id(code) for modules in self.modules.values() for module in modules for code in every_code(module)}
        codes = [functions[0].__code__ for functions in self.functions.values()]
        # Made by somebody who took a function apart, or loaded before anybody watched.
        self.copies = {(realpath(code.co_filename), code.co_firstlineno) for code in codes if id(code) not in known}
        files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        self.unwatched = {path for path, _ in self.copies} | {realpath(file) for file in files if isinstance(file, str)}
        self.files = {}

    def find_exchange(self, sources):
        """Pairs of functions and their new codes."""
        exchanged = []
        for path, text in sources.items():
            if path not in self.modules:
                if path in self.unwatched:
                    return None
                continue
            if path not in self.files:
                self.files[path] = LoadedFile.open(path, self.modules[path])
            changes = self.files[path] and self.files[path].find_changes(text)
            if changes is None:
                return None
            for old, new in changes:
                functions = self.functions.get(id(old))
                if not functions or id(old) in self.ran or (path, old.co_firstlineno) in self.copies:
                    return None
                exchanged.extend((function, new) for function in functions)
        return exchanged


class LoadedFile:
    """A file's text with the codes that it was loaded as: more than one where it was loaded under several names."""

    def __init__(self, lines, modules):
        self.lines, self.modules = lines, modules
        self.starts = starts_of(lines)
        self.places = [by_place(module) for module in modules]

    @classmethod
    def open(cls, path, modules):
        """None where what is loaded is not what the text says, such as what a plugin has rewritten."""
        try:
            with open(path, encoding="utf-8", newline="") as file:
                lines = lines_of(file.read())
            read = compile("\n".join(lines), path, "exec", dont_inherit=True)
            return cls(lines, modules) if all(module == read for module in modules) else None
        except (OSError, SyntaxError, ValueError):
            return None

    def find_changes(self, text):
        """Pairs of codes: one that is loaded, and what takes its place."""
        try:
            before, after = self.cut(lines_of(text))
        except (SyntaxError, ValueError):
            return None
        pairs = []
        if not pair(before, after, pairs):
            return None
        changes = []
        places = by_place(before)
        for old, new in pairs:
            if promise_of(old) != promise_of(new):
                return None
            same = places[place_of(old)]
            for loaded in self.places:
                there = loaded.get(place_of(old), [])
                if len(there) != len(same):
                    return None
                changes.append((there[next(at for at, one in enumerate(same) if one is old)], new))
        return changes

    def cut(self, lines):
        """The codes of the statements that differ, before and after. To compile a whole file for each change takes long.

        A statement at the top level does the same with the others around it and without. The code may differ where the
        compiler has seen that a name is imported, so it is found by where it stands."""
        old, most = self.lines, min(len(self.lines), len(lines))
        same = next((at for at in range(most) if old[at] != lines[at]), most)
        rest = next((at for at in range(most - same) if old[-1 - at] != lines[-1 - at]), most - same)
        begin = max(start for start in self.starts if start <= max(same - 1, 0))
        end = min((start for start in self.starts if start > len(old) - rest), default=len(old))
        place, flags = self.modules[0].co_filename, self.modules[0].co_flags & FUTURE_FLAGS
        return [
            compile("\n" * begin + "\n".join(part) + "\n", place, "exec", flags=flags, dont_inherit=True)
            for part in (old[begin:end], lines[begin : len(lines) - (len(old) - end)])
        ]


def lines_of(text):
    text = text.replace("\r\n", "\n")
    if "\r" in text:
        raise ValueError("a line ends as only old machines end them")
    return text.split("\n")


def starts_of(lines):
    """At which lines, counted from 0, a statement begins while none is open; the first is always 0."""
    starts, end = [0], 0
    for statement in ast.parse("\n".join(lines)).body:
        decorators = getattr(statement, "decorator_list", [])
        begin = min(one.lineno for one in [statement, *decorators]) - 1
        if begin >= end and begin > 0:
            starts.append(begin)
        end = max(end, statement.end_lineno)
    return starts


def is_body(code):
    """Of a function, and not of a module, a class, or something that is made where it stands."""
    return bool(code.co_flags & NEW_LOCALS) and code.co_name not in IN_PLACE


def inner_codes(code):
    return [one for one in code.co_consts if isinstance(one, CODE)]


def every_code(code):
    yield code
    for inner in inner_codes(code):
        yield from every_code(inner)


def bodies_of(code):
    """Those of functions that are in no other function."""
    for inner in inner_codes(code):
        if is_body(inner):
            yield inner
        else:
            yield from bodies_of(inner)


def place_of(code):
    return code.co_firstlineno, code.co_name


def by_place(module):
    """Bodies of functions; more than one where several lambdas stand in a line."""
    places = {}
    for body in bodies_of(module):
        places.setdefault(place_of(body), []).append(body)
    return places


def pair(before, after, pairs):
    """Whether the two differ within functions alone, which come into pairs."""
    if shape(before) != shape(after):
        return False
    for old, new in zip(inner_codes(before), inner_codes(after)):
        if is_body(old):
            if whole(old) != whole(new):
                pairs.append((old, new))
        elif not pair(old, new, pairs):
            return False
    return True


def shape(code, inner=lambda code: (code.co_name, is_body(code))):
    """What a code does, without where it stands and what functions in it do."""
    constants = [inner(one) if isinstance(one, CODE) else (type(one).__name__, repr(one)) for one in code.co_consts]
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    handlers = getattr(code, "co_exceptiontable", None)
    return code.co_code, handlers, names, constants, code.co_flags, code.co_name, counts_of(code)


def whole(code):
    return shape(code, whole)


def counts_of(code):
    return code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount


def promise_of(code):
    """What a function says of itself, which others may have read."""
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    first = code.co_consts[0] if code.co_consts else None
    may_be_doc = isinstance(first, str) and (sys.version_info < (3, 13) or code.co_flags & HAS_DOCSTRING)
    return (
        counts_of(code),
        code.co_varnames[:count],
        code.co_freevars,
        code.co_flags & KIND_FLAGS,
        first if may_be_doc else None,
    )

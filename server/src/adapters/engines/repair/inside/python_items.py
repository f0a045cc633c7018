"""Runs tests that pytest has collected: by its own protocol, or only what decides whether they pass.

Most of pytest's time for a small test goes into what people see of it. Where nobody but pytest itself takes part, and nothing
of a test asks for more, it is set up, called and torn down, and that is all.
"""

import os

from python_tests import PytestReports, failing, passing, show_recursion_plainly

HOOKS = (
    "pytest_runtest_protocol",
    "pytest_runtest_setup",
    "pytest_runtest_call",
    "pytest_runtest_teardown",
    "pytest_runtest_makereport",
)
WARM_RUNS = 10
MARKS = ("skip", "skipif", "xfail", "filterwarnings")


class Items:
    def __init__(self, session):
        self.session = session
        self.by_name = {item.nodeid.partition("::")[2]: item for item in session.items}
        for item in session.items:
            show_recursion_plainly(item)
        self.reports = PytestReports(None)
        session.config.pluginmanager.register(self.reports)
        is_alone = is_pytest_alone(session.config, HOOKS) and not session.config.getini("filterwarnings")
        self.direct = {name for name, item in self.by_name.items() if is_alone and is_simple(item)}

    def warm_up(self, file_run):
        """Runs tests of ours, which have nothing of the project around them."""
        if not self.direct or not is_pytest_alone(self.session.config, ["pytest_pyfunc_call"]):
            return
        import pytest
        from _pytest.fixtures import FuncFixtureInfo

        for at, act in enumerate([passing, failing] * WARM_RUNS):
            nothing = FuncFixtureInfo(argnames=(), initialnames=(), names_closure=[], name2fixturedefs={})
            item = pytest.Function.from_parent(self.session, name=f"warm{at}", callobj=act, fixtureinfo=nothing)
            self.run_directly(file_run, item.name, item, None)
        del os.environ["PYTEST_CURRENT_TEST"]

    def run(self, file_run):
        self.reports.file_run = file_run
        names = file_run.names
        # As pytest does with names: in their order, and none of them where one is missing.
        items = [self.by_name[name] for name in names] if names is not None else self.session.items
        for item, following in zip(items, [*items[1:], None]):
            name = item.nodeid.partition("::")[2]
            if file_run.is_brief and name in self.direct:
                self.run_directly(file_run, name, item, following)
            else:
                if file_run.is_brief:
                    # To show the source of each frame costs more than all else.
                    item._repr_failure_py = lambda excinfo, style=None: file_run.in_brief(excinfo.value)
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if file_run.is_over:
                break
        self.session._setupstate.teardown_exact(None)

    def run_directly(self, file_run, name, item, following):
        import pytest
        from _pytest.warnings import catch_warnings_for_item

        file_run.begin(name)
        os.environ["PYTEST_CURRENT_TEST"] = f"{item.nodeid} (call)"
        try:
            with catch_warnings_for_item(config=item.config, ihook=item.ihook, when="runtest", item=item):
                try:
                    self.session._setupstate.setup(item)
                    item.runtest()
                    # Of a unittest.TestCase they are kept, not raised.
                    for kept in getattr(item, "_excinfo", None) or []:
                        raise kept.value
                finally:
                    self.session._setupstate.teardown_exact(following)
        except (pytest.skip.Exception, pytest.xfail.Exception):
            file_run.timer.stop()
        except BaseException as error:
            file_run.error = file_run.in_brief(error)
            file_run.end(name)
        else:
            file_run.end(name)


def is_pytest_alone(config, hooks):
    plugins = [one.plugin for name in hooks for one in getattr(config.hook, name).get_hookimpls()]
    modules = [getattr(plugin, "__name__", None) or type(plugin).__module__ for plugin in plugins]
    return all(module.startswith("_pytest.") for module in modules)


def is_simple(item):
    names = getattr(item, "fixturenames", None)
    return names is not None and "caplog" not in names and not any(item.get_closest_marker(mark) for mark in MARKS)

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCollected, readToxCommands, unittestFiles, withoutPlugins } from './find-python-suites.ts'

test('what pytest would run is read, with files that do not load, and with names where it leaves some out', () => {
  const all = 'tests/test_a.py::test_one\ntests/test_a.py::TestB::test_two[a::b]\n\n2 tests collected in 0.01s\n'
  assert.deepEqual(readCollected(all, ''), { files: ['tests/test_a.py'] })
  assert.deepEqual(readCollected('test_a.py: 3\n\n3 tests collected in 0.01s\n', 'server'), {
    files: ['server/test_a.py'],
  })
  const part = 'test_a.py::test_one\n\n1/2 tests collected (1 deselected) in 0.01s\nERROR test_b.py - SyntaxError\n'
  assert.deepEqual(readCollected(part, ''), {
    files: ['test_a.py', 'test_b.py'],
    names: { 'test_a.py': ['test_one'], 'test_b.py': [] },
  })
  assert.deepEqual(readCollected('Traceback (most recent call last):\n  File "a.py", line 3\n', ''), { files: [] })
})

test('tox runs what stands in its file, without its placeholders', () => {
  const file = String.raw`[tox]
envlist = py311
[testenv]
deps = pytest
commands =
    {envpython} -m pip list
    # not this: pytest other
    {envpython} -m pytest \
      {env_site_packages_dir}/shop {tox_root}/tests
    pytest --doctest-modules {posargs:tests} {envtmpdir}
    - ruff check .
[testenv:docs]
commands = sphinx-build docs
`
  assert.deepEqual(readToxCommands(file), ['python -m pytest ./tests', 'pytest --doctest-modules tests'])
  const parted =
    '[testenv:pypy]\ncommands = pytest tests/a.py\n[testenv]\ncommands =\n  tests: pytest {posargs:-n auto}\n  !docs: mypy .\n'
  assert.deepEqual(readToxCommands(parted), ['pytest -n auto', 'pytest tests/a.py'])
  assert.deepEqual(readToxCommands('[testenv]\ncommands = {envpython} -m unittest discover -s tests\n'), [
    'python -m unittest discover -s tests',
  ])
})

test('options of plugins are left out with their values', () => {
  assert.equal(withoutPlugins(' --cov humanize --cov tests --cov-report xml -x tests/a.py'), '-x tests/a.py')
  assert.equal(
    withoutPlugins('--cov=shop --cov-branch -n auto --dist=loadfile --timeout 30 -k "not slow"'),
    '-k "not slow"',
  )
  assert.equal(withoutPlugins('--cov --doctest-modules tests'), '--doctest-modules tests')
})

test('unittest finds its files by name, by module or by pattern', () => {
  const files = ['pkg/a.py', 'tests/__init__.py', 'tests/test_a.py', 'tests/check_b.py', 'test_c.py']
  const find = (words: string) => unittestFiles(files, '', words.split(' ').filter(Boolean))
  assert.deepEqual(find(''), ['tests/test_a.py', 'test_c.py'])
  assert.deepEqual(find('tests.check_b'), ['tests/check_b.py'])
  assert.deepEqual(find('-v tests/test_a.py'), ['tests/test_a.py'])
  assert.deepEqual(find('discover -s tests'), ['tests/test_a.py'])
  assert.deepEqual(find("discover tests -p 'check_*.py'"), ['tests/check_b.py'])
})

import type { Stack, StackFolder } from './stack.ts'

const testFiles = /(?:^|\/)(?:test_[^/]+|[^/]+_test)\.py$/

/** A project of Python: by its lock file, or else in a virtual environment beside the code. */
export async function findPythonStack({ has, below, read }: StackFolder): Promise<Stack | undefined> {
  const project = (await read('pyproject.toml')) ?? ''
  const hasTests = below(testFiles)
  const usesPytest = async (names: string[]) => {
    const texts = await Promise.all(names.map(async (name) => (await read(name)) ?? ''))
    return has('pytest.ini') || has('conftest.py') || texts.some((text) => /\bpytest\b/.test(text))
  }
  const testWith = async (prefix: string, names: string[]) => {
    if (!hasTests) return []
    return (await usesPytest(names)) ? [`${prefix} -m pytest`] : [`${prefix} -m unittest discover`]
  }
  if (has('uv.lock')) {
    const test = await testWith('uv run python', ['pyproject.toml'])
    return {
      lockfile: 'uv.lock',
      says: 'a lock file',
      install: ['uv sync --frozen'],
      test,
      lint: lintWith('uv run ', project),
    }
  }
  if (has('poetry.lock')) {
    const test = await testWith('poetry run python', ['pyproject.toml'])
    return {
      lockfile: 'poetry.lock',
      says: 'a lock file',
      install: ['poetry install --no-interaction'],
      test,
      lint: lintWith('poetry run ', project),
    }
  }
  if (has('Pipfile.lock')) {
    const test = await testWith('pipenv run python', ['Pipfile'])
    return { lockfile: 'Pipfile.lock', says: 'a lock file', install: ['pipenv sync --dev'], test }
  }
  const lists = ['requirements.txt', 'requirements-dev.txt', 'requirements-test.txt', 'dev-requirements.txt'].filter(
    has,
  )
  if (!lists.length && !has('pyproject.toml') && !has('setup.py')) return undefined
  const isProject = has('setup.py') || /^\[(?:build-system|project)\]/m.test(project)
  const packages = [...lists.map((name) => `-r ${name}`), ...(isProject ? [`-e ${extrasOf(project)}`] : [])]
  if (!packages.length) return undefined
  return {
    lockfile: lists[0] ?? (has('pyproject.toml') ? 'pyproject.toml' : 'setup.py'),
    says: 'packages for pip',
    // What Debian's own pip installs for everybody is not for a project, and pip refuses it. The file keeps git from the folder.
    install: ['python3 -m venv .venv', "echo '*' > .venv/.gitignore", `.venv/bin/pip install ${packages.join(' ')}`],
    test: await testWith('.venv/bin/python', [...lists, 'pyproject.toml', 'setup.py']),
    lint: lintWith('.venv/bin/', project),
  }
}

const lintWith = (prefix: string, project: string) => (/^\[tool\.ruff/m.test(project) ? [`${prefix}ruff check`] : [])

const extras: [name: string, line: RegExp][] = [
  ['dev', /^dev\s*=/],
  ['test', /^test\s*=/],
  ['tests', /^tests\s*=/],
  ['testing', /^testing\s*=/],
]

/** The project itself, with what its own tests need where it says so. */
function extrasOf(project: string): string {
  const lines = project.split('\n')
  const begin = lines.indexOf('[project.optional-dependencies]') + 1
  const end = lines.findIndex((line, at) => at >= begin && line.startsWith('['))
  const section = begin > 0 ? lines.slice(begin, end < 0 ? undefined : end) : []
  const extra = extras.find(([, pattern]) => section.some((line) => pattern.test(line)))?.[0]
  return extra ? `'.[${extra}]'` : '.'
}

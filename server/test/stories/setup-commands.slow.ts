/**
 * The same for other stacks, each with its own tools. uv is not packaged by Debian, and Maven would need a registry of a
 * hundred plugins: those two are known by their files alone (adapters/engines/setup/probe/probe-setup.test.ts).
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { managers, packages, startPackageRegistry, type PackageRegistry } from '#test/package-registry.ts'
import {
  cargoRepository,
  goRepository,
  pipRepository,
  pnpmRepository,
  yarnRepository,
} from '#test/setup-repositories.ts'
import { startSetupStory } from '#test/setup-story.ts'

const registry = await startPackageRegistry({ name: 'registry.test' })
const story = await startSetupStory({ allowed: [registry.host, registry.secure.host], names: ['registry.test'] })

type Stack = {
  files: (registry: PackageRegistry) => Record<string, string> | Promise<Record<string, string>>
  commands: string[]
  testCommand: string
  lockfile: string
  /** What the registry was asked for, besides what describes it. */
  fetched: string
  /** What shows that its tools are there, for whoever sees the system's folders alone. */
  needs: string
}

const yarn = `npx --yes --package @yarnpkg/cli-dist@${managers['@yarnpkg/cli-dist']} yarn`
const goproxy = `export GOPROXY=${registry.url}/go GONOSUMDB='*'; `
const stacks: Record<string, Stack> = {
  pnpm: {
    files: pnpmRepository,
    commands: [`npx --yes pnpm@${managers.pnpm} install --frozen-lockfile`],
    testCommand: `npx --yes pnpm@${managers.pnpm} test`,
    lockfile: 'pnpm-lock.yaml',
    fetched: `/${packages.npm}/-/${packages.npm}-1.0.0.tgz`,
    needs: 'npm --version',
  },
  yarn: {
    files: yarnRepository,
    commands: [`${yarn} install --immutable`],
    testCommand: `${yarn} test`,
    lockfile: 'yarn.lock',
    fetched: `/${packages.npm}/-/${packages.npm}-1.0.0.tgz`,
    needs: 'npm --version',
  },
  pip: {
    files: pipRepository,
    commands: ['python3 -m venv .venv', "echo '*' > .venv/.gitignore", '.venv/bin/pip install -r requirements.txt'],
    testCommand: '.venv/bin/python -m unittest discover',
    lockfile: 'requirements.txt',
    fetched: '/wheels/right_side-1.0.0-py3-none-any.whl',
    needs: 'python3 -c "import ensurepip"',
  },
  go: {
    files: goRepository,
    commands: [`${goproxy}go mod download`],
    testCommand: `${goproxy}go test ./...`,
    lockfile: 'go.sum',
    fetched: `/go/${packages.go}/@v/v1.0.0.zip`,
    needs: 'go version',
  },
  cargo: {
    files: cargoRepository,
    commands: ['export RUSTC_BOOTSTRAP=1; cargo fetch --locked'],
    testCommand: 'export RUSTC_BOOTSTRAP=1; cargo test --locked',
    lockfile: 'Cargo.lock',
    fetched: `/cargo/crates/${packages.cargo}/1.0.0`,
    needs: 'cargo --version',
  },
}

for (const [name, { files, commands, testCommand, lockfile, fetched, needs }] of Object.entries(stacks)) {
  const { status } = spawnSync('bash', ['-c', needs], { env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' } })
  const skip = status !== 0 && `"${needs}" does not work on this machine`
  test(`a run proposes what installs and tests a repository of ${name}`, { skip }, async () => {
    const repo = await story.makeRepo(await files(registry))
    registry.asked.length = 0
    const { run, proposal, log } = await story.find(repo)
    assert.equal(run.status, 'completed', log)
    assert.partialDeepStrictEqual(proposal, { state: 'proposed', commands, testCommand }, log)
    assert.deepEqual(
      proposal?.evidence.map(({ command, exit_code }) => [command, exit_code]),
      [...commands, testCommand].map((command) => [command, 0]),
    )
    assert.deepEqual(Object.keys(proposal?.lockfiles ?? {}), [lockfile])
    assert.ok(registry.asked.includes(fetched), registry.asked.join())
  })
}

import type { Stack, StackFolder } from './stack.ts'
import { readJson } from './read-tools.ts'

type Manager = { lockfile: string; install: string; run: string }

const managers: Record<string, Manager[]> = {
  pnpm: [{ lockfile: 'pnpm-lock.yaml', install: 'pnpm install --frozen-lockfile', run: 'pnpm run' }],
  yarn: [{ lockfile: 'yarn.lock', install: 'yarn install --frozen-lockfile', run: 'yarn run' }],
  bun: [
    { lockfile: 'bun.lock', install: 'bun install --frozen-lockfile', run: 'bun run' },
    { lockfile: 'bun.lockb', install: 'bun install --frozen-lockfile', run: 'bun run' },
  ],
  npm: [
    { lockfile: 'package-lock.json', install: 'npm ci', run: 'npm run' },
    { lockfile: 'npm-shrinkwrap.json', install: 'npm ci', run: 'npm run' },
  ],
}

/** What npm writes into a new package, which fails. */
const noTest = /no test specified/
const namesMax = 3

/** A package of Node: by its lock file, or by the manager that it names. */
export async function findNodeStack({ has, read }: StackFolder): Promise<Stack | undefined> {
  if (!has('package.json')) return undefined
  const manifest = readJson(await read('package.json'))
  const declared = manifest['packageManager']
  const [, named = ''] = /^([a-z]+)@/.exec(typeof declared === 'string' ? declared : '') ?? []
  const all = [...(managers[named] ?? []), ...Object.values(managers).flat()]
  const manager = all.find(({ lockfile }) => has(lockfile))
  const withoutLock = {
    install: named && managers[named] ? `${named} install` : 'npm install',
    run: `${managers[named] ? named : 'npm'} run`,
  }
  const { install, run } = manager ? { ...manager, install: installOf(manager, has) } : withoutLock
  const scripts = readScripts(manifest['scripts'])
  const commands = (pattern: RegExp) =>
    Object.keys(scripts)
      .filter((name) => pattern.test(name) && !noTest.test(scripts[name]!))
      .slice(0, namesMax)
      .map((name) => (name === 'test' ? `${run.replace(' run', '')} test` : `${run} ${name}`))
  return {
    lockfile: manager?.lockfile ?? 'package.json',
    says: manager ? 'a lock file' : 'a package of Node without a lock file',
    install: [install],
    build: commands(/^build$/),
    test: commands(/^(?:test|test:unit|unit|tests)$/),
    lint: commands(/^(?:lint|typecheck|type-check)$/),
  }
}

/** Yarn since 2 has a file of settings, and another word for it. */
function installOf({ install }: Manager, has: StackFolder['has']): string {
  return install.startsWith('yarn') && has('.yarnrc.yml') ? 'yarn install --immutable' : install
}

function readScripts(options: unknown): Record<string, string> {
  if (typeof options !== 'object' || options === null) return {}
  const named = Object.entries(options).filter(
    ([name, text]) => typeof text === 'string' && /^[\w:-]{1,60}$/.test(name),
  )
  return Object.fromEntries(named as [string, string][])
}

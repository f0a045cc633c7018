import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { AgentSpec } from './agents/agent-spec.ts'

const COMPLAINT_CHARACTERS_MAX = 4_000

/** What an install that was killed has left is removed by a later one. */
const LEFT_MS = 2 * 60 * 60_000

export type InstallAgent = {
  spec: Pick<AgentSpec, 'name' | 'title' | 'packages' | 'entry'>
  /** Its own, beside those of other agents. */
  folder: string
  /** Of npm. */
  env: Record<string, string>
}

/**
 * Installs an agent by npm, without running any script of its packages. It is in its place when it is whole; what was there
 * before stays aside until the next install, as sandboxes may show it. Rejects with what an operator can do.
 */
export async function installAgent({ spec, folder: place, env }: InstallAgent): Promise<void> {
  const folder = path.dirname(place)
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  removeLeft(folder, spec.name)
  const aside = path.join(folder, `.${spec.name}-before`)
  const making = path.join(folder, `.${spec.name}-${randomBytes(4).toString('hex')}`)
  mkdirSync(making, { mode: 0o755 })
  try {
    writeFileSync(path.join(making, 'package.json'), JSON.stringify({ private: true, dependencies: spec.packages }))
    await runNpm(making, env)
    if (!existsSync(path.join(making, 'node_modules', spec.entry)))
      throw new Error(`npm has installed ${spec.title} without ${spec.entry}: there may be none for this machine.`)
    // Sandboxes read it as a user of their own.
    chmodSync(making, 0o755)
    rmSync(aside, { recursive: true, force: true })
    if (existsSync(place)) renameSync(place, aside)
    renameSync(making, place)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

function removeLeft(folder: string, name: string): void {
  const left = readdirSync(folder).filter((one) => one.startsWith(`.${name}-`) && /-[0-9a-f]{8}$/.test(one))
  for (const one of left.map((entry) => path.join(folder, entry)))
    if (Date.now() - statSync(one).mtimeMs > LEFT_MS) rmSync(one, { recursive: true, force: true })
}

async function runNpm(cwd: string, env: Record<string, string>): Promise<void> {
  // Every file that it makes is for others to read, whatever mask the operator has.
  const words = ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const child = spawn('sh', ['-c', 'umask 022; exec "$@"', 'sh', ...words], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const hear = (chunk: Buffer) => (output = (output + chunk.toString('utf8')).slice(-COMPLAINT_CHARACTERS_MAX))
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 127) throw new Error('There is no npm on this machine. Install Node.js with npm, and try again.')
  if (code !== 0) throw new Error(`npm could not install it:\n${output.trim()}`)
}

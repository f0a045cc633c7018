import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { agentPath } from '#adapters/sandboxes/bubblewrap-arguments.ts'
import { findRipgrep } from '#adapters/sandboxes/find-ripgrep.ts'
import type { SandboxPaths } from '#adapters/sandboxes/sandbox.ts'
import { checkPath } from './pod-of.ts'

const sourceOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * What every sandbox is shown of ours, by where: copied below `folder` once, as it lies in this worker's image and in no volume.
 * The name of a copy says which file it is of, so that a worker of another version has copies of its own.
 */
export async function copyPrograms(folder: string, paths: SandboxPaths): Promise<Record<string, string>> {
  const ripgrep = findRipgrep()
  const sources = {
    [`${paths.nodeFolder}/node`]: process.execPath,
    [agentPath]: sourceOf('../exec-agent.mjs'),
    [checkPath]: sourceOf('check-network.mjs'),
    ...(ripgrep && paths.ripgrep && { [paths.ripgrep]: ripgrep.path }),
  }
  const copies = Object.entries(sources).map(async ([target, source]) => [target, await copyOnce(folder, source)])
  return Object.fromEntries(await Promise.all(copies)) as Record<string, string>
}

async function copyOnce(folder: string, source: string): Promise<string> {
  const { size, mtimeMs } = statSync(source)
  const version = createHash('sha256').update(`${source} ${size} ${mtimeMs}`).digest('hex').slice(0, 16)
  const place = path.join(folder, '.programs')
  const prefix = `${path.basename(source)}-`
  const copy = path.join(place, `${prefix}${version}`)
  if (existsSync(copy)) return copy
  mkdirSync(place, { recursive: true, mode: 0o711 })
  for (const other of readdirSync(place)) if (other.startsWith(prefix)) rmSync(path.join(place, other), { force: true })
  const unfinished = `${copy}.${process.pid}`
  await copyFile(source, unfinished)
  chmodSync(unfinished, 0o555)
  renameSync(unfinished, copy)
  return copy
}

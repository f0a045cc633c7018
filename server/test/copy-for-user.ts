import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, linkSync, mkdirSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { findRipgrep } from '#adapters/sandboxes/find-ripgrep.ts'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'

/** Nobody's; not that of the sandboxes either. */
export const ordinaryUser = 64_901
const server = path.resolve(import.meta.dirname, '..')
const modules = path.resolve(server, '../node_modules')

export type Copy = { folder: string; command: string[]; env: Record<string, string> }

/**
 * A copy of the server that an ordinary user can read, wherever the checkout lies, and how a Node is started there as that user. `withModules`: with
 * all packages, and not just what sandboxes need.
 */
export function copyForUser({ withModules = false } = {}): Copy {
  // Short, because paths of sockets below it may have 107 bytes. Many files are linked, which a disk in memory has no part in.
  const base = mkdtempSync(path.join(withModules ? '/var/tmp' : os.tmpdir(), 'user-'))
  after(() => removeTree(base))
  chmodSync(base, 0o755)
  const folder = path.join(base, 'server')
  for (const part of ['src', 'test', 'package.json'])
    cpSync(path.join(server, part), path.join(folder, part), { recursive: true })
  if (withModules) {
    for (const part of ['bin', 'examples', 'package.json'])
      cpSync(path.join(server, '..', part), path.join(base, part), { recursive: true })
    const { status } = spawnSync('cp', ['-al', modules, base])
    if (status !== 0) spawnSync('cp', ['-a', modules, base])
  } else copyRipgrep(base)
  const node = path.join(base, 'node')
  try {
    linkSync(process.execPath, node)
  } catch {
    cpSync(process.execPath, node)
  }
  mkdirSync(path.join(base, 'tmp'))
  chownSync(path.join(base, 'tmp'), ordinaryUser, ordinaryUser)
  const asUser = [`--reuid=${ordinaryUser}`, `--regid=${ordinaryUser}`, '--clear-groups', '--inh-caps=-all', '--']
  return {
    folder,
    command: ['setpriv', ...asUser, node, '--disable-warning=ExperimentalWarning'],
    env: { PATH: process.env['PATH']!, TMPDIR: path.join(base, 'tmp'), HOME: base },
  }
}

function copyRipgrep(base: string): void {
  const ripgrep = findRipgrep()
  if (!ripgrep) return
  const from = path.resolve(ripgrep.path, '../..')
  cpSync(from, path.join(base, 'node_modules/@vscode', path.basename(from)), { recursive: true })
}

/** The same attacks where the service is not root: the whole suite once more, in a process of an ordinary user. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, globSync, linkSync, mkdirSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { findRipgrep } from '#adapters/sandboxes/find-ripgrep.ts'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'

const isRoot = process.getuid?.() === 0
/** Nobody's; not that of the sandboxes either. */
const UID = 64_901
const server = path.resolve(import.meta.dirname, '../../..')

/** A copy of the server that this user can read, wherever the checkout lies. */
function copyFor(uid: number): { folder: string; node: string } {
  // Short, because paths of sockets below it may have 107 bytes.
  const base = mkdtempSync(path.join(os.tmpdir(), 'user-'))
  after(() => removeTree(base))
  chmodSync(base, 0o755)
  const folder = path.join(base, 'server')
  for (const part of ['src', 'test', 'package.json'])
    cpSync(path.join(server, part), path.join(folder, part), { recursive: true })
  const ripgrep = findRipgrep()
  if (ripgrep) {
    const [from, name] = [path.resolve(ripgrep.path, '../..'), path.basename(path.resolve(ripgrep.path, '../..'))]
    cpSync(from, path.join(base, 'node_modules/@vscode', name), { recursive: true })
  }
  const node = path.join(base, 'node')
  try {
    linkSync(process.execPath, node)
  } catch {
    cpSync(process.execPath, node)
  }
  mkdirSync(path.join(base, 'tmp'))
  chownSync(path.join(base, 'tmp'), uid, uid)
  return { folder, node }
}

test(
  'no way out leads anywhere where an ordinary user runs the service either',
  { skip: !isRoot && 'the suite runs as an ordinary user already', timeout: 280_000 },
  async () => {
    const { folder, node } = copyFor(UID)
    const files = globSync(['test/stories/escape/*.slow.ts', 'src/adapters/sandboxes/*.test.ts'], { cwd: folder })
    const others = files.filter((file) => !file.endsWith(path.basename(import.meta.filename)))
    const asUser = [`--reuid=${UID}`, `--regid=${UID}`, '--clear-groups', '--inh-caps=-all', '--', node]
    const flags = ['--disable-warning=ExperimentalWarning', '--test', '--test-reporter=tap', '--test-concurrency=2']
    const child = spawn('setpriv', [...asUser, ...flags, '--test-timeout=120000', ...others], {
      cwd: folder,
      env: { PATH: process.env.PATH!, TMPDIR: path.join(path.dirname(folder), 'tmp'), HOME: path.dirname(folder) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk))
    const exitCode = await new Promise((resolve) => child.on('close', resolve))
    const failed = text.match(/^ *not ok .*\n(?: *(?!ok|not ok|#).*\n){0,20}/gm) ?? [text.slice(-4_000)]
    assert.equal(exitCode, 0, failed.join('\n'))
    assert.ok(Number(/^# pass (\d+)$/m.exec(text)?.[1]) > 200, text.slice(-500))
  },
)

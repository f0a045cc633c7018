import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const home = mkdtempSync(path.join(os.tmpdir(), 'quick-start-'))
after(() => removeTree(home))
// PostgreSQL and sandboxes are other users, and refuse to live in a private folder.
chmodSync(home, 0o755)

// What a person has set up before: a name for commits, and a place for what npm downloads.
writeFileSync(path.join(home, '.gitconfig'), '[user]\n  name = Ada Example\n  email = ada@example.com\n')
const { PATH, npm_config_cache, npm_config_registry } = process.env
const plain = {
  PATH,
  HOME: home,
  LANG: 'C.UTF-8',
  npm_config_cache: npm_config_cache ?? path.join(os.homedir(), '.npm'),
}
const environment = { ...plain, ...(npm_config_registry && { npm_config_registry }) }

test('the quick start works, line by line, in a fresh clone', { timeout: 600_000 }, async () => {
  const port = await freePort()
  const blocks = readBlocks(path.join(root, 'docs/quick-start.md'), port)
  const [clone = '', token = '', ...rest] = blocks
  assert.match(clone, /^git clone <repository URL> runwright && cd runwright\nnpm start$/)
  assert.match(token, /^export RUNWRIGHT_TOKEN=<[^>]+>$/)
  const begun = Date.now()
  await bash(`git clone -q ${root} runwright`, { folder: home, env: environment })
  const folder = path.join(home, 'runwright')
  await using service = await startService(folder, port)
  const startedAfterMs = Date.now() - begun
  const env = { ...environment, RUNWRIGHT_TOKEN: service.token, RUNWRIGHT_URL: `http://localhost:${port}` }
  const text: string[] = []
  for (const block of rest) text.push(await bash(block, { folder, env }))
  console.log(
    `started after ${(startedAfterMs / 1_000).toFixed()} s, merged and pulled after ${((Date.now() - begun) / 1_000).toFixed()} s`,
  )
  const [added = '', watched = '', reviewed = '', pulled = '', listed = ''] = text
  assert.match(added, /^Repository 1: receipts/)
  assert.match(added, /Pushed main/)
  assert.match(watched, /FINAL_ANSWER/)
  assert.match(reviewed, /^\+ .*>= from/m)
  assert.match(reviewed, /^Merged #1 .* into main\.$/m)
  assert.match(pulled, /pass 9\n[^]*fail 0\n/)
  assert.match(listed, /"name": ?"receipts"/)
  assert.match(listed, /"id": ?2,/)
})

/** The commands of a page, one text for each block of them. */
function readBlocks(file: string, port: number): string[] {
  const page = readFileSync(file, 'utf8').replaceAll('localhost:3900', `localhost:${port}`)
  return [...page.matchAll(/^```sh\n([^`]*)^```$/gm)].map(([, block = '']) => block.trim())
}

type Where = { folder: string; env: NodeJS.ProcessEnv }

/** What it prints. Its first command that fails ends it, and the test. */
function bash(script: string, { folder, env }: Where): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env }, (error, out, errors) => {
      if (error) reject(new Error(`${script}\n${out}${errors}`, { cause: error }))
      else resolve(out)
    })
  })
}

/** `npm start`, once it has said its first token and that it is ready. */
async function startService(folder: string, port: number) {
  const env = { ...environment, PORT: String(port) }
  const child = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let text = ''
  const token = await new Promise<string>((resolve, reject) => {
    const read = (piece: Buffer) => {
      text += piece.toString()
      const found = /\b(rw_\w+)/.exec(text)?.[1]
      if (found && / is ready/.test(text)) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error(`npm start ended:\n${text}`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { token, [Symbol.asyncDispose]: stop }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}

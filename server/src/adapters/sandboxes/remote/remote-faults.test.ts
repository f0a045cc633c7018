/** What the service does where a remote worker lies, floods, hangs or goes. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { duplexPair } from 'node:stream'
import { after, test } from 'node:test'
import { openUnsafe } from '#adapters/sandboxes/unsafe.ts'
import { remoteOf } from '#test/remote-sandboxes.ts'
import { testLimits } from '#test/test-sandboxes.ts'
import { FolderStore } from './folder-store.ts'
import { digestOfFiles, listFiles } from './list-files.ts'
import { askWho, openRemote } from './remote.ts'
import { acceptSession, openSession } from './wire.ts'

const base = mkdtempSync(path.join(os.tmpdir(), 'remote-faults-'))
after(() => rmSync(base, { recursive: true, force: true }))

const hello = {
  protocol: 1,
  version: '0.1.0',
  name: 'a liar',
  place: '00000000-0000-0000-0000-000000000000',
  slots: 1,
  labels: [],
  provider: 'bubblewrap',
  enforcement: {
    memory: 'kernel',
    cpu: 'kernel',
    processes: 'kernel',
    disk: 'polled',
    network: 'kernel',
    kill: 'kernel',
  },
} as const

/** A worker that answers each request so, whatever is asked. */
function liar(say: (path: string) => { status?: number; pieces: Iterable<string>; isOpen?: boolean }) {
  const [here, there] = duplexPair()
  acceptSession(there).on('stream', (stream, headers) => {
    stream.on('error', () => {})
    stream.resume()
    const { status = 200, pieces, isOpen } = say(String(headers[':path']))
    stream.respond({ ':status': status })
    for (const piece of pieces) stream.write(piece)
    if (!isOpen) stream.end()
  })
  const session = openSession(here)
  return {
    session,
    cut: () => void [here.destroy(), there.destroy()],
    provider: openRemote(session, { ...hello, labels: [] }),
  }
}

const wish = { id: 'lied-to', limits: testLimits }

test('a worker of another version is told what to install', async () => {
  const { session } = liar(() => ({ pieces: [JSON.stringify({ ...hello, protocol: 99, version: '9.9.9' })] }))
  await assert.rejects(askWho(session), /of version 9\.9\.9, which this version cannot work with/)
})

test('what no worker would say makes no sandbox, and is said to be so', async () => {
  for (const pieces of [
    ['nonsense\n'],
    ['{"kind":"started"}\n'],
    [''],
    ['[]\n'],
    ['{"kind":"closed","reason":"x","isLeft":false}\n'],
  ])
    await assert.rejects(liar(() => ({ pieces })).provider.create(wish))
  await assert.rejects(liar(() => ({ status: 500, pieces: ['no room'] })).provider.create(wish), /no room/)
})

test('answers without an end are not kept', async () => {
  const flood = {
    *[Symbol.iterator]() {
      for (let count = 0; count < 64; count++) yield 'x'.repeat(64 * 1024)
    },
  }
  await assert.rejects(liar(() => ({ pieces: flood })).provider.list(), /too long/)
  await assert.rejects(liar(() => ({ pieces: flood, isOpen: true })).provider.create(wish), /too much at once/)
})

test('what a worker that goes was asked ends at once', async () => {
  const { provider, cut } = liar(() => ({ pieces: [], isOpen: true }))
  const asked = assert.rejects(provider.create(wish), /ended/)
  setTimeout(cut, 20)
  await asked
  await assert.rejects(provider.list(), /not connected/)
})

test('a sandbox ends with its connection, for both sides', async () => {
  const provider = remoteOf(openUnsafe({ folder: path.join(base, 'sandboxes') }), {
    folder: path.join(base, 'sandboxes'),
  })
  const sandbox = await provider.create({ id: 'cut', limits: testLimits })
  const file = path.join(base, 'beat')
  const { result } = sandbox.exec({ shell: `while :; do date +%s%N > ${file}; sleep 0.05; done`, timeoutMs: 60_000 })
  await new Promise((resolve) => setTimeout(resolve, 300))
  provider.cut()
  assert.equal((await result).reason, 'sandbox_lost')
  assert.equal((await sandbox.closed).reason, 'lost')
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const last = readFileSync(file, 'utf8')
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(readFileSync(file, 'utf8'), last, 'nothing runs there any more')
})

test('of a folder that was sent before, only what is new is sent', async () => {
  const folder = path.join(base, 'objects')
  mkdirSync(path.join(folder, 'pack'), { recursive: true })
  writeFileSync(path.join(folder, 'pack/one'), 'one')
  const store = new FolderStore(path.join(base, 'kept'))
  const before = await listFiles(folder)
  assert.deepEqual(
    before.map(([name]) => name),
    ['pack', 'pack/one'],
  )
  const missing = await store.begin(digestOfFiles(before), { source: 'x', files: before })
  assert.deepEqual(missing, [1])
  await assert.rejects(store.begin('0'.repeat(64), { source: 'x', files: before }), /not the one that its name says/)
  for (const name of ['../out', 'pack/../../out', 'pack/../..'])
    await assert.rejects(store.begin(digestOfFiles([[name, 'folder']]), { source: 'y', files: [[name, 'folder']] }))
})

test('of a folder nothing is sent but what is in it, each file once', async () => {
  const folder = path.join(base, 'asked-for')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'one'), 'one')
  const asking = (missing: number[]) => {
    let sends = 0
    const { provider } = liar((path) => {
      if (path.endsWith('/files')) sends++
      return { pieces: [path.endsWith('/begin') ? JSON.stringify({ missing }) : path === '/create' ? '' : '{}'] }
    })
    return { created: provider.create({ ...wish, mounts: { objects: folder } }), sends: () => sends }
  }
  const beyond = asking([0, 1])
  await assert.rejects(beyond.created, /asks for files that are not in the folder/)
  assert.equal(beyond.sends(), 0)
  const twice = asking(Array.from({ length: 1_000 }, () => 0))
  await assert.rejects(twice.created, /ended/)
  assert.equal(twice.sends(), 1)
})

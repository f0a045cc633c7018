import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecRequest, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { listen } from '#db/listen.ts'
import { openNotifier, progressChannel, type Progress } from '#domain/runs/logs/notifier.ts'
import { openSessions } from '#adapters/engines/builtin/tools/open-sessions.ts'
import { testDb } from '#test/test-db.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { showProgress } from './show-progress.ts'

const makeWorkspace = testWorkspaces()
const db = await testDb()
const secret = 'correct horse battery staple'
const redactor = openRedactor([{ name: 'PASSWORD', value: secret }])
const notifier = openNotifier(db.url)
after(() => notifier[Symbol.asyncDispose]())

const heard: Progress[] = []
const connected = Promise.withResolvers<void>()
const listener = listen({
  databaseUrl: db.url,
  channels: [progressChannel],
  onNotification: (_, payload) => heard.push(JSON.parse(payload) as Progress),
  onConnected: () => connected.resolve(),
})
after(() => listener[Symbol.asyncDispose]())
await connected.promise

/** A tool at work in this run, which prints what it is told to. */
function startTool(runId: number): (text: string) => void {
  let print: (text: string) => void = () => {}
  const exec = ({ openFilter, onOutput }: ExecRequest) => {
    const filter = openFilter?.()
    print = (text) => {
      const piece = filter!.write(Buffer.from(text))
      // As a sandbox does: of what is held back nothing is told.
      if (piece.length) onOutput?.('stdout', piece)
    }
  }
  const progress = showProgress({ notifier }, { runId, sandbox: { exec } as unknown as Sandbox, redactor })
  progress.begin({ key: 't1/tool/1', kind: 'tool', request: { name: 'shell' } })
  progress.sandbox.exec({ shell: 'true', timeoutMs: 1_000 })
  return (text) => print(text)
}

async function untilShown(runId: number, count: number): Promise<Progress[]> {
  for (;;) {
    const own = heard.filter((progress) => progress.runId === runId)
    if (own.length >= count) return own
    await sleep(10)
  }
}

test('a secret is taken out wherever what is printed is cut in two', async () => {
  const line = `the key is ${secret}.`
  const cuts = Array.from({ length: line.length + 1 }, (_, at) => at)
  const shown = await Promise.all(
    cuts.map(async (at) => {
      const print = startTool(at + 1)
      print(`begin\n${line.slice(0, at)}`)
      await untilShown(at + 1, 1)
      print(`${line.slice(at)}\n`)
      return (await untilShown(at + 1, 2)).map(({ output }) => output)
    }),
  )
  for (const [first = '', second] of shown) {
    assert.ok(!first.includes(secret.slice(0, 8)), first)
    assert.equal(second, 'begin\nthe key is [redacted:PASSWORD].\n')
  }
})

test('the last words are shown at once, but for what looks like the beginning of a secret', async () => {
  const print = startTool(2_000)
  print(`It may go on, co`)
  assert.equal((await untilShown(2_000, 1))[0]?.output, 'It may go on, co')
  print(`rrect hor`)
  print('se')
  print('. Not yet.')
  assert.equal((await untilShown(2_000, 2))[1]?.output, 'It may go on, correct horse. Not yet.')
  print(` It is ${secret.slice(0, 12)}`)
  assert.equal((await untilShown(2_000, 3))[2]?.output, 'It may go on, correct horse. Not yet. It is ')
})

test('a word that is held back whole is shown all the same', async () => {
  startTool(3_000)('first\n')
  assert.equal((await untilShown(3_000, 1))[0]?.output, 'first\n')
})

test('of much that is printed the end is shown, within what a notification can carry', async () => {
  const print = startTool(1_000)
  for (let n = 1; n <= 5_000; n++) print(`line ${n} é\n`)
  const [plain] = await untilShown(1_000, 1)
  assert.equal(plain?.toolName, 'shell')
  assert.match(plain?.output ?? '', /\nline 5000 é\n$/)
  assert.ok(Buffer.byteLength(plain?.output ?? '') > 3_500)
  const printControls = startTool(1_001)
  printControls(`${'\u0000\u001b'.repeat(4_000)}\n`)
  const [escaped] = await untilShown(1_001, 1)
  assert.ok((escaped?.output.length ?? 0) > 500)
})

test('a session shows no part of a secret, however it is printed and read, and a short answer at once', async () => {
  const { sandbox } = showProgress({ notifier }, { runId: 9, sandbox: await makeWorkspace({}), redactor })
  const { signal } = new AbortController()
  const sessions = openSessions()
  const slowly = `read go; for part in 'correct hor' 'se battery ' 'staple'; do printf %s "$part"; sleep 0.3; done; echo`
  const argv = ['bash', '-c', `${slowly}; while read line; do echo "It is $line."; done`]
  sessions.start('s1', sandbox, { command: 'repl', argv, signal })
  const session = sessions.all.get('s1')!
  const reads: string[] = []
  const read = async (quietMs: number, waitMs: number) => {
    await session.wait({ waitMs, quietMs, signal })
    reads.push(session.take().text)
  }
  session.write('go\n')
  for (let times = 0; times < 12; times += 1) await read(50, 100)
  session.write('here\n')
  await read(150, 5_000)
  assert.match(reads.at(-1)!, /It is here\.\n$/)
  session.write('correct horse\n')
  await read(150, 500)
  session.write('battery staple\n')
  await read(150, 5_000)
  await sessions.stopAll()
  reads.push(session.take().text)
  const all = reads.join('')
  assert.equal(all.split('\n').length, 5, all)
  assert.doesNotMatch(all, /horse battery/)
  assert.match(all, /^\S*PASSWORD\S*\nIt is here\.\nIt is correct horse\.\nIt is battery staple\.\n$/)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { liveLimits } from '#base/live-limits.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { listen } from '#db/listen.ts'
import { liveChannel, openNotifier } from '#domain/runs/logs/notifier.ts'
import { withPiece, type Live, type LiveText } from '#domain/runs/logs/live.ts'
import { testDb } from '#test/test-db.ts'
import { showLive } from './show-live.ts'

const db = await testDb()
const secret = 'correct horse battery staple'
const redactor = openRedactor([{ name: 'PASSWORD', value: secret }])
const notifier = openNotifier(db.url)
after(() => notifier[Symbol.asyncDispose]())

const heard: Live[] = []
const connected = Promise.withResolvers<void>()
const listener = listen({
  databaseUrl: db.url,
  channels: [liveChannel],
  onNotification: (_, payload) => heard.push(JSON.parse(payload) as Live),
  onConnected: () => connected.resolve(),
})
after(() => listener[Symbol.asyncDispose]())
await connected.promise

function startStep(runId: number) {
  const live = showLive({ notifier }, { redactor })
  live.begin({ runId, turn: 1, step: 3, afterSeq: 5 }, null)
  return live
}

const piecesOf = (runId: number) =>
  heard.filter((live): live is Live & LiveText => live.runId === runId && 'at' in live)

async function until<T>(look: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = look()
    if (found) return found
    await sleep(5)
  }
}

/** Everything that a reader saw of it, one state after the other. */
function statesOf(pieces: LiveText[]): string[] {
  let known: LiveText | undefined
  return pieces.map((piece) => (known = withPiece(known, piece)).text)
}

const lastOf = (runId: number) => until(() => piecesOf(runId).find(({ isDone }) => isDone))

test('a secret is taken out wherever what is written is cut in two', async () => {
  const line = `The key is ${secret}, I think.`
  await Promise.all(
    Array.from({ length: line.length + 1 }, async (_, at) => {
      const live = startStep(at + 1)
      live.write('thought', line.slice(0, at))
      await until(() => at < 1 || piecesOf(at + 1).length > 0)
      live.write('thought', line.slice(at))
      live.end(6, new Date())
      await lastOf(at + 1)
      const states = statesOf(piecesOf(at + 1))
      for (const state of states) assert.ok(!state.includes(secret.slice(0, 8)), state)
      assert.equal(states.at(-1), 'The key is [redacted:PASSWORD], I think.')
    }),
  )
})

test('a text in many pieces is put together again, whatever characters it is of', async () => {
  const text = 'Ünïcode 🎉 is "quoted" and \n new. '.repeat(200)
  const live = startStep(1_000)
  for (const piece of text.match(/[^]{1,37}/g) ?? []) live.write('answer', piece)
  live.end(undefined, new Date())
  const last = await lastOf(1_000)
  assert.deepEqual([last.kind, last.step, last.afterSeq], ['answer', 3, 5])
  assert.ok(statesOf(piecesOf(1_000)).at(-1) === text)
})

test('who has missed pieces gets the end of the text again', async () => {
  const live = startStep(1_001)
  live.write('thought', 'One. ')
  await until(() => piecesOf(1_001).length)
  await sleep(liveLimits.textAgainMs)
  live.write('thought', 'Two. ')
  const again = await until(() => piecesOf(1_001)[1])
  assert.deepEqual([again.at, again.text], [0, 'One. Two. '])
})

test('of a text without end only the first part is shown', async () => {
  const live = startStep(1_002)
  for (let n = 0; n < 400; n++) live.write('thought', 'x'.repeat(1_000))
  live.end(6, new Date())
  await lastOf(1_002)
  const shown = statesOf(piecesOf(1_002)).at(-1) ?? ''
  assert.ok(shown.length >= liveLimits.textCharactersMax && shown.length < 2 * liveLimits.textCharactersMax)
})

test('a tool is shown as it starts and when it has ended', async () => {
  const live = showLive({ notifier }, { redactor })
  const tool = {
    toolName: 'shell',
    toolInput: { command: 'true' },
    isCut: false,
    startedAt: '2026-11-22T10:00:00.000Z',
  }
  live.begin({ runId: 1_003, turn: 1, step: 3, afterSeq: 5 }, tool)
  live.end(6, new Date('2026-11-22T10:00:01.000Z'))
  live.end(undefined, new Date())
  const [start, end] = await until(() => {
    const own = heard.filter(({ runId }) => runId === 1_003)
    return own.length > 1 && own
  })
  const place = { type: 'tool', runId: 1_003, turn: 1, step: 3 }
  assert.deepEqual(start, { ...place, afterSeq: 5, ...tool, endedAt: null })
  assert.deepEqual(end, { ...place, afterSeq: 6, ...tool, endedAt: '2026-11-22T10:00:01.000Z' })
})

test('what is taken back is gone, and what is written after it begins anew', async () => {
  const live = startStep(90_001)
  live.write('thought', 'Half of a thought that')
  await until(() => piecesOf(90_001).length > 0)
  live.write('thought', null)
  live.write('thought', 'Another one.')
  live.end(6, new Date())
  await until(() => piecesOf(90_001).filter(({ isDone }) => isDone).length === 2)
  const states = statesOf(piecesOf(90_001))
  assert.ok(states.includes(''))
  assert.equal(states.at(-1), 'Another one.')
})

test('what is written between two steps is shown as of the next one, where the engine wants that', async () => {
  const live = startStep(900)
  live.end(8, new Date())
  live.write('thought', 'late')
  live.write('thought', `It is ${secret}.`, { isBetween: true })
  live.begin({ runId: 900, turn: 1, step: 4, afterSeq: 8 }, null)
  const last = await lastOf(900)
  assert.deepEqual([last.step, last.afterSeq], [4, 8])
  const [shown] = statesOf(piecesOf(900)).filter(Boolean).slice(-1)
  assert.equal(shown, 'It is [redacted:PASSWORD].')
})

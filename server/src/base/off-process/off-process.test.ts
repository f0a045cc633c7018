import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import type { TestTask } from '#test/off-process-tasks.ts'
import { until } from '#test/test-sandboxes.ts'
import { OffProcess, type OffProcessOptions } from './off-process.ts'

const script = new URL('../../../test/off-process-tasks.ts', import.meta.url)

function open(more: Partial<OffProcessOptions> = {}) {
  return new OffProcess<TestTask, string>({
    script,
    processesMax: 2,
    memoryBytesMax: 64 * 2 ** 20,
    timeMs: 10_000,
    ...more,
  })
}
const say = (word: string): TestTask => ({ kind: 'say', word })

/** A task that is at work until it is let go. */
function holdOn() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rw-'))
  const [begun, released] = [path.join(folder, 'begun'), path.join(folder, 'release')]
  const release = () => writeFileSync(released, '')
  after(() => {
    release()
    rmSync(folder, { recursive: true })
  })
  return {
    task: { kind: 'wait', begun, release: released } satisfies TestTask,
    isAtWork: () => existsSync(begun),
    release,
  }
}

test('no process is started before the first task, and one that has nothing to do ends', async () => {
  const helpers = open({ idleMs: 20 })
  assert.equal(helpers.processes, 0)
  assert.equal(await helpers.run(say('one'), { key: 'a' }), 'one')
  await until(() => helpers.processes === 0, 'the idle process has ended')
  assert.equal(await helpers.run(say('two'), { key: 'a' }), 'two')
})

for (const [what, task] of [
  ['fills its memory', { kind: 'bomb' }],
  ['parses what unfolds to more than its memory', { kind: 'parse', text: `[${'[],'.repeat(4_000_000)}0]` }],
] as const) {
  test(`a task that ${what} is the only one that fails`, async () => {
    // On a busy machine a process takes long to fill its memory.
    const helpers = open({ timeMs: 90_000 })
    const other = helpers.run(say('mine'), { key: 'b' })
    await assert.rejects(helpers.run(task, { key: 'a' }), { name: 'OffProcessLimit', limit: 'memory' })
    assert.equal(await other, 'mine')
    assert.equal(await helpers.run(say('again'), { key: 'a' }), 'again')
  })
}

test('a task that never ends is ended, and what comes after it is done', async () => {
  const helpers = open({ timeMs: 200, processesMax: 1 })
  const endless = helpers.run({ kind: 'loop' }, { key: 'a' })
  const next = helpers.run(say('next'), { key: 'a' })
  await assert.rejects(endless, { name: 'OffProcessLimit', limit: 'time' })
  assert.equal(await next, 'next')
})

test('whoever asks a thousand times keeps nobody else waiting', async () => {
  const helpers = open({ processesMax: 2, waitingPerKeyMax: 2_000, waitingMax: 5_000 })
  const held = holdOn()
  const first = helpers.run(held.task, { key: 'flood' })
  await until(held.isAtWork, 'the first is at work')
  const done: string[] = []
  const note = (word: string) => done.push(word)
  const flood = Array.from({ length: 1_000 }, (_, n) => helpers.run(say(`${n}`), { key: 'flood' }).then(note))
  // One task of a key at a time: a process is left for others though a thousand wait.
  assert.equal(await helpers.run(say('mine'), { key: 'other' }), 'mine')
  assert.deepEqual(done, [])
  held.release()
  assert.equal(await first, 'done')
  await Promise.all(flood)
})

test('two keys that wait for one process are served by turns', async () => {
  const helpers = open({ processesMax: 1 })
  const held = holdOn()
  const first = helpers.run(held.task, { key: 'x' })
  const done: string[] = []
  const ask = (key: string, word: string) => helpers.run(say(word), { key }).then((text) => done.push(text))
  const waiting = [...['a1', 'a2', 'a3'].map((word) => ask('a', word)), ask('b', 'b1'), ask('b', 'b2')]
  held.release()
  await Promise.all([first, ...waiting])
  assert.deepEqual(done, ['a1', 'b1', 'a2', 'b2', 'a3'])
})

test('more than may wait is refused, and only to whoever has asked for so much', async () => {
  const helpers = open({ processesMax: 1, waitingPerKeyMax: 2 })
  const held = holdOn()
  const asked = [held.task, say('1'), say('2'), say('3')].map((task) => helpers.run(task, { key: 'a' }))
  const other = helpers.run(say('mine'), { key: 'b' })
  await assert.rejects(asked[3]!, { name: 'OffProcessLimit', limit: 'queue' })
  held.release()
  assert.deepEqual(await Promise.all([...asked.slice(0, 3), other]), ['done', '1', '2', 'mine'])
})

test('who does not want it any more is not waited for, whether it is at work or waits', async () => {
  const helpers = open({ processesMax: 1 })
  const leaving = new AbortController()
  const atWork = helpers.run({ kind: 'loop' }, { key: 'a', signal: leaving.signal })
  const waiting = helpers.run(say('never'), { key: 'b', signal: leaving.signal })
  const after = helpers.run(say('after'), { key: 'c' })
  leaving.abort(new Error('gone'))
  await assert.rejects(atWork, /gone/)
  await assert.rejects(waiting, /gone/)
  assert.equal(await after, 'after')
  await assert.rejects(helpers.run(say('x'), { key: 'a', signal: leaving.signal }), /gone/)
})

test('what a task throws is thrown where it was asked for, and a process that exits fails only its task', async () => {
  const helpers = open({ processesMax: 1 })
  await assert.rejects(helpers.run({ kind: 'throw' }, { key: 'a' }), { name: 'TypeError', message: 'as asked' })
  await assert.rejects(helpers.run({ kind: 'exit' }, { key: 'a' }), /ended without an answer/)
  const uncopied = { kind: 'say', word: (() => {}) as unknown as string } as const
  await assert.rejects(helpers.run(uncopied, { key: 'a' }), /could not be cloned/)
  assert.equal(await helpers.run(say('fine'), { key: 'a' }), 'fine')
})

test('a process ends though its helpers are there', async () => {
  const module = JSON.stringify(new URL('off-process.ts', import.meta.url).href)
  const program = `const { OffProcess } = await import(${module})
    const helpers = new OffProcess({ script: new URL(${JSON.stringify(script.href)}), processesMax: 2, memoryBytesMax: 2 ** 26, timeMs: 60_000, idleMs: 600_000 })
    console.log(await helpers.run({ kind: 'say', word: 'said' }, { key: 'a' }), helpers.processes)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    timeout: 60_000,
  })
  assert.equal(stdout, 'said 1\n')
})

test('a helper knows nothing of what this process knows', async () => {
  process.env['SECRET_OF_TEST'] = 'x'
  const known = await open().run({ kind: 'environment' }, { key: 'a' })
  assert.doesNotMatch(known, /SECRET_OF_TEST/)
})

test('many bytes go to a helper and are all there', async () => {
  const bytes = Buffer.alloc(32 * 2 ** 20, 'x')
  assert.equal(await open().run({ kind: 'length', bytes }, { key: 'a' }), String(bytes.length))
})

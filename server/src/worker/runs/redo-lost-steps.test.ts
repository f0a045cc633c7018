import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Turn } from '#adapters/engines/engine.ts'
import { openScripted } from '#adapters/engines/scripted/scripted.ts'
import { MemoryTurn, type MemoryTurnOptions } from '#test/memory-turn.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { redoLostSteps } from './redo-lost-steps.ts'

const makeWorkspace = testWorkspaces()
const engine = openScripted({ enabled: true })
const script = [{ shell: 'echo {n} >> trace.txt', repeat: 4 }, { answer: 'done' }]

test('steps whose changes were lost are done again, also when they are lost again, and are marked', async () => {
  await using sandbox = await makeWorkspace({})
  const read = async () => (await sandbox.readFile(`${sandbox.paths.workspace}/trace.txt`)).toString()
  const play = async (options: Partial<MemoryTurnOptions>) => {
    const turn = new MemoryTurn({ sandbox, metadata: { script }, ...options })
    await engine.run(redoLostSteps(asObject(turn)))
    return turn.store
  }
  const first = await play({})
  const restoredAt = async (text: string, lost: string[]) => {
    await sandbox.writeFile(`${sandbox.paths.workspace}/trace.txt`, Buffer.from(text))
    return { type: 'restored' as const, turn: 1, text: '', lost }
  }
  const once = [await restoredAt('1\n2\n', ['t1/1/3', 't1/1/4'])]
  const second = await play({ store: first, past: once })
  assert.equal(await read(), '1\n2\n3\n4\n')
  const twice = [...once, await restoredAt('1\n2\n3\n', ['t1/1/4+'])]
  const third = await play({ store: second, past: twice })
  assert.equal(await read(), '1\n2\n3\n4\n')
  assert.deepEqual(
    third.entries.map(({ toolOutput }) => toolOutput?.['repeated'] ?? false),
    [false, false, false, false, true, true, true],
  )
})

/** As a worker makes it: an object that can be spread. */
function asObject(turn: MemoryTurn): Turn {
  return {
    ...turn,
    past: turn.past,
    step: turn.step.bind(turn),
    ask: turn.ask.bind(turn),
    note: turn.note.bind(turn),
    takeMoney: turn.takeMoney.bind(turn),
    takeMessages: turn.takeMessages.bind(turn),
    readSettings: turn.readSettings.bind(turn),
    write: turn.write.bind(turn),
    readImage: turn.readImage.bind(turn),
  }
}

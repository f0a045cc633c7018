/** Tasks of different shape, each by what a strong model answered, right by tests that the agent never saw; and each once more, ended by a lie. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import type { AgentTask } from '#test/agent-task.ts'
import { startAllWires } from '#test/model-parts.ts'
import { judgeLie, judgeTask, playTask } from '#test/replay-task.ts'

const folder = path.join(import.meta.dirname, 'tasks')
const tasks = await Promise.all(
  globSync('*.ts', { cwd: folder })
    .toSorted()
    .map(async (file) => ({
      ...((await import(path.join(folder, file))) as { task: AgentTask }).task,
      name: path.basename(file, '.ts'),
    })),
)
const slots = 10
const wires = await startAllWires(slots)
const { service, key } = wires

/** Two cores have much to do for them. No task waits for a slot in its own time. */
const limits = { concurrency: slots, timeout: 600_000 }

describe('at the same time', limits, () => {
  for (const task of tasks) {
    const { name, model: modelName = `scripted-${name}`, lie } = task
    test(`the agent ${task.title}`, limits, async () => {
      const played = await playTask(wires, { ...task, name, model: modelName })
      await judgeTask(task, played, service.said)
      assert.ok(!JSON.stringify(played).includes(key))
    })
    test(`an agent that ${lie.title} is found out (${name})`, limits, async () => {
      const { answers } = lie
      judgeLie(task, await playTask(wires, { ...task, name: `${name}-lie`, model: `${modelName}-lie`, answers }))
    })
  }
})

test('every wire is spoken, and there are a dozen shapes', () => {
  assert.ok(tasks.length >= 12)
  assert.equal(new Set(tasks.map(({ wire }) => wire)).size, 4)
  assert.ok(!service.said().includes(key))
})

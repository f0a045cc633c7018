import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { readTasks } from './read-tasks.ts'

const league = path.resolve(import.meta.dirname, '../../examples/league')
const root = mkdtempSync(path.join(os.tmpdir(), 'league-tasks-'))
after(() => rmSync(root, { recursive: true }))

/** How the hidden tests end over the repository, with these parts of the task put over it. */
async function judge({ name, judge }: { name: string; judge: string }, parts: string[]): Promise<string> {
  const folder = path.join(root, `${name}-${parts.length}`)
  for (const part of ['repository', ...parts, 'hidden'])
    cpSync(path.join(league, name, part), folder, { recursive: true, force: true })
  const { PATH = '' } = process.env
  const env = { PATH: `${path.dirname(process.execPath)}:${PATH}`, PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn('bash', ['-c', judge], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => output.push(String(piece)))
  const [code] = (await once(child, 'close')) as [number]
  return code === 0 ? 'passed' : `failed: ${output.join('')}`
}

test('the hidden tests of every task fail on its repository and pass with its solution', async () => {
  const tasks = readTasks(league, [])
  assert.equal(tasks.length, 12)
  const waiting = [...tasks]
  const faults: string[] = []
  const work = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      const [before, solved] = [await judge(task, []), await judge(task, ['solution'])]
      if (before === 'passed') faults.push(`${task.name} passes as it is`)
      if (solved !== 'passed') faults.push(`${task.name} ${solved}`)
    }
  }
  await Promise.all([work(), work()])
  assert.deepEqual(faults, [])
})

test('a task is told what it lacks', () => {
  const folder = path.join(root, 'wrong')
  const write = (settings: string) => {
    mkdirSync(path.join(folder, 'one/repository'), { recursive: true })
    writeFileSync(path.join(folder, 'one/task.json'), settings)
  }
  assert.throws(() => readTasks(folder, []), /There is no folder/)
  const wrong: [string, RegExp][] = [
    ['{', /one\/task\.json is no JSON/],
    ['{}', /needs a text as "prompt"/],
    ['{ "prompt": "Go", "judge": "true", "max_cost_usd": 0 }', /"max_cost_usd" of one\/task\.json must be a number/],
    ['{ "prompt": "Go", "judge": "true" }', /The folder "repository" of one is empty/],
  ]
  for (const [settings, message] of wrong) {
    write(settings)
    assert.throws(() => readTasks(folder, []), message)
  }
  assert.throws(() => readTasks(folder, ['two']), /There is no task "two"/)
})

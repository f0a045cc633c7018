import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { testFolder } from '#test/test-git.ts'
import { checkRuns, type Ended } from './check-runs.ts'
import { openJournal } from './journal.ts'
import { digestOf, type LogEntry } from './read-run.ts'
import { openVerdicts } from './verdict.ts'
import { payloadsOf, type Task } from './workload.ts'

const task: Task = {
  name: 'task-1',
  agent: 'scripted',
  atMs: 0,
  entries: 20,
  paceMs: 0,
  hasCommands: true,
  sends: 'once',
  reads: 'stream',
  act: null,
}

/** What one run that went well looks like from outside; `change` has it go wrong. Answers the promises that are broken. */
async function judge(change: (one: Ended, report: { runIds: number[]; read: LogEntry[] }) => void): Promise<string[]> {
  const entry = (message_type: string, more: object) => ({ seq: 0, turn: 1, message_type, ...more })
  const entries: LogEntry[] = [
    entry('USER_MESSAGE', { observation: 'task-1: play' }),
    ...payloadsOf(task, 1).map((payload) =>
      payload.split('/').length === 2
        ? entry('ACTION', { tool_input: { command: `echo ${payload} >> steps.txt` }, tool_output: {} })
        : entry('PLAN_EVALUATION', { thought: payload }),
    ),
    entry('FINAL_ANSWER', { observation: 'Done.' }),
  ].map((one, index) => ({ ...one, seq: index + 1 }))
  const run = { id: 7, status: 'completed', turn: 1, result: 'Done.' }
  const one: Ended = { task, runId: 7, run, total: entries.length, entries }
  const report = { runIds: [7], read: structuredClone(entries) }
  change(one, report)
  const journal = openJournal(path.join(await testFolder(), 'journal.ndjson'))
  for (const runId of report.runIds) journal.write({ kind: 'accepted', task: task.name, runId, isReplay: false })
  for (const entry of report.read)
    journal.write({ kind: 'entry', runId: 7, reader: 'stream', seq: entry.seq, digest: digestOf(entry) })
  journal.write({ kind: 'status', runId: 7, status: 'completed', detail: null, turn: 1 })
  const verdicts = openVerdicts()
  checkRuns([one], { journal, verdicts })
  journal.close()
  return verdicts.all().flatMap(({ promise, faults }) => (faults.length ? [promise] : []))
}

test('a run that went well breaks no promise', async () => {
  assert.deepEqual(await judge(() => {}), [])
})

test('an entry that is lost is found', async () => {
  const broken = await judge((one) => void one.entries.splice(5, 1))
  assert.ok(broken.includes('no entry is lost or out of order'), String(broken))
  assert.ok(broken.includes('log numbers are 1, 2, 3 … to total_logs'), String(broken))
  assert.ok(broken.includes('a stream, cut and taken up again, is the log'), String(broken))
})

test('entries that have changed places are found', async () => {
  const broken = await judge((one) => {
    const [first, second] = one.entries.slice(3, 5) as [LogEntry, LogEntry]
    one.entries.splice(3, 2, { ...second, seq: first.seq }, { ...first, seq: second.seq })
  })
  assert.ok(broken.includes('no entry is lost or out of order'), String(broken))
})

test('a thought that comes twice is found, and a command that does not say that it was repeated', async () => {
  for (const at of [3, 10]) {
    const broken = await judge((one) => {
      one.entries.splice(at + 1, 0, one.entries[at]!)
      one.entries.forEach((entry, index) => (one.entries[index] = { ...entry, seq: index + 1 }))
      one.total = one.entries.length
    })
    assert.ok(broken.includes('no entry comes twice but a command that says so'), `${at}: ${broken}`)
  }
})

test('two runs of one key are found, and one that did not complete', async () => {
  assert.ok((await judge((_, report) => void report.runIds.push(8))).includes('requests with one key make one run'))
  const failed = await judge(({ run }) => void (run['status'] = 'failed'))
  assert.ok(failed.includes('every other run is completed'), String(failed))
  assert.ok(failed.includes('a status that ends a turn stays'), String(failed))
})

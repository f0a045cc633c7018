/** Whatever a provider or a model does wrong, between two steps that leave a mark: how the run ends, and that nothing is done twice. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeRepository } from '#test/example-repository.ts'
import { labelOf, modelName, startAllWires } from '#test/model-parts.ts'
import type { ScriptedReply } from '#test/model-server.ts'
import type { Wire } from '#test/model-wires.ts'
import { faults, mark, type FaultRow } from '#test/model-faults.ts'
import { findRefusal } from '#test/strict-provider.ts'

/** So many at once: each is waited for, and more would wait for a slot anyway. */
const slots = 8
const wires = await startAllWires(slots)
const { service, at, key } = wires
const limits = { concurrency: 2 * slots, timeout: 500_000 }
const repos = new Map<string, number>()
for (const label of ['chat', 'responses']) {
  const body = { name: label, import_from: makeRepository({ 'a.txt': 'a\n' }) }
  const { id } = await service.call<{ id: number }>('POST', `${at}/repos`, body)
  await service.call('PATCH', `${at}/repos/${id}`, { labels: [label] })
  repos.set(label, id)
}
const look = { calls: [{ name: 'shell', input: { command: 'cat /tmp/marks' } }] }
const finish = { calls: [{ name: 'finish', input: { summary: 'Done.' } }] }
const exhausted: ScriptedReply = { status: 400, message: 'The script has no more replies.' }

/** Plays a row over one wire. The model refuses what a strict provider would, whatever the row is about. */
async function play(name: string, wire: Wire, { fault, refuses, run: more = {} }: FaultRow) {
  const replies = [mark(1), ...fault, mark(2), look, finish]
  const refusals: string[] = []
  let next = 0
  const part = wires.play(name, {
    wire,
    reply: (request) => {
      const refusal = findRefusal(request)
      if (refusal) refusals.push(refusal)
      const faulty = refuses?.(request)
      // For a summary of the conversation.
      if (request.body['tools'] === undefined) return { text: 'What was done until here: a mark was left.' }
      if (refusal || faulty) return faulty ?? { status: 400, message: refusal ?? '' }
      return replies[next++] ?? exhausted
    },
  })
  const body = { prompt: 'Leave two marks.', repo_id: repos.get(labelOf(wire)), model: modelName(wire, name), ...more }
  const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, body)
  const run = await service.untilEnded(id)
  const answered = replies
    .slice(0, next)
    .filter((reply) => !('status' in reply || 'fault' in reply || 'breaks' in reply))
  return { run, log: await service.log(id), asked: part.asked, answered: answered.length, refusals }
}

describe('at the same time', limits, () => {
  for (const row of faults) {
    for (const wire of row.wires) {
      const how = row.ends ? `ends the run as ${row.ends[0]}` : 'is got over'
      test(`${row.what} ${how}, over the ${wire} wire`, limits, async () => {
        const name = `${row.model ?? 'scripted'}-${faults.indexOf(row)}-${wire}`
        const { run, log, asked, answered, refusals } = await play(name, wire, row)
        const shown = JSON.stringify({ error: run.error, log }) + service.said().slice(-3_000)
        assert.deepEqual(refusals, [])
        assert.equal(run.status, row.ends ? 'failed' : 'completed', shown)
        assert.equal(run.error?.code, row.ends?.[0], shown)
        if (row.ends) {
          const last = log.at(-1)
          assert.match(run.error?.message ?? '', row.ends[1])
          assert.deepEqual([last?.message_type, last?.observation], ['ERROR', run.error?.message])
          assert.doesNotMatch(run.error?.message ?? '', /\bAI_[A-Z][a-z]|\n|undefined|\[object/)
        } else {
          const seen = log.filter(({ tool_input }) => tool_input?.['command'] === 'cat /tmp/marks')
          assert.deepEqual(
            seen.map(({ tool_output }) => tool_output?.['output']),
            ['1\n2\n'],
            shown,
          )
        }
        const marks = log.filter(({ tool_input }) => String(tool_input?.['command']).startsWith('echo'))
        assert.equal(new Set(marks.map(({ tool_input }) => tool_input?.['command'])).size, marks.length, shown)
        if (row.told) assert.match(JSON.stringify(log), row.told)
        assert.ok(asked <= 25, `${asked} requests`)
        const usage = run['usage'] as { input_tokens: number; output_tokens: number }
        const expected = row.input?.(wire, answered) ?? [answered * 1_000, answered * 1_000]
        const isIn = usage.input_tokens >= expected[0] && usage.input_tokens <= expected[1]
        assert.ok(isIn, `${usage.input_tokens} tokens, expected ${expected.join(' to ')}`)
        assert.ok(usage.output_tokens >= 0)
        assert.ok(!shown.includes(key))
      })
    }
  }

  test('what a person says while the model ends its work begins another turn, which reads it', limits, async () => {
    let id = 0
    const heard: boolean[] = []
    const third = 'Leave a third mark.'
    wires.play('late', {
      wire: 'anthropic',
      reply: async ({ text }, number) => {
        heard.push(text.includes(third))
        if (number === 2) await service.call('POST', `${at}/agent/run/${id}/messages`, { prompt: third })
        return [mark(1), finish, mark(3), finish][number - 1] ?? exhausted
      },
    })
    const body = { prompt: 'Leave a mark.', repo_id: repos.get('chat'), model: modelName('anthropic', 'late') }
    id = (await service.call<{ id: number }>('POST', `${at}/agent/run`, body)).id
    const run = await service.untilRun(id, (one) => one['turn'] === 2 && one.status === 'completed')
    assert.deepEqual([run.error, heard], [null, [false, false, true, true]])
  })
})

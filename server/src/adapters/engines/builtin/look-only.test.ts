import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openUnsafe } from '#adapters/sandboxes/unsafe.ts'
import type { JsonObject } from '#base/json.ts'
import { AnswerAwaited } from '#test/memory-turn.ts'
import type { ScriptedReply } from '#test/model-server.ts'
import { plain, play } from '#test/play-agent.ts'
import { testLimits, testSandboxes } from '#test/test-sandboxes.ts'

const { provider } = testSandboxes()
const { provider: unsafe } = testSandboxes(openUnsafe)
const call = (name: string, input: JsonObject): ScriptedReply => ({ calls: [{ name, input }] })
const plan = call('plan', { steps: [{ text: 'Write b.js', status: 'pending' }] })

test('before a plan is approved commands can look, and change nothing', async () => {
  await using sandbox = await provider.create({ id: 'looking', limits: testLimits })
  await sandbox.writeFile('a.js', Buffer.from('one\n'))
  const script = [
    call('shell', { command: 'cat a.js; echo two > a.js' }),
    call('shell', { command: 'yes | head -c 100000' }),
    call('write', { path: 'a.js', content: 'two' }),
    call('session', { command: 'echo two > a.js' }),
    plan,
  ]
  const { error, turn } = await play(script, { sandbox, planApproval: true })
  assert.ok(error instanceof AnswerAwaited, String(error))
  const observed = turn.entries.map(({ observation }) => plain(observation))
  assert.match(observed[0]!, /one\n[^]*Read-only file system\n\[exit 1/)
  assert.match(observed[1]!, /the whole could not be kept/)
  for (const refused of observed.slice(2, 4)) assert.match(refused, /may not be used before your plan is approved/)
  const left = await sandbox.exec({ shell: 'cat a.js; ls -A', timeoutMs: 20_000 }).result
  assert.equal(left.stdout.toString(), 'one\na.js\n')
})

test('where a sandbox cannot hold commands to that, they wait for the approval', async () => {
  await using sandbox = await unsafe.create({ id: 'unsafe', limits: testLimits })
  assert.equal(sandbox.canLookOnly, false)
  const { turn } = await play([call('shell', { command: 'touch a' }), plan], { sandbox, planApproval: true })
  assert.match(plain(turn.entries[0]?.observation), /shell may not be used before your plan is approved/)
})

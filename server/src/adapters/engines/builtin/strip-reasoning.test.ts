import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelScript, ScriptedReply } from '#test/model-server.ts'
import { play } from '#test/play-agent.ts'
import { testWorkspaces } from '#test/test-workspace.ts'

const makeWorkspace = testWorkspaces()
const think = (reasoning: string, command: string): ScriptedReply => ({
  reasoning,
  calls: [{ name: 'shell', input: { command } }],
})
const refusals = {
  anthropic: 'messages.1.content.0: Invalid `signature` in `thinking` block',
  responses: 'The encrypted content for item rs_1 could not be verified.',
  google: 'Thought signature is not valid.',
}

for (const [wire, message] of Object.entries(refusals)) {
  test(`thoughts that are refused over the ${wire} wire are told to nobody again, and later ones are`, async () => {
    await using sandbox = await makeWorkspace({})
    const replies = [
      think('First thought.', 'echo 1'),
      think('Second thought.', 'echo 2'),
      { calls: [{ name: 'finish', input: { summary: 'Done.' } }] },
    ]
    const script: ModelScript = ({ text }) =>
      /(?:signed|sealed)-1\b/.test(text) ? { status: 400, message } : (replies.shift() ?? { status: 400 })
    const { answer, requests, turn } = await play(script, { sandbox, wire })
    assert.equal(answer?.answer, 'Done.')
    assert.equal(requests.length, 4)
    assert.doesNotMatch(requests[3]?.text ?? '', /First thought/)
    assert.match(requests[3]?.text ?? '', /Second thought[^]*echo 2|(?:signed|sealed)-3/)
    const notes = turn.entries.filter(({ thought }) => thought?.includes('refuses what was thought before'))
    assert.equal(notes.length, 1)
  })
}

test('a refusal that has nothing to do with thoughts ends it, and without thoughts nothing is left out', async () => {
  await using sandbox = await makeWorkspace({})
  const bad: ScriptedReply = { status: 400, message: 'A signature is wrong.' }
  const { error, requests } = await play([bad], { sandbox })
  assert.match(error?.message ?? '', /answers 400\. It says: A signature is wrong/)
  assert.equal(requests.length, 1)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagesOf, plain, play } from '#test/play-agent.ts'
import type { ScriptedReply } from '#test/model-server.ts'
import { testWorkspaces } from '#test/test-workspace.ts'

const makeWorkspace = testWorkspaces()
const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const bytes = Buffer.from(base64, 'base64')
const images = [{ sha256: 'a'.repeat(64), mediaType: 'image/png', bytes }]
const call = (name: string, input: Record<string, string>): ScriptedReply => ({ calls: [{ name, input }] })
const finish = call('finish', { summary: 'Done.' })

async function makeShown() {
  const sandbox = await makeWorkspace({ 'a.txt': 'a\n' })
  await sandbox.writeFile(`${sandbox.paths.workspace}/pixel.png`, bytes)
  return sandbox
}

test('over the chat wire an image of a tool follows its result as a message, for a model that sees', async () => {
  await using sandbox = await makeShown()
  const script = [call('read', { path: 'pixel.png' }), finish]
  const named = { sandbox, options: { vision: ['openai/*'] } }
  const { requests } = await play(script, named)
  const [result, shown] = messagesOf(requests[1]?.body).slice(-2)
  assert.equal(result?.['role'], 'tool')
  assert.ok(!plain(result?.['content']).includes(base64))
  assert.equal(shown?.['role'], 'user')
  assert.ok(plain(shown?.['content']).includes(`data:image/png;base64,${base64}`))
  const known = await play(script, { sandbox, model: 'openai/qwen3-vl-30b' })
  assert.ok(known.requests[1]?.text.includes(base64))
  for (const options of [{}, { vision: ['openai/other'] }]) {
    const blind = await play(script, { sandbox, options })
    assert.ok(!blind.requests[1]?.text.includes(base64))
    assert.ok(blind.requests[1]?.text.includes('images cannot be shown to this model'))
  }
})

for (const wire of ['chat', 'responses', 'anthropic', 'google']) {
  test(`a model that refuses images over the ${wire} wire is told so in words, and goes on`, async () => {
    await using sandbox = await makeShown()
    const replies = [call('read', { path: 'pixel.png' }), call('read', { path: 'pixel.png' }), finish]
    let answered = 0
    const { answer, requests, turn } = await play(
      ({ text }) =>
        text.includes(base64)
          ? { status: 400, message: 'this model does not support image input' }
          : replies[answered++]!,
      { sandbox, wire, images, options: { vision: ['openai/*'] } },
    )
    assert.equal(answer?.answer, 'Done.')
    // Once with the image, and from then on without.
    assert.deepEqual(
      requests.map(({ text }) => text.includes(base64)),
      [true, false, false, false],
    )
    assert.ok(requests[1]?.text.includes('image left out: this model refuses images'))
    assert.ok(requests.at(-1)?.text.includes('images cannot be shown to this model'))
    const notes = turn.entries.filter(({ thought }) => thought?.includes('refuses images'))
    assert.equal(notes.length, 1)
  })
}

test('a fault that the images are not to blame for is told as it is', async () => {
  await using sandbox = await makeShown()
  const { error, requests } = await play(() => ({ status: 400, message: 'no such parameter' }), { sandbox, images })
  assert.match(error?.message ?? '', /no such parameter/)
  assert.equal(requests.length, 2)
})

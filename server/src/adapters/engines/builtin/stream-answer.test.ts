import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { MemoryTurn } from '#test/memory-turn.ts'
import { startModelServer, type ModelScript, type ScriptedReply } from '#test/model-server.ts'
import { optionsFor, stillOutside } from '#test/play-agent.ts'
import { callModel } from './call-model.ts'
import { chooseModel } from './choose-model.ts'
import type { ModelOptions } from './model-options.ts'

type Asked = { wire: string; options?: Partial<ModelOptions>; stop?: AbortController }

async function ask(script: ModelScript, { wire, options: more = {}, stop = new AbortController() }: Asked) {
  await using server = await startModelServer(script)
  const options = optionsFor(wire, server, { defaultModels: ['scripted-1'], ...more })
  const turn = new MemoryTurn({ sandbox: {} as Sandbox, signal: stop.signal })
  const chosen = await chooseModel(options, null, stop.signal)
  const messages = [{ role: 'user' as const, content: 'Hello?' }]
  const call = {
    turn,
    options,
    chosen,
    outside: stillOutside,
    key: 'k',
    system: 'Be brief.',
    messages,
    withTools: true,
  }
  const again = () => callModel(call, stop.signal)
  const outcome = await again().then(
    (called) => ({ called, error: null }),
    (error: Error) => ({ called: null, error }),
  )
  return { ...outcome, turn, requests: server.requests, shown: shownOf(turn) }
}

/** What a reader of the live stream has before them at the end. */
function shownOf({ written }: MemoryTurn): string {
  return written.reduce((shown, { piece }) => (piece === null ? '' : shown + piece), '')
}

const calls = [
  { name: 'read', input: { path: 'a "quoted" näme.ts' } },
  { name: 'shell', input: { command: 'npm test' } },
]
const full: ScriptedReply = {
  reasoning: 'I think of it at length.',
  text: 'I look at the file.',
  calls,
  usage: { input: 700, output: 40, cacheRead: 30 },
}
const wires = ['anthropic', 'chat', 'responses', 'google']

for (const wire of wires) {
  describe(`over the ${wire} wire`, () => {
    test('a stream is stored as the same answer in one piece', async () => {
      for (const reply of [full, { text: 'Only this.' }, { calls }, { text: 'Half', end: 'cut_off' as const }]) {
        const streamed = await ask([reply], { wire })
        const whole = await ask([{ ...reply, sends: 'whole' }], { wire })
        const known = (asked: typeof streamed) => JSON.parse(forgetIds(JSON.stringify(asked.called ?? asked.error)))
        assert.deepEqual(known(streamed), known(whole))
        assert.equal(whole.requests.length, 1)
      }
    })

    test('what is thought and said is shown while it comes', async () => {
      const { shown, turn } = await ask([full], { wire })
      assert.equal(shown, 'I think of it at length.\n\nI look at the file.')
      assert.ok(turn.written.length > 5)
    })

    test('a stream that breaks is asked for again, its half is taken back, and what it used is counted', async () => {
      for (const breaks of ['cut', 'end', 'overloaded', 'garbage'] as const) {
        const { called, error, shown, requests } = await ask([{ ...full, breaks }, { text: 'Whole.' }], { wire })
        assert.equal(error, null, breaks)
        assert.equal(called?.answer.text, 'Whole.', breaks)
        assert.deepEqual(called.answer.calls, [], breaks)
        assert.equal(shown, 'Whole.', breaks)
        assert.equal(requests.length, 2, breaks)
        if (wire === 'anthropic' || wire === 'google')
          assert.equal(called.usage?.inputTokens, 1_700 + (wire === 'anthropic' ? 30 : 0))
      }
    })

    test('a stream that falls silent is given up, and one that drips for longer is not', async () => {
      // Of a busy machine too.
      const options = { silenceMs: 600 }
      const silent = await ask(() => ({ ...full, breaks: 'stall' }), { wire, options })
      assert.match(silent.error?.message ?? '', /no answer for 0\.6 s.*Given up after 3 tries/)
      assert.equal(silent.shown, '')
      const begunAt = performance.now()
      const dripped = await ask([{ ...full, sends: 100 }], { wire, options })
      assert.equal(dripped.called?.answer.calls.length, 2)
      assert.ok(performance.now() - begunAt > 600)
    })

    test('a stream without an end is ended', async () => {
      const endless = () => ({ text: 'more '.repeat(10_000), sends: 20 })
      const asked = await ask(endless, { wire, options: { answerMs: 200 } })
      assert.match(asked.error?.message ?? '', /no end of its answer for 0\.2 s/)
    })

    test('an answer that is longer than any model’s is read no further', async () => {
      for (const sends of ['whole', 0] as const) {
        const endless = () => ({ text: 'more '.repeat(20_000), sends })
        const { error, requests } = await ask(endless, { wire, options: { answerBytes: 50_000 } })
        assert.match(error?.message ?? '', /sent more than 50,000 bytes in one answer: check \w+_BASE_URL\.$/)
        assert.equal(requests.length, 1)
      }
    })

    test('a server that refuses streams is asked for whole answers from then on', async () => {
      const script: ModelScript = ({ body, path }) =>
        body['stream'] === true || path.includes(':stream')
          ? { status: 400, message: 'Streaming is not supported here.' }
          : { text: 'Whole.' }
      await using server = await startModelServer(script)
      const options = optionsFor(wire, server, { defaultModels: ['scripted-1'] })
      const { signal } = new AbortController()
      const chosen = await chooseModel(options, null, signal)
      const turn = new MemoryTurn({ sandbox: {} as Sandbox })
      const messages = [{ role: 'user' as const, content: 'Hello?' }]
      for (const requests of [2, 3]) {
        const call = { turn, options, chosen, outside: stillOutside, key: 'k', system: '', messages, withTools: true }
        assert.equal((await callModel(call, signal)).answer.text, 'Whole.')
        assert.equal(server.requests.length, requests)
      }
    })
  })
}

test('a stream may take longer than Node lets a body or a head take', async () => {
  const before = getGlobalDispatcher()
  setGlobalDispatcher(new Agent({ headersTimeout: 30, bodyTimeout: 30 }))
  try {
    const { called } = await ask([{ text: 'Slow but sure.', sends: 100 }], { wire: 'chat' })
    assert.equal(called?.answer.text, 'Slow but sure.')
  } finally {
    setGlobalDispatcher(before)
  }
})

/** Some ids are made up by the library. */
const forgetIds = (json: string) => {
  let made = 0
  const known = new Map<string, number>()
  return json.replace(/"(?:aitxt-|call_)?[A-Za-z0-9]{16,24}"/g, (id) => {
    if (!known.has(id)) known.set(id, ++made)
    return `"id-${known.get(id)}"`
  })
}

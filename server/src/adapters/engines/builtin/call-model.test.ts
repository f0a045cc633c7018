import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EngineError } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { MemoryTurn } from '#test/memory-turn.ts'
import { startModelServer, type ModelScript, type ModelServer, type ScriptedReply } from '#test/model-server.ts'
import { Secret } from '#base/secrets/secret.ts'
import { KEY, optionsFor, stillOutside } from '#test/play-agent.ts'
import { callModel } from './call-model.ts'
import { chooseModel } from './choose-model.ts'
import type { ModelOptions } from './model-options.ts'

const answer: ScriptedReply = { text: 'Hello.' }
const always =
  (reply: ScriptedReply): ModelScript =>
  () =>
    reply

type Asked = { wire?: string; options?: Partial<ModelOptions>; signal?: AbortSignal; server?: ModelServer }

/** Asks a scripted model once; tells what came of it, how long was waited in between, and what was noted. */
async function ask(script: ModelScript, { wire = 'anthropic', options: more = {}, signal, server: input }: Asked = {}) {
  await using server = input ?? (await startModelServer(script))
  const options = optionsFor(wire, server, { defaultModels: ['scripted-1'], ...more })
  const stop = signal ?? new AbortController().signal
  const turn = new MemoryTurn({ sandbox: {} as Sandbox, signal: stop })
  const waits: number[] = []
  const sleep = async (ms: number, signal: AbortSignal) => {
    waits.push(ms)
    await stillOutside.sleep(ms, signal)
  }
  const chosen = await chooseModel(options, null, stop)
  const call = {
    turn,
    options,
    chosen,
    outside: { ...stillOutside, sleep },
    key: 't1/model/1',
    system: 'Be brief.',
    messages: [{ role: 'user' as const, content: 'Hello?' }],
    withTools: true,
  }
  const outcome = await callModel(call, stop).then(
    (called) => ({ called, error: null }),
    (error: unknown) => ({ called: null, error: error as Error }),
  )
  assert.ok(!String(outcome.error?.message).includes(KEY), 'the key is in the error')
  return { ...outcome, waits, turn, requests: server.requests }
}

function assertFailed({ error }: { error: Error | null }, code: string, message: RegExp): void {
  assert.ok(error instanceof EngineError, `it ended with ${error?.message}`)
  assert.equal(error.code, code)
  assert.match(error.message, message)
}

for (const wire of ['anthropic', 'chat', 'responses', 'google']) {
  describe(`over the ${wire} wire`, () => {
    const keyVariable =
      { anthropic: /ANTHROPIC_API_KEY/, google: /GOOGLE_GENERATIVE_AI_API_KEY/ }[wire] ?? /OPENAI_API_KEY/
    const urlVariable = { anthropic: /ANTHROPIC_BASE_URL/, google: /GOOGLE_BASE_URL/ }[wire] ?? /OPENAI_BASE_URL/

    test('a key that is refused ends it and names the variable, not the key', async () => {
      for (const status of [401, 403]) {
        const asked = await ask(always({ status, message: `Incorrect key provided: ${KEY}` }), { wire })
        assertFailed(asked, 'model_error', keyVariable)
        assert.match(asked.error?.message ?? '', /Incorrect key provided: \[key\]/)
        assert.equal(asked.requests.length, 1)
      }
    })

    test('a model that is not there ends it', async () => {
      const asked = await ask(always({ status: 404, message: 'no such model' }), { wire })
      assertFailed(asked, 'no_model', /scripted-1.*no such model/)
      assert.equal(asked.requests.length, 1)
    })

    test('is asked again when there were too many requests, as late as the server says', async () => {
      const busy: ScriptedReply = { status: 429, headers: { 'retry-after': '7' } }
      const { called, waits, turn } = await ask([busy, busy, answer], { wire })
      assert.equal(called?.answer.text, 'Hello.')
      assert.deepEqual(waits, [7_000, 7_000])
      assert.deepEqual(turn.entries, [])
    })

    test('is asked again when it is overloaded, ever later', async () => {
      const replies: ScriptedReply[] = [{ status: 529 }, { status: 500 }, { status: 503 }, answer]
      const { called, waits } = await ask(replies, { wire })
      assert.equal(called?.answer.text, 'Hello.')
      assert.deepEqual(waits, [1_000, 2_000, 4_000])
    })

    test('what is no model is found out by two tries', async () => {
      for (const fault of ['html', 'empty'] as const) {
        const asked = await ask(always({ fault }), { wire })
        assertFailed(asked, 'model_error', urlVariable)
        assert.match(asked.error?.message ?? '', /looks wrong/)
        assert.equal(asked.requests.length, 2)
      }
    })

    test('a connection that is cut is tried again', async () => {
      const { called } = await ask([{ fault: 'cut' }, answer], { wire })
      assert.equal(called?.answer.text, 'Hello.')
      const asked = await ask(always({ fault: 'cut' }), { wire })
      assertFailed(asked, 'model_error', /cut the connection.*Given up after 5 tries/)
    })

    test('an overflow and a refusal are told apart from faults', async () => {
      const overflow = await ask([{ fault: 'overflow' }], { wire })
      assert.equal(overflow.called?.answer.end, 'overflow')
      const refused = await ask([{ text: 'No.', end: 'refused' }], { wire })
      assert.deepEqual([refused.called?.answer.end, refused.called?.answer.text], ['refused', 'No.'])
    })
  })
}

test('an account without credit is not asked twice', async () => {
  const asked = await ask(
    always({ status: 429, code: 'insufficient_quota', message: 'You exceeded your current quota.' }),
  )
  assertFailed(asked, 'model_error', /Anthropic account of ANTHROPIC_API_KEY has no credit \(429\)/)
  assert.equal(asked.requests.length, 1)
})

test('a long wait is told in the log', async () => {
  const { turn } = await ask([{ status: 429, headers: { 'retry-after': '20' } }, answer])
  assert.partialDeepStrictEqual(turn.entries, [
    { messageType: 'PLAN_EVALUATION', thought: 'Anthropic is not answering (429); trying again in 20 s.' },
  ])
})

test("a server that says until when it is busy means its own clock's time", async () => {
  const headers = { date: 'Wed, 01 Jan 2020 12:00:00 GMT', 'retry-after': 'Wed, 01 Jan 2020 12:00:20 GMT' }
  assert.deepEqual((await ask([{ status: 429, headers }, answer])).waits, [20_000])
})

test('patience ends', async () => {
  const asked = await ask(always({ status: 503 }))
  assertFailed(asked, 'model_error', /answers 503.*Given up after 10 tries/)
  const impatient = await ask(always({ status: 503 }), { options: { patienceMs: 5_000 } })
  assert.deepEqual(impatient.waits, [1_000, 2_000])
  const long = await ask(always({ status: 429, headers: { 'retry-after': '3600' } }))
  assertFailed(long, 'model_error', /answers 429/)
  assert.deepEqual(long.waits, [])
  assert.equal((long.error as EngineError).retryable, true)
})

test('a server that says nothing is given up after three tries', async () => {
  const asked = await ask(always({ fault: 'hang' }), { options: { silenceMs: 400 } })
  assertFailed(asked, 'model_error', /no answer for 0\.4 s.*Given up after 3 tries/)
  assert.equal(asked.requests.length, 3)
})

test('a server that is not there is given up after five tries', async () => {
  const server = await startModelServer([])
  await server.close()
  const asked = await ask([], { server })
  assertFailed(asked, 'model_error', /cannot be reached at http:\/\/127\.0\.0\.1:\d+\/v1.*ANTHROPIC_BASE_URL/)
  assert.equal(asked.waits.length, 4)
})

test('a stop ends the question and the wait', async () => {
  const stop = new AbortController()
  const script: ModelScript = () => {
    stop.abort(new Error('stopped by ada'))
    return { fault: 'hang' }
  }
  const asked = await ask(script, { signal: stop.signal })
  assert.equal(asked.error?.message, 'stopped by ada')
})

test('the requests mark what to cache, keep nothing at the provider, and carry the key in its header', async () => {
  const anthropic = await ask([answer])
  assert.equal(anthropic.requests[0]?.headers['x-api-key'], KEY)
  assert.equal(anthropic.requests[0]?.text.split('"cache_control"').length, 3)
  const apiKey = new Secret('sk-ant-oat01-of-a-subscriber')
  await using server = await startModelServer([answer])
  const subscribed = await ask([], { server, options: { anthropic: { apiKey, baseUrl: server.url } } })
  const { headers } = subscribed.requests[0]!
  assert.deepEqual([headers['authorization'], headers['x-api-key']], [`Bearer ${apiKey.reveal()}`, undefined])
  assert.match(String(headers['anthropic-beta']), /oauth-2025-04-20/)
  const responses = await ask([answer], { wire: 'responses' })
  assert.equal(responses.requests[0]?.headers['authorization'], `Bearer ${KEY}`)
  assert.partialDeepStrictEqual(responses.requests[0]?.body, { store: false, prompt_cache_key: 'run-1' })
})

import assert from 'node:assert/strict'
import { openBuiltin } from '#adapters/engines/builtin/builtin.ts'
import type { ModelOptions } from '#adapters/engines/builtin/model-options.ts'
import type { ClockAndChance } from '#adapters/engines/builtin/clock-and-chance.ts'
import { EngineError, type Past } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { Json, JsonObject } from '#base/json.ts'
import { Secret } from '#base/secrets/secret.ts'
import { MemoryTurn, type MemoryTurnOptions } from './memory-turn.ts'
import { startModelServer, type ModelScript, type ModelServer, type ScriptedReply } from './model-server.ts'

export const KEY = 'sk-secret-4711'
export const apiKey = new Secret(KEY)
/** Chance and time that stand still, and waits that do not take any. */
export const stillOutside: ClockAndChance = {
  clock: { now: () => new Date('2026-01-02T03:04:05Z') },
  random: () => 0.5,
  generateSeal: () => '0123456789abcdef',
  sleep: async (_ms, signal) => signal.throwIfAborted(),
}

export function optionsFor(wire: string, { url }: ModelServer, more: Partial<ModelOptions> = {}): ModelOptions {
  const access = { apiKey, baseUrl: url }
  if (wire === 'anthropic') return { anthropic: access, ...more }
  if (wire === 'google') return { google: access, ...more }
  return { openai: { ...access, wire: wire === 'chat' ? 'chat' : 'responses' }, ...more }
}

/** Replies by how often the model has answered in the conversation that it is sent, so that a repeated request gets the same. */
export function byAnswers(replies: ScriptedReply[]): ModelScript {
  return ({ body }) => {
    const messages = (body['messages'] ?? body['input'] ?? body['contents']) as { role?: string }[]
    const answers = messages.filter(({ role }) => role === 'assistant' || role === 'model').length
    const reply = replies[answers]
    if (!reply) return { status: 400, message: 'The script has no such reply.' }
    if (!('calls' in reply)) return reply
    // The same ids too, whichever server it is that replies.
    return { ...reply, calls: reply.calls?.map((call, index) => ({ id: `call_${answers}_${index}`, ...call })) ?? [] }
  }
}

export type Play = Partial<MemoryTurnOptions> & {
  sandbox: Sandbox
  wire?: string
  options?: Partial<ModelOptions>
  outside?: Partial<ClockAndChance>
}

/** Plays one turn of the built-in agent against a scripted model. */
export async function play(script: ModelScript, { wire = 'chat', options = {}, outside = {}, ...turnOptions }: Play) {
  await using server = await startModelServer(script)
  const turn = new MemoryTurn(turnOptions)
  const engine = openBuiltin(optionsFor(wire, server, options), { ...stillOutside, ...outside })
  const outcome = await engine.run(turn).then(
    (answer) => ({ answer, error: null }),
    (error: unknown) => ({ answer: null, error: error as Error }),
  )
  const all = JSON.stringify([turn.store, outcome.answer, outcome.error?.message])
  assert.ok(!all.includes(KEY), 'the key is in what is kept')
  return { ...outcome, turn, requests: server.requests }
}

export function assertEndsWith(error: Error | null, code: string, message: RegExp): void {
  assert.ok(error instanceof EngineError, `it ended with ${String(error)}`)
  assert.equal(error.code, code)
  assert.match(error.message, message)
}

export const messagesOf = (body: JsonObject | undefined) => body?.['messages'] as JsonObject[]

/** What a message or an entry says, for a regular expression. */
export function plain(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** What the next turn is told of this one. */
export function pastOf({ prompt, number, store }: MemoryTurn, result: string | null): Past[] {
  return [
    { type: 'message', turn: number, text: prompt, images: [] },
    ...store.steps.map((step): Past => ({ type: 'step', turn: number, step })),
    { type: 'turn_ended', turn: number, result },
  ]
}

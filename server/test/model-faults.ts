import type { JsonObject } from '#base/json.ts'
import type { ModelServerRequest, ScriptedReply } from './model-server.ts'
import type { ScriptedAnswer, ScriptedCall, Wire } from './model-wires.ts'

export type FaultRow = {
  /** The beginning of a sentence. */
  what: string
  wires: Wire[]
  /** What is replied between the two marks. */
  fault: ScriptedReply[]
  /** Replies to requests that it does not like, whatever comes next. */
  refuses?: (request: ModelServerRequest) => ScriptedReply | undefined
  /** The code of the run's error and what it says; without it the run is completed. */
  ends?: [code: string, says: RegExp]
  /** What the log has somewhere. */
  told?: RegExp
  /** How many tokens may be counted, at least and at most; else 1,000 for each answer. */
  input?: (wire: Wire, answers: number) => [number, number]
  /** Beginning of the model's name. */
  model?: string
  /** What else is said of the run. */
  run?: JsonObject
}

export const mark = (n: number): ScriptedAnswer => ({
  reasoning: `Mark ${n}.`,
  calls: [{ name: 'shell', input: { command: `echo ${n} >> /tmp/marks` } }],
})
const calls = (...made: ScriptedCall[]): ScriptedAnswer => ({ calls: made })
const call = (name: string, input: JsonObject) => calls({ name, input })
const often = (reply: ScriptedReply, times = 12): ScriptedReply[] => Array.from({ length: times }, () => reply)
/** Not to wait for, so that nobody waits in a test. */
const soon = { 'retry-after-ms': '1' }
const status = (code: number, message: string, more: object = {}): ScriptedReply => ({
  status: code,
  message,
  headers: soon,
  ...more,
})
const least = (_: Wire, answers: number): [number, number] => [answers * 1_000, (answers + 3) * 1_000]
const usages = /"(?:usage|usageMetadata)":\{(?:[^{}]|\{[^{}]*\})*\}/g
const secret = 'sk-test-key-that-must-never-be-seen-0123456789'
const looksWrong = /answers, but not as a model does \(.+\): \w+_BASE_URL looks wrong/

/** Refuses what carries the signature or the sealed thought of an earlier answer. */
const refusesThoughts = ({ wire, text }: ModelServerRequest): ScriptedReply | undefined => {
  if (!/signed-\d|sealed-\d/.test(text)) return undefined
  const message = {
    anthropic: 'messages.1.content.0: Invalid `signature` in `thinking` block',
    responses: 'The encrypted content sealed for the reasoning item could not be verified.',
    google: 'Thought signature is not valid.',
    chat: '',
  }[wire]
  return { status: 400, message, code: 'invalid_request_error' }
}

/** As Anthropic does where thinking is on and the newest answer with calls has lost its own. */
const wantsThoughts = (request: ModelServerRequest): ScriptedReply | undefined => {
  const isOn = /"thinking":\{"type":"(?:enabled|adaptive)/.test(request.text)
  const message = 'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.'
  const lacks = isOn && request.text.includes('tool_use') && !request.text.includes('signed-')
  return refusesThoughts(request) ?? (lacks ? { status: 400, message, code: 'invalid_request_error' } : undefined)
}

const malformed: FaultRow[] = [
  {
    what: 'JSON of a call that is cut off',
    wires: ['chat', 'responses'],
    fault: [calls({ name: 'read', rawInput: '{"path": ' })],
    told: /The arguments of read are not valid JSON/,
  },
  {
    what: 'a call with wrong arguments',
    wires: ['anthropic', 'google'],
    fault: [call('read', { path: 7, file: 'a' })],
    told: /read was not called, because its arguments do not fit/,
  },
  {
    what: 'calls of tools that are not there',
    wires: ['chat', 'anthropic'],
    fault: [calls({ name: 'bash', input: { command: 'ls' } }, { name: '__proto__', input: {} })],
    told: /There is no tool bash; you may mean shell.*There is no tool __proto__/,
  },
  {
    what: 'three answers that nobody can do anything with',
    wires: ['responses'],
    fault: often(call('browse', {})),
    ends: ['stuck', /3 answers in a row/],
  },
  { what: 'an answer without a word', wires: ['anthropic', 'google'], fault: [{ text: '' }] },
  {
    what: 'a model that never says anything',
    wires: ['chat'],
    fault: often({ text: '' }),
    ends: ['stuck', /3 answers in a row/],
  },
  {
    what: 'an announcement without a deed, for ever',
    wires: ['responses'],
    fault: often({ text: 'All is done and all tests pass.' }),
    ends: ['no_end', /without calling finish, 4 times in a row: All is done/],
  },
  {
    what: 'the same call that fails in the same way',
    wires: ['google'],
    fault: often(call('read', { path: 'nowhere.txt' })),
    ends: ['stuck', /the same call failed 3 times/],
    told: /You seem to be stuck/,
  },
  {
    what: 'calls with the same id in one answer',
    wires: ['anthropic', 'responses'],
    fault: [calls({ name: 'list', input: {}, id: 'same' }, { name: 'read', input: { path: 'a.txt' }, id: 'same' })],
  },
  {
    what: 'ids that come again in later answers',
    wires: ['anthropic'],
    fault: [1, 2].map((n) => calls({ name: 'read', input: { path: 'a.txt', end_line: n }, id: 'call_0' })),
  },
  {
    what: 'a call whose id is empty',
    wires: ['anthropic', 'chat', 'responses'],
    fault: [calls({ name: 'list', input: {}, id: '' }, { name: 'read', input: { path: 'a.txt' }, id: '' })],
  },
  {
    what: 'an end beside an edit',
    wires: ['responses'],
    fault: [
      calls(
        { name: 'write', input: { path: 'b.txt', content: 'b\n' } },
        { name: 'finish', input: { summary: 'Done.' } },
      ),
      call('shell', { command: 'rm b.txt' }),
    ],
    told: /No command was run after the last edit/,
  },
]

const refused: FaultRow[] = [
  {
    what: 'too many requests, with a time to wait',
    wires: ['anthropic'],
    fault: [status(429, 'Slow down.', { headers: { 'retry-after': '1' } })],
  },
  {
    what: 'a provider that is overloaded for a while',
    wires: ['google', 'chat'],
    fault: [status(529, 'Overloaded'), status(500, 'Oops'), status(503, 'Busy')],
  },
  {
    what: 'a provider that stays overloaded',
    wires: ['responses'],
    fault: often(status(503, 'Busy')),
    ends: ['model_error', /answers 503.*Given up after 10 tries/],
  },
  {
    what: 'a key that is refused in the middle',
    wires: ['chat', 'google'],
    fault: often(status(401, `Incorrect key: ${secret}`)),
    ends: ['model_error', /refuses the key \(401.*check \w+_API_KEY.*\[key\]/],
  },
  {
    what: 'an account without credit',
    wires: ['anthropic'],
    fault: often(status(402, 'Your credit balance is too low.')),
    ends: ['model_error', /has no credit \(402\)/],
  },
  {
    what: 'a model that is withdrawn',
    wires: ['google'],
    fault: often(status(404, 'no such model')),
    ends: ['no_model', /answers 404 for the model/],
  },
  {
    what: 'a window that is full once',
    wires: ['anthropic', 'responses'],
    fault: [call('shell', { command: 'seq 4000' }), call('shell', { command: 'seq 3999' }), { fault: 'overflow' }],
    told: /window is full/,
    input: least,
  },
  {
    what: 'a window that is always full',
    wires: ['google'],
    fault: often({ fault: 'overflow' }),
    ends: ['context_overflow', /does not fit/],
    input: least,
  },
  {
    what: 'a question that is refused once',
    wires: ['anthropic'],
    fault: [{ text: 'I must not.', end: 'refused' }],
  },
  {
    what: 'a question that is always refused',
    wires: ['chat'],
    fault: often({ text: 'I must not.', end: 'refused' }),
    ends: ['refused', /I must not/],
  },
  {
    what: 'a refusal that nobody knows',
    wires: ['chat'],
    fault: often(status(400, 'The moon is in the wrong phase.')),
    ends: ['model_error', /answers 400\. It says: The moon/],
  },
  {
    what: 'what a provider signed and refuses later',
    wires: ['anthropic', 'responses', 'google'],
    fault: [],
    refuses: refusesThoughts,
    told: /refuses what was thought before/,
  },
  {
    what: 'a signature that is refused, and missed when it is left out',
    wires: ['anthropic'],
    fault: [],
    refuses: wantsThoughts,
    told: /refuses to be told how much to think/,
  },
]

const broken: FaultRow[] = [
  {
    what: 'a stream that is cut',
    wires: ['chat', 'google'],
    fault: [{ ...call('shell', { command: 'echo 9 >> /tmp/marks' }), breaks: 'cut' }],
    input: least,
  },
  {
    what: 'a stream with broken events',
    wires: ['responses', 'google'],
    fault: [{ text: 'Half of it', breaks: 'garbage' }],
    input: least,
  },
  { what: 'a page of a proxy, once', wires: ['anthropic'], fault: [{ fault: 'html' }] },
  {
    what: 'a page of a proxy in place of every answer',
    wires: ['google'],
    fault: often({ fault: 'html' }),
    ends: ['model_error', looksWrong],
  },
  {
    what: 'a text of megabytes',
    wires: ['anthropic'],
    fault: [{ text: 'very long '.repeat(400_000), sends: 'whole', ...call('list', {}) }],
  },
  {
    what: 'an argument of megabytes',
    wires: ['responses'],
    fault: [{ ...call('shell', { command: `: ${'x'.repeat(6_000_000)}` }), sends: 'whole' }],
    told: /shell was not called/,
  },
  {
    what: 'answers that are always cut off at their limit',
    wires: ['chat'],
    fault: often({ text: 'On and on', end: 'cut_off' }),
    ends: ['model_error', /output limit, 3 times/],
  },
  {
    what: 'usage that is not there',
    wires: ['chat', 'google'],
    fault: [{ ...call('list', {}), alter: (sent) => sent.replace(usages, '"nothing":{}') }],
    input: (_, answers) => [(answers - 1) * 1_000, answers * 1_000],
  },
  {
    what: 'a stream without what its format demands',
    wires: ['anthropic'],
    fault: often({ ...call('list', {}), alter: (sent) => sent.replace(usages, '"nothing":{}') }),
    ends: ['model_error', looksWrong],
    input: () => [1_000, 1_000],
  },
  {
    what: 'usage below nothing',
    wires: ['anthropic', 'chat'],
    fault: [{ ...call('list', {}), usage: { input: -5_000, output: -7 } }],
    input: (_, answers) => [(answers - 1) * 1_000, answers * 1_000],
  },
  {
    what: 'usage beyond all measure',
    wires: ['anthropic'],
    fault: [{ ...call('list', {}), usage: { input: 9e15, output: 9e15 } }],
    input: () => [1, Number.MAX_SAFE_INTEGER],
  },
  {
    what: 'another name of the model',
    wires: ['chat', 'responses'],
    fault: [{ ...call('list', {}), alter: (sent) => sent.replaceAll('scripted-1', 'other-9') }],
  },
  {
    what: 'an answer in the role of the person',
    wires: ['chat', 'google'],
    fault: [
      {
        text: 'Do it.',
        ...call('list', {}),
        alter: (sent) => sent.replaceAll(/"role":"(?:assistant|model)"/g, '"role":"user"'),
      },
    ],
  },
  {
    what: 'a result of a call that was never made',
    wires: ['anthropic'],
    fault: often(
      {
        text: 'x',
        alter: (sent) =>
          sent.replace('{"type":"text","text":""}', '{"type":"tool_result","tool_use_id":"none","content":"ok"}'),
      },
      1,
    ),
    input: least,
  },
  {
    what: 'more questions than the run may ask',
    wires: ['google'],
    fault: [],
    run: { max_model_calls: 2 },
    ends: ['max_steps_reached', /asked a model 2 times.*Raise max_model_calls/],
  },
]

export const faults: FaultRow[] = [...malformed, ...refused, ...broken]

import { z } from 'zod'
import { EngineError, type EngineErrorCode, type Turn } from '#adapters/engines/engine.ts'

const REPEAT_MAX = 10_000
const PIECE_MS_MAX = 60_000
const SLEEP_MS_MAX = 24 * 60 * 60_000

const failures = [
  'no_model',
  'model_error',
  'context_overflow',
  'refused',
  'stuck',
  'max_steps_reached',
  'timeout',
  'sandbox_lost',
  'disk_full',
  'no_tests_found',
  'no_failing_test',
  'no_fix_found',
  'not_supported',
  'engine_error',
] as const satisfies EngineErrorCode[]

const repeat = z.int().min(1).max(REPEAT_MAX).optional()

const pieceMs = z.number().min(0).max(PIECE_MS_MAX).optional()

/** Items that name a status say how far the plan is; the others are still to be done. */
const planItem = z.union([
  z.string().min(1),
  z.strictObject({ text: z.string().min(1), status: z.enum(['pending', 'in_progress', 'done']) }),
])

const forms = {
  shell: z.strictObject({ shell: z.string().min(1), secrets: z.array(z.string()).optional(), repeat }),
  write: z.strictObject({ write: z.strictObject({ path: z.string().min(1), content: z.string() }), repeat }),
  read: z.strictObject({ read: z.string().min(1), repeat }),
  plan: z.strictObject({ plan: z.array(planItem).min(1), repeat }),
  think: z.strictObject({ think: z.string().min(1), repeat }),
  type: z.strictObject({
    type: z.union([
      z.strictObject({ thought: z.string().min(1), piece_ms: pieceMs }),
      z.strictObject({
        answer: z.string().min(1),
        piece_ms: pieceMs,
        title: z.string().optional(),
        body: z.string().optional(),
      }),
    ]),
    repeat,
  }),
  sleep_ms: z.strictObject({ sleep_ms: z.number().min(0).max(SLEEP_MS_MAX), repeat }),
  ask: z.strictObject({
    ask: z.strictObject({
      question: z.string().min(1),
      options: z.array(z.string().min(1)).optional(),
      kind: z.enum(['question', 'plan']).optional(),
    }),
    repeat,
  }),
  error: z.strictObject({ error: z.string().min(1), repeat }),
  fail: z.strictObject({ fail: z.strictObject({ code: z.enum(failures), message: z.string().min(1) }), repeat }),
  answer: z.strictObject({ answer: z.string(), title: z.string().optional(), body: z.string().optional(), repeat }),
}

export type ScriptStep = { [Name in keyof typeof forms]: z.infer<(typeof forms)[Name]> }[keyof typeof forms]

/** The script of this turn. Rejects a bad one with a message that says which step is wrong. */
export function readScript({ metadata, number }: Pick<Turn, 'metadata' | 'number'>): ScriptStep[] {
  const scripts = metadata?.['scripts']
  const isPerTurn = Array.isArray(scripts) && scripts.length > 0
  const index = isPerTurn ? Math.min(number, scripts.length) - 1 : 0
  const name = isPerTurn ? `metadata.scripts[${index}]` : 'metadata.script'
  const script = isPerTurn ? scripts[index] : metadata?.['script']
  if (!Array.isArray(script)) throw new EngineError('engine_error', `${name} must be an array of steps.`)
  return script.map((step, at) => readStep(step, `step ${at + 1} of ${name}`))
}

function readStep(step: unknown, where: string): ScriptStep {
  const names = Object.keys(typeof step === 'object' && step !== null ? step : {})
  const name = names.find((candidate): candidate is keyof typeof forms => Object.hasOwn(forms, candidate))
  if (!name) {
    throw new EngineError('engine_error', `${where} is none of ${Object.keys(forms).join(', ')}: ${show(step)}`)
  }
  const parsed = forms[name].safeParse(step)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || name}: ${message}`).join('; ')
  throw new EngineError('engine_error', `${where} is wrong: ${faults}`)
}

function show(step: unknown): string {
  return (JSON.stringify(step) ?? 'nothing').slice(0, 200)
}

import type { Entry, Image, Intent, Outcome, Past, Turn } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app.ts'
import type { Json, JsonObject } from '#base/json.ts'
import type { TurnFacts } from '#domain/runs/get-turn.ts'
import { finishStep } from '#domain/steps/finish-step.ts'
import { listPast, type PastItem } from '#domain/steps/list-past.ts'
import { startStep } from '#domain/steps/start-step.ts'
import { PauseWanted, type Holder } from '#domain/steps/step.ts'
import { takeMessages } from '#domain/steps/take-messages.ts'
import type { TurnLimits } from './limit-turn.ts'
import { RunFailure } from './run-failure.ts'
import { showProgress, type ShowProgress } from './show-progress.ts'
import { TurnStopped } from './turn-stopped.ts'

export type MakeTurn = {
  holder: Holder
  facts: TurnFacts
  branch: string
  baseBranch: string
  sandbox: Sandbox
  limits: TurnLimits
}

/** The turn as an engine sees it: everything it does goes through here into the database, before and after. */
export async function makeTurn(
  app: App,
  { holder, facts, branch, baseBranch, sandbox, limits }: MakeTurn,
): Promise<Turn> {
  const past = (await listPast(app.pool, holder)).flatMap(pastOf)
  const progress = showProgress(app, { runId: holder.runId, sandbox })
  return {
    organizationId: holder.organizationId,
    runId: holder.runId,
    number: holder.turn,
    prompt: facts.prompt,
    metadata: facts.metadata,
    rules: facts.rules,
    outputSchema: facts.outputSchema,
    readModel: async () => (await limits.readSettings()).model,
    repository: facts.repo ? { name: facts.repo.name, branch, baseBranch } : null,
    sandbox: progress.sandbox,
    signal: limits.signal,
    past,
    step: (intent, act, options) => durableStep(app, { holder, intent, act, limits, progress, ...options }),
    note: async (key, entries) => void (await durableNote(app, { holder, key, entries })),
    takeMessages: async () => {
      const messages = await takeMessages(app.pool, { holder, mask: app.mask })
      if (messages.length) app.announcer.announceRun(holder.runId)
      return messages
    },
    readImage: (image) => readImage(app, holder, image),
  }
}

type DurableStep<T extends Json> = {
  holder: Holder
  intent: Intent
  act: (signal: AbortSignal) => Promise<Outcome<T>>
  interrupted?: () => Outcome<T>
  limits: TurnLimits
  progress: ShowProgress
}

async function durableStep<T extends Json>(
  app: App,
  { holder, intent, act, interrupted, limits, progress }: DurableStep<T>,
): Promise<T> {
  const { signal } = limits
  signal.throwIfAborted()
  if (intent.kind === 'model') await limits.checkBudget()
  signal.throwIfAborted()
  const started = await startStep(app.pool, { holder, ...intent }).catch((error: unknown) => {
    if (error instanceof PauseWanted) limits.halt(new TurnStopped('paused'))
    signal.throwIfAborted()
    throw error
  })
  if (started.done) return started.response as T
  progress.begin(intent)
  const begun = performance.now()
  const outcome = started.isRepeated && interrupted ? interrupted() : await act(signal)
  progress.begin(null)
  // A command that was killed by the stop has an outcome too, but nobody is to see it.
  signal.throwIfAborted()
  const durationMs = performance.now() - begun
  const entries = outcome.entries.map((entry) => ({
    durationMs,
    ...(started.isRepeated && !interrupted ? repeated(entry) : entry),
  }))
  await finishStep(app.pool, {
    holder,
    step: started.step,
    response: outcome.response,
    entries,
    usage: outcome.usage,
    mask: app.mask,
  })
  app.announcer.announceRun(holder.runId)
  return outcome.response
}

async function readImage(app: App, { organizationId }: Holder, { sha256 }: Image): Promise<Buffer> {
  const bytes = await app.blobs.get({ organizationId, sha256 })
  if (!bytes) throw new RunFailure('image_lost', 'An image of this run is not stored any more.')
  return bytes
}

function repeated(entry: Entry): Entry {
  return entry.messageType === 'ACTION' ? { ...entry, toolOutput: { ...entry.toolOutput, repeated: true } } : entry
}

/** Log entries that come once whoever works at the run; also used by the worker itself. */
export async function durableNote(
  app: Pick<App, 'pool' | 'mask' | 'announcer'>,
  { holder, key, entries, response = null }: { holder: Holder; key: string; entries: Entry[]; response?: Json },
): Promise<Json> {
  const started = await startStep(app.pool, { holder, key, kind: 'note', request: {} })
  if (started.done) return started.response ?? null
  await finishStep(app.pool, { holder, step: started.step, response, entries, mask: app.mask })
  app.announcer.announceRun(holder.runId)
  return response
}

/** The key under which a turn's answer is stored, before its work is published. */
export const answerKey = (turn: number) => `t${turn}/answer`

function pastOf(item: PastItem): Past[] {
  if (item.type === 'message') return [{ type: 'message', turn: item.turn, text: item.text, images: item.images }]
  const { step } = item
  if (step.kind !== 'note') {
    const { key, kind, turn, request, response } = step
    return [{ type: 'step', turn, step: { key, kind, turn, request, response } }]
  }
  if (step.key !== answerKey(step.turn)) return []
  return [
    {
      type: 'turn_ended',
      turn: step.turn,
      result: ((step.response as JsonObject | undefined)?.['answer'] as string) ?? null,
    },
  ]
}

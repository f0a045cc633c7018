import type { App } from '#app/app.ts'
import { crashAt } from '#base/crash-points.ts'
import type { Entry } from '#base/entry.ts'
import type { Json } from '#base/json.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import type { TurnLimits } from './limit-turn.ts'
import { readyEntries } from './ready-entries.ts'

type DurableNote = {
  holder: Holder
  key: string
  entries: Entry[]
  response?: Json
  /** Whether it belongs to how the run ends, which is always told. */
  isTail?: boolean
  /** Where it is the engine's note. */
  limits?: TurnLimits
}

/** Log entries that come once whoever works at the run; also used by the worker itself. */
export async function durableNote(
  app: Pick<App, 'pool' | 'mask' | 'notifier' | 'blobs'>,
  { holder, key, entries: drafts, response = null, isTail = false, limits }: DurableNote,
): Promise<Json> {
  const started = await startStep(app.pool, { holder, key, kind: 'note', request: {} })
  if (started.done) return started.response ?? null
  limits?.countStep(started)
  limits?.signal.throwIfAborted()
  crashAt('note.begun')
  const entries = await readyEntries(app, { holder, at: String(started.step), entries: drafts })
  await finishStep(app.pool, { holder, step: started.step, response, entries, isTail, mask: app.mask })
  crashAt('note.stored')
  app.notifier.notifyRun(holder.runId)
  return response
}

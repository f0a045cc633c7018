import type { Answer } from '#adapters/engines/engine.ts'
import type { App } from '#app/app.ts'
import type { JsonObject } from '#base/json.ts'
import { listPushes } from '#domain/runs/effects/list-pushes.ts'
import { findFix } from '#domain/hosts/fixers/find-fix.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { durableNote } from '#worker/runs/turn/durable-note.ts'

export type TellFix = { holder: Holder; facts: TurnFacts; branch: string; answer: Answer }

/** Logs, where the turn was to fix checks and has pushed something, what it has pushed and what was wrong. */
export async function tellFix(
  app: Pick<App, 'blobs' | 'mask' | 'notifier' | 'pool'>,
  { holder, facts, branch, answer }: TellFix,
): Promise<void> {
  if (facts.entry?.messageType !== 'DETECT_PR_ERRORS') return
  const fix = await findFix(app.pool, holder)
  const pushes = await listPushes(app.pool, { ...holder, branch })
  const push = pushes.findLast(({ turn }) => turn === holder.turn)
  if (!fix || !push) return
  const thought = [...diagnosisOf(facts.entry.observation), ...(answer.thought ? [answer.thought] : [])].join('\n')
  const observation = { ...fix, commit: push.commit }
  await durableNote(app, {
    holder,
    key: `t${holder.turn}/fix`,
    entries: [{ messageType: 'FIX_PR_ERRORS', thought, observation }],
  })
}

type Detected = { checks: { name: string; verdict: string; conclusion: string | null }[]; conflicts_with?: string }

function diagnosisOf(detected: JsonObject | string): string[] {
  const { checks, conflicts_with: base } = detected as Detected
  return [
    ...(base === undefined ? [] : [`It conflicted with ${base}.`]),
    ...checks.map(
      ({ name, verdict, conclusion }) => `${name}: ${conclusion ?? 'failed'}, ${verdict.replaceAll('_', ' ')}.`,
    ),
  ]
}

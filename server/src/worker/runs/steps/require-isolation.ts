import type { App } from '#app/app.ts'
import { describeLack } from '#base/enforcement.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'
import { describeRefusal } from '#domain/runs/sandboxes/find-lacking-isolation.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'

/** Throws a `RunFailure` where this machine does not hold a sandbox's limits as the organization requires. */
export function requireIsolation(app: Pick<App, 'sandboxes'>, { sandboxRequire }: TurnFacts): void {
  const lack = describeLack(sandboxRequire, app.sandboxes.enforcement)
  if (lack) throw new RunFailure('sandbox_too_weak', describeRefusal(lack))
}

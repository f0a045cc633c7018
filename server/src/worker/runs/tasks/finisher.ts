import type { Answer } from '#adapters/engines/engine.ts'
import type { App } from '#app/app.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'
import type { RunTask } from '#domain/runs/run-task.ts'
import type { Holder } from '#domain/runs/holder.ts'
import type { Workspace } from '#worker/runs/steps/open-workspace.ts'

export type FinishTask<T extends RunTask = RunTask> = {
  holder: Holder
  facts: TurnFacts
  task: T
  /** Undefined where the engine needed none. */
  workspace: Workspace | undefined
  answer: Answer
  signal: AbortSignal
}

/** Makes of an engine's answer what the run is for. May be called again after a crash, and then does nothing twice. */
export type Finisher<T extends RunTask> = (app: App, options: FinishTask<T>) => Promise<void>

import type { Answer } from '#adapters/engines/engine.ts'
import type { App } from '#app.ts'
import type { TurnFacts } from '#domain/runs/get-turn.ts'
import type { RunTask } from '#domain/runs/run-task.ts'
import type { Holder } from '#domain/steps/step.ts'
import type { Workspace } from '#worker/steps/open-workspace.ts'

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
type Finisher<T extends RunTask> = (app: App, given: FinishTask<T>) => Promise<void>

const finishers: { [K in RunTask['kind']]?: Finisher<Extract<RunTask, { kind: K }>> } = {}

export async function finishTask(app: App, given: FinishTask): Promise<void> {
  const finish = finishers[given.task.kind] as Finisher<RunTask> | undefined
  if (!finish) throw new Error(`nothing finishes a run for ${given.task.kind}`)
  await finish(app, given)
}

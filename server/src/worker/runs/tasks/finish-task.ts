import type { App } from '#app/app.ts'
import type { RunTask } from '#domain/runs/run-task.ts'
import { finishCommitsReview } from './finish-commits-review.ts'
import { finishPullReview } from './finish-pull-review.ts'
import { finishSetup } from './finish-setup.ts'
import type { Finisher, FinishTask } from './finisher.ts'

const finishers: { [K in RunTask['kind']]: Finisher<Extract<RunTask, { kind: K }>> } = {
  // What explains them is the answer itself.
  analyze_logs: async () => {},
  review_pull: finishPullReview,
  review_commits: finishCommitsReview,
  find_setup: finishSetup,
  // Whether they pass is the end of the run itself.
  try_setup: async () => {},
}

export async function finishTask(app: App, options: FinishTask): Promise<void> {
  const finish = finishers[options.task.kind] as Finisher<RunTask>
  await finish(app, options)
}

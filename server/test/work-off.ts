import type { App } from '#app/app.ts'
import { jobKinds, type JobKind } from '#domain/hosts/jobs/job.ts'
import { jobTypes } from '#worker/hosts/jobs.ts'
import { JobRunner } from '#worker/jobs/job-runner.ts'

export type WorkOff = { kinds?: readonly JobKind[]; signal?: AbortSignal }

/** What an app that only answers requests lacks of a worker's. */
const none = 'none' as const
const lacking = {
  sandboxes: { enforcement: { memory: none, cpu: none, processes: none, disk: none, network: none, kill: none } },
  mask: (text: string) => text,
}

/** Does all jobs of these kinds that are due, and those that follow from them, as a worker would. Answers how many. */
export async function workOff(
  app: Partial<App>,
  { kinds = jobKinds, signal = new AbortController().signal }: WorkOff = {},
): Promise<number> {
  const types = Object.fromEntries(kinds.map((kind) => [kind, jobTypes[kind]]))
  await using jobs = new JobRunner({ ...lacking, ...app } as App, { types, workerId: null })
  let done = 0
  for (let begun = await jobs.begin(signal); begun; begun = await jobs.begin(signal)) {
    done += begun
    await jobs.ended()
  }
  return done
}

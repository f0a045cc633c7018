import type { Holder } from '#domain/runs/holder.ts'

/** Who works in a sandbox that is no run's, such as a check's. It is held until its row says that it has ended. */
export type SandboxHolder = { organizationId: number; repoId: number; sandboxId: number; leaseId: string }

/** Whoever a sandbox's proxy is opened for. */
export type ProxyHolder = Holder | SandboxHolder

export function isOfRun(holder: ProxyHolder): holder is Holder {
  return 'runId' in holder
}

/** The column that names it where something is recorded of runs and of sandboxes, and what it holds. */
export function recordedAs(holder: Pick<Holder, 'runId'> | Pick<SandboxHolder, 'sandboxId'>) {
  return 'runId' in holder
    ? ({ column: 'run_id', id: holder.runId } as const)
    : ({ column: 'sandbox_id', id: holder.sandboxId } as const)
}

import type { RunIds } from '#domain/runs/run.ts'

/** The page where people see a run. */
export function webUrl(publicUrl: string, { organizationId, runId }: RunIds): string {
  return `${publicUrl}/runs/${organizationId}/${runId}`
}

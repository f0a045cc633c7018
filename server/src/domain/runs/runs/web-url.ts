import type { RunIds } from '#domain/runs/run.ts'

/** The page where people see a run. */
export function webUrl(publicUrl: string, { organizationId, runId }: RunIds): string {
  return `${publicUrl}/runs/${organizationId}/${runId}`
}

/** The page where people see a comparison of runs. */
export function comparisonUrl(publicUrl: string, ids: { organizationId: number; comparisonId: number }): string {
  return `${publicUrl}/organizations/${ids.organizationId}/comparisons/${ids.comparisonId}`
}

import type { CheckAttempt } from '#domain/hosts/checks/list-stale-checks.ts'

/** Each attempt has a sandbox of its own, so that what an earlier one left can be removed while the next is at work. */
export function checkSandboxId({ organizationId, checkId, attempt }: CheckAttempt): string {
  return `check-${organizationId}-${checkId}-${attempt}`
}

/** Null for a sandbox of something else. */
export function readCheckSandboxId(id: string): CheckAttempt | null {
  const [, organizationId, checkId, attempt] = /^check-(\d+)-(\d+)-(\d+)$/.exec(id) ?? []
  if (attempt === undefined) return null
  return { organizationId: Number(organizationId), checkId: Number(checkId), attempt: Number(attempt) }
}

import type { HostCheck } from '#adapters/codehosts/code-host.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentCheck({
  key,
  name,
  app,
  status,
  conclusion,
  url,
  summary,
  ...check
}: HostCheck): Components['Check'] {
  return {
    key,
    name,
    app,
    status,
    conclusion,
    url,
    summary,
    has_log: check.hasLog,
    started_at: check.startedAt?.toISOString() ?? null,
    completed_at: check.completedAt?.toISOString() ?? null,
  }
}

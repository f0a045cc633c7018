import type { App } from '#app/app.ts'
import type { Run } from '#domain/runs/run.ts'
import { webUrl } from '#domain/runs/runs/web-url.ts'
import type { Components } from '#http/schemas/index.ts'

/** A run that works at setup commands, as its `SetupRun`. */
export function presentSetupRun({ publicUrl }: Pick<App, 'publicUrl'>, run: Run): Components['SetupRun'] {
  const { id, organizationId, status } = run
  return { agent_run_id: id, status, url: webUrl(publicUrl, { organizationId, runId: id }) }
}

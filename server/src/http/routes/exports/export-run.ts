import { getRun } from '#domain/runs/get-run.ts'
import { sendExport } from '#http/exports/send-export.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'

export const exportRunRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/export`,
  operationId: 'exportRun',
  tag: 'Runs',
  summary: 'Export a run',
  description:
    'Everything that is stored of the run, as a `.tar.gz`: a file of JSON lines for each table, its artifacts and images, and its own repository if it has one. The last file is `manifest.json`; without it the archive is cut off. Secrets are redacted.',
  policy: 'standard',
  access: 'read',
  params: RunParams,
  success: { status: 200, description: 'The archive.', mediaType: 'application/octet-stream' },
  errors: ['run_not_found'],
  handle: async ({ app, db, params, caller, request, reply }) => {
    const ids = { organizationId: params.org_id, runId: params.agent_run_id }
    const requireThere = async () => void (await getRun(db, ids))
    await requireThere()
    const subject = { kind: 'run', id: ids.runId, organizationIds: [ids.organizationId], requireThere } as const
    return sendExport(db, { app, caller, request, reply, subject, name: `run-${ids.runId}` })
  },
})

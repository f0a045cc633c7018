import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { readCheckLog } from '#domain/hosts/checks/read-check-log.ts'
import { getVerdict } from '#domain/hosts/comparisons/get-verdict.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { VerdictParams } from '#http/schemas/comparison.ts'

export const getVerdictLogRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/comparisons/:comparison_id/verdicts/:verdict_id/log`,
  operationId: 'getVerdictLog',
  tag: 'Comparisons',
  summary: 'Get what a judge printed',
  description: 'The last part of the log, or of the log so far if the judge is still running. Secrets are removed.',
  policy: 'standard',
  access: 'read',
  params: VerdictParams,
  success: { status: 200, description: 'The log.', mediaType: 'text/plain' },
  errors: ['comparison_not_found', 'verdict_not_found'],
  handle: async ({ app, db, params }) => {
    const organizationId = params.org_id
    const { comparison_id: comparisonId, verdict_id: verdictId } = params
    const check = await getVerdict(db, { organizationId, comparisonId, verdictId })
    const log = await readCheckLog(db, { ...check, blobs: app.blobs, bytesMax: limits.checkLogBytesMax })
    if (log === null) throw new AppError('verdict_not_found')
    return (await app.redactors.readRepo(check)).mask(log)
  },
})

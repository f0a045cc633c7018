import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { askHost } from '#http/input/ask-host.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Text } from '#http/schemas/fields.ts'

export const getPullCheckLogRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/prs/:pr_id/checks/:check_key/log`,
  operationId: 'getPullCheckLog',
  tag: 'Checks',
  summary: 'Get the log of a check of a pull request',
  description: 'The last part of the log, or of the log so far if the check is still running. Secrets are removed.',
  policy: 'standard',
  access: 'read',
  params: Type.Object({ org_id: Id, pr_id: Id, check_key: Text(500) }),
  success: { status: 200, description: 'The log.', mediaType: 'text/plain' },
  errors: ['pull_not_found', 'check_log_not_found'],
  handle: async ({ app, db, params }) => {
    const organizationId = params.org_id
    const { repoId, headCommit } = await getPull(db, { organizationId, pullId: params.pr_id })
    const repo = await getRepo(db, { organizationId, repoId })
    const log = await askHost('check_log_not_found', async () => {
      const { checks } = await app.hosts.forge(repo).listChecks(repo, headCommit)
      const check = checks.find(({ key }) => key === params.check_key)
      return check?.hasLog
        ? app.hosts.forge(repo).readCheckLog(repo, check, { bytesMax: limits.checkLogBytesMax })
        : null
    })
    if (log === null) throw new AppError('check_log_not_found')
    return (await app.redactors.readRepo({ organizationId, repoId })).mask(log)
  },
})

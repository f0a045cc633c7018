import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { reportCheck } from '#domain/hosts/checks/report-check.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { presentCheck } from '#http/present/present-check.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { CheckConclusion, CheckName, CheckStatus, CheckSummary } from '#http/schemas/check.ts'
import { Id, Nullable } from '#http/schemas/fields.ts'

export const reportCheckRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/repos/:repo_id/commits/:sha/checks`,
  operationId: 'reportCheck',
  tag: 'Checks',
  summary: 'Report a check from external CI',
  description:
    'For repositories on the built-in host. Report the same name again to update the check. Omitted fields are left unchanged until the check starts again. Secrets are removed from its texts.',
  policy: 'standard',
  access: 'push',
  params: Type.Object({ org_id: Id, repo_id: Id, sha: Type.String({ pattern: '^(?:[0-9a-f]{40}|[0-9a-f]{64})$' }) }),
  body: Type.Object({
    name: CheckName,
    status: CheckStatus,
    conclusion: Type.Optional(Nullable(CheckConclusion)),
    url: Type.Optional(
      Nullable(Type.String({ maxLength: 2_000, pattern: '^https?://', description: 'URL with more details.' })),
    ),
    summary: Type.Optional(Nullable(CheckSummary)),
    log: Type.Optional(
      Nullable(Type.String({ maxLength: limits.checkLogBytesMax, description: 'The last part of the output.' })),
    ),
  }),
  success: { status: 200, description: 'The check.', component: 'Check' },
  errors: ['repo_not_found', 'conflict'],
  handle: async ({ app, db, params, body }) => {
    const place = { organizationId: params.org_id, repoId: params.repo_id }
    requireConclusion(body)
    const { host } = await getRepo(db, place)
    if (host !== 'local')
      throw new AppError('conflict', { message: `The checks of this repository are reported to its host, ${host}.` })
    const { mask } = await app.redactors.readRepo(place)
    const { status, conclusion, url, summary, log } = body
    const check = await reportCheck(db, {
      ...place,
      commit: params.sha,
      key: `ci:${body.name}`,
      name: mask(body.name),
      app: 'ci',
      status,
      conclusion: conclusion ?? null,
      url: url ?? undefined,
      summary: summary == null ? undefined : mask(summary),
      log: log ? Buffer.from(mask(log)) : undefined,
      blobs: app.blobs,
    })
    return presentCheck(check)
  },
})

type Body = { status: string; conclusion?: string | null }

function requireConclusion({ status, conclusion }: Body): void {
  if ((status === 'completed') === Boolean(conclusion)) return
  const msg = status === 'completed' ? 'is required of what is completed' : 'is of what is completed alone'
  const detail = [{ loc: ['body', 'conclusion'], msg, type: 'value_error' }]
  throw new AppError('invalid_request', { message: `conclusion ${msg}.`, detail })
}

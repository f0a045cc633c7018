import { Type } from 'typebox'
import { listAuditEntries } from '#domain/accounts/audit/list-audit-entries.ts'
import { readTime } from '#http/input/read-time.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentAuditEntry } from '#http/present/present-audit-entry.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, OrganizationParams, pageFields, Time } from '#http/schemas/fields.ts'

export const listAuditEntriesRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/audit`,
  operationId: 'listAuditEntries',
  tag: 'Organizations',
  summary: 'List who changed what, newest first',
  description:
    'Requests that change members, tokens, settings, secrets, integrations, repositories and their configuration, that merge pull requests, and that delete runs, including those that failed after their sender was let in. Entries are kept for 400 days.',
  policy: 'standard',
  access: 'read_audit',
  params: OrganizationParams,
  query: Type.Object({
    ...pageFields,
    user_id: Type.Optional(Id),
    action: Type.Optional(Type.String({ maxLength: 100, description: 'Only this `operationId`.' })),
    from: Type.Optional(Type.String({ ...Time, description: 'From this time on.' })),
    to: Type.Optional(Type.String({ ...Time, description: 'Before this time.' })),
  }),
  success: { status: 200, description: 'A page of entries.', component: 'AuditEntryPage' },
  handle: async ({ db, params, query }) => {
    const { items, total } = await listAuditEntries(db, {
      organizationId: params.org_id,
      skip: query.skip,
      limit: query.limit,
      userId: query.user_id,
      action: query.action,
      from: readTime(['query', 'from'], query.from),
      to: readTime(['query', 'to'], query.to),
    })
    return pageOf({ items: items.map(presentAuditEntry), total }, query)
  },
})

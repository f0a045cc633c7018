import { getMe } from '#domain/accounts/users/get-me.ts'
import { listMemberships } from '#domain/accounts/members/list-memberships.ts'
import { sendExport } from '#http/exports/send-export.ts'
import { defineRoute } from '#http/pipeline/route.ts'

export const exportMeRoute = defineRoute({
  method: 'GET',
  path: '/v1/users/me/export',
  operationId: 'exportMe',
  tag: 'Users',
  summary: 'Export your account',
  description:
    'What is stored of you and what you wrote, in all organizations that the token can access, as a `.tar.gz`: your account, identities, tokens without their values, sessions, memberships, inbox, saved views, the prompts of your runs, messages, answers, issues, comments, reviews, usage and audit entries. The last file is `manifest.json`; without it the archive is cut off.',
  policy: 'standard',
  access: 'manage_profile',
  success: { status: 200, description: 'The archive.', mediaType: 'application/octet-stream' },
  handle: async ({ app, db, caller, request, reply }) => {
    const { userId, organizationId } = caller
    const requireThere = async () => void (await getMe(db, { userId, organizationId }))
    await requireThere()
    const organizationIds = await listMemberships(db, { userId, organizationId })
    const subject = { kind: 'user', id: userId, organizationIds, requireThere } as const
    return sendExport(db, { app, caller, request, reply, subject, name: `user-${userId}` })
  },
})

import { Type } from 'typebox'
import { createMember } from '#domain/accounts/members/create-member.ts'
import { roles } from '#domain/accounts/users/roles.ts'
import { presentUser } from '#http/present/present-user.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Nullable, OrganizationParams, Text, Word } from '#http/schemas/fields.ts'

export const createMemberRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/members`,
  operationId: 'createMember',
  tag: 'Organizations',
  summary: 'Add a member',
  policy: 'standard',
  access: 'manage_members',
  isInstanceWide: true,
  params: OrganizationParams,
  body: Type.Object({
    email: Type.Optional(
      Nullable(Type.String({ format: 'email', maxLength: 254, description: 'Omit for a service account.' })),
    ),
    full_name: Type.Optional(Nullable(Text(200))),
    role: Type.Optional(Nullable(Word(roles, { description: 'Default: `MEMBER`.' }))),
  }),
  success: { status: 201, description: 'The member.', component: 'User' },
  errors: ['conflict'],
  handle: async ({ db, params, body }) => {
    const member = await createMember(db, {
      organizationId: params.org_id,
      role: body.role ?? 'MEMBER',
      fullName: body.full_name ?? null,
      email: body.email ?? null,
    })
    return presentUser(member)
  },
})

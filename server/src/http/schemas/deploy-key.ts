import { Type } from 'typebox'
import { Component, Id, Nullable, PageOf, Text, Time } from './fields.ts'

const Title = Text(200, { description: 'What the key is for, such as the server that has it.' })
const CanPush = Type.Boolean({
  description:
    'Whether the key may push, under the same branch rules as members. Otherwise it only clones and fetches.',
})

export const RepoParams = Type.Object({ org_id: Id, repo_id: Id })
export const DeployKeyParams = Type.Object({ org_id: Id, repo_id: Id, deploy_key_id: Id })

export const NewDeployKey = Type.Object({
  title: Title,
  key: Text(16_384, {
    description: 'The line of a `.pub` file: an Ed25519 or ECDSA key, or an RSA key of at least 2048 bits.',
  }),
  can_push: Type.Optional(CanPush),
})

const DeployKeyBody = Component(
  'DeployKey',
  {
    id: Id,
    repo_id: Id,
    title: Title,
    key: Type.String({ description: 'The public key, without its comment.' }),
    fingerprint: Type.String({ description: 'As `ssh-keygen -l` prints it: `SHA256:` and 43 characters.' }),
    can_push: CanPush,
    created_by: Type.Integer({ ...Id, description: 'The user who added it.' }),
    created_at: Time,
    last_used_at: Nullable(Type.String({ format: 'date-time', description: 'Exact to the minute.' })),
  },
  { description: 'An SSH key that opens one repository on the built-in host.' },
)

export const deployKeyComponents = [DeployKeyBody, PageOf(DeployKeyBody)]

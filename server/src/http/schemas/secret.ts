import { Type } from 'typebox'
import { secretNamePattern } from '#base/secret-name.ts'
import { Id, PageOf, Time } from './fields.ts'

export const SecretName = Type.String({
  pattern: secretNamePattern.source,
  description: 'The environment variable that commands find it in.',
})

const named = { name: SecretName }
export const SecretParams = Type.Object({ org_id: Id, ...named })
export const RepoSecretsParams = Type.Object({ org_id: Id, repo_id: Id })
export const RepoSecretParams = Type.Object({ org_id: Id, repo_id: Id, ...named })

export const NewSecret = Type.Object({
  value: Type.String({
    description: 'At least 8 bytes, and 5 different ones; at most 16 KiB. No answer ever shows it.',
  }),
})

const SecretBody = Type.Object({ ...named, created_at: Time, updated_at: Time }, { $id: 'Secret', title: 'Secret' })

export const secretComponents = [SecretBody, PageOf('Secret')]

import { Type } from 'typebox'
import { secretNamePattern } from '#base/secrets/secret-name.ts'
import { Component, Id, PageOf, Time } from './fields.ts'

export const SecretName = Type.String({
  pattern: secretNamePattern.source,
  description: 'Name of the environment variable that holds the secret.',
})

const named = { name: SecretName }
export const SecretParams = Type.Object({ org_id: Id, ...named })
export const RepoSecretsParams = Type.Object({ org_id: Id, repo_id: Id })
export const RepoSecretParams = Type.Object({ org_id: Id, repo_id: Id, ...named })

export const NewSecret = Type.Object({
  value: Type.String({
    description: '8 bytes to 16 KiB, with at least 5 different bytes. No response ever shows the value.',
  }),
})

const SecretBody = Component('Secret', { ...named, created_at: Time, updated_at: Time })

export const secretComponents = [SecretBody, PageOf(SecretBody)]

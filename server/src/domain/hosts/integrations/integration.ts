import type { ConnectionCheck, ConnectionCheckName } from '#base/hosts/connection-check.ts'
import type { Json } from '#base/json.ts'

export const integrationKinds = ['github'] as const
export type IntegrationKind = (typeof integrationKinds)[number]

/** A code host elsewhere that an organization has connected. */
export type Integration = {
  organizationId: number
  id: number
  /** Part of the address that the host sends its events to. */
  key: string
  kind: IntegrationKind
  active: boolean
  /** Where its API is; null: at its maker's own. */
  baseUrl: string | null
  /** Of an App; null for a token. */
  appId: number | null
  /** Null for a token, and for an App that is installed nowhere yet. */
  installationId: number | null
  /** Whose repositories they are. */
  account: string | null
  /** Who we are there. */
  botId: string | null
  botLogin: string | null
  createdBy: number | null
  createdAt: Date
  updatedAt: Date
  /** What went wrong the last time, in words for people. */
  problem: string | null
  syncedAt: Date | null
  /** Why its host does not let us in for now, where it does not: its repositories are not connected for as long. */
  halted: 'suspended' | 'uninstalled' | null
  /** What the webhook of an App was last given; null where that is not known. */
  hookDigest: string | null
  /** What was found the last time. */
  checks: Partial<Record<ConnectionCheckName, Omit<ConnectionCheck, 'name'>>>
}

/** What an integration is opened with: a token, or an App's private key; and what its host signs its events with. */
export type Credentials = {
  token?: string
  privateKey?: string
  /** The newest first; during a rotation the one before is good too. */
  webhookSecrets: string[]
}

/** What a statement selects to get an `Integration`. */
export const integrationColumns = `organization_id, id, key, kind, active, base_url,
  app_id, installation_id, account, bot_id, bot_login,
  created_by, created_at, updated_at, problem, synced_at, halted, hook_digest, checks`

/** What its credentials are sealed for. */
export function integrationPlace({ organizationId, id }: { organizationId: number; id: number }): Json {
  return ['integration', organizationId, id]
}

/** As they are stored. */
export function checksByName(checks: readonly ConnectionCheck[]): string {
  return JSON.stringify(Object.fromEntries(checks.map(({ name, ...check }) => [name, check])))
}

import type { OpenIntegration } from './open-integration.ts'

/** An integration as adapters of code hosts take it. */
export type Connection = {
  organizationId: number
  integrationId: number
  baseUrl: string | null
  installationId: number | null
  bot: { id: string; login: string } | null
  credentials: { token: string } | { appId: number; privateKey: string }
}

export function connectionOf(integration: OpenIntegration): Connection {
  const { organizationId, id, baseUrl, appId, installationId, botId, botLogin, credentials } = integration
  const { token, privateKey } = credentials
  if (token === undefined && (appId === null || privateKey === undefined))
    throw new Error(`integration ${id} has no credentials`)
  return {
    organizationId,
    integrationId: id,
    baseUrl,
    installationId,
    bot: botId !== null && botLogin !== null ? { id: botId, login: botLogin } : null,
    credentials: token === undefined ? { appId: appId as number, privateKey: privateKey as string } : { token },
  }
}

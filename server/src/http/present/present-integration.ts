import type { Integration } from '#domain/hosts/integrations/integration.ts'
import { webhookUrl } from '#domain/hosts/integrations/webhook-url.ts'
import type { Components } from '#http/schemas/index.ts'

/** The built-in code host, which every organization has. */
export const builtInIntegration: Components['Integration'] = {
  id: null,
  integration_type: 'local',
  active: true,
  token_id: null,
  installation_id: null,
  metadata: {},
  app_id: null,
  base_url: null,
  account: null,
  bot_login: null,
  webhook_url: null,
  problem: null,
  synced_at: null,
  created_at: null,
}

export function presentIntegration(integration: Integration, publicUrl: string): Components['Integration'] {
  return {
    id: integration.id,
    integration_type: integration.kind,
    active: integration.active,
    token_id: null,
    installation_id: integration.installationId,
    metadata: {},
    app_id: integration.appId,
    base_url: integration.baseUrl,
    account: integration.account,
    bot_login: integration.botLogin,
    webhook_url: webhookUrl(publicUrl, integration),
    problem: integration.problem,
    synced_at: integration.syncedAt?.toISOString() ?? null,
    created_at: integration.createdAt.toISOString(),
  }
}

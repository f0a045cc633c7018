import type { Health } from '#domain/hosts/integrations/get-health.ts'
import type { Components } from '#http/schemas/index.ts'
import { presentIntegration } from './present-integration.ts'

export function presentHealth(
  { integration, status, checks }: Health,
  publicUrl: string,
): Components['IntegrationHealth'] {
  return {
    integration: presentIntegration(integration, publicUrl),
    status,
    checks: checks.map(({ at, ...check }) => ({ ...check, at: at?.toISOString() ?? null })),
  }
}

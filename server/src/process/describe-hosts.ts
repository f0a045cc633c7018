import type pg from 'pg'
import { getHealth, type Health } from '#domain/hosts/integrations/get-health.ts'
import { listEveryIntegration } from '#domain/hosts/integrations/list-every-integration.ts'

const shownMax = 200

/** How the connections to code hosts stand, as far as the database says. */
export async function describeHosts(pool: pg.Pool, publicUrl: string): Promise<string[]> {
  const lines: string[] = []
  for (const ids of await listEveryIntegration(pool, { limit: shownMax }))
    lines.push(...linesOf(await getHealth(pool, { ...ids, publicUrl })))
  return lines.length ? lines : ['Code hosts: none is connected']
}

function linesOf({ integration, status, checks }: Health): string[] {
  const { organizationId, id, kind, baseUrl, account } = integration
  const at = baseUrl === null ? kind : new URL(baseUrl).host
  return [
    `Code host ${at}${account === null ? '' : `/${account}`} (organization ${organizationId}, integration ${id}): ${status}`,
    ...checks.map(
      ({ name, status, message, at }) => `  ${name}: ${status}: ${message}${at ? ` (${at.toISOString()})` : ''}`,
    ),
  ]
}

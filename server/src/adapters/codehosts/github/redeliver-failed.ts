import type { RemoteHost } from '#adapters/codehosts/remote-host.ts'
import { codeHostLimits } from '#adapters/codehosts/limits.ts'
import type { Ask, GitHubClient } from './client.ts'

/** Of an App, whose deliveries GitHub keeps for some days. */
export function openRedeliveries(client: GitHubClient): Pick<RemoteHost, 'redeliverFailed'> {
  return {
    redeliverFailed: async (connection, since) => {
      if ('token' in connection.credentials) return 0
      const ask = client.askAsApp(connection)
      const recent = await listDeliveries(ask, since)
      const arrived = new Set(recent.filter(({ code }) => code >= 200 && code < 300).map(({ guid }) => guid))
      const failed = new Map(recent.filter(({ guid }) => !arrived.has(guid)).map(({ guid, id }) => [guid, id]))
      // The oldest first.
      const again = [...failed.values()].toReversed().slice(0, codeHostLimits.hostRedeliveredMax)
      for (const id of again) await ask('POST /app/hook/deliveries/{delivery_id}/attempts', { delivery_id: id })
      return again.length
    },
  }
}

type Delivery = { id: number; guid: string; code: number }

/** The newest first. Their pages have no numbers: each names where the next one begins. */
async function listDeliveries(ask: Ask, since: Date): Promise<Delivery[]> {
  const found: Delivery[] = []
  let cursor: string | null = null
  for (let page = 1; page <= codeHostLimits.hostPagesMax; page++) {
    const { data, headers } = await ask('GET /app/hook/deliveries', {
      per_page: 100,
      ...(cursor !== null && { cursor }),
    })
    const recent = data.filter(({ delivered_at: at }) => new Date(at) >= since)
    found.push(...recent.map(({ id, guid, status_code: code }) => ({ id: Number(id), guid, code })))
    cursor = cursorIn(headers.link ?? '')
    if (cursor === null || recent.length < data.length) break
  }
  return found
}

/** Of the next page, in a `Link` header. */
function cursorIn(link: string): string | null {
  const next = link.split(',').find((each) => each.includes('rel="next"')) ?? ''
  const address = next.slice(next.indexOf('<') + 1, next.indexOf('>'))
  return URL.canParse(address) ? new URL(address).searchParams.get('cursor') : null
}

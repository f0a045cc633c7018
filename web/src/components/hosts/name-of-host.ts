import type { Integration } from '@runwright/sdk'

/** Where it is, and whose repositories they are. */
export function nameOfHost({ base_url: baseUrl, account }: Integration): string {
  const host = baseUrl && URL.canParse(baseUrl) ? new URL(baseUrl).host : 'github.com'
  return account ? `${host}/${account}` : host
}

import { trimTrailing } from '#base/text/trim-trailing.ts'

/** Where a host sends what happens there. */
export function webhookUrl(publicUrl: string, { key }: { key: string }): string {
  return `${trimTrailing(publicUrl, '/')}/webhooks/${key}`
}

/** GitHub sends nothing to an address without encryption. */
export const isReachable = (webhookUrl: string): boolean => webhookUrl.startsWith('https:')

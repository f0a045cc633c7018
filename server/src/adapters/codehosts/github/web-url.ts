import { trimTrailing } from '#base/text/trim-trailing.ts'

/** Where people and git find what the API tells of. */
export function webUrl(baseUrl: string | null): string {
  return baseUrl === null ? 'https://github.com' : trimTrailing(baseUrl, '/').replace(/\/api\/v3$/, '')
}

/** Where people and git find what the API tells of. */
export function webUrl(baseUrl: string | null): string {
  return baseUrl === null ? 'https://github.com' : baseUrl.replace(/\/+$/, '').replace(/\/api\/v3$/, '')
}

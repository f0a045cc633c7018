import { webUrl } from './web-url.ts'

type Shown = { slug?: string; owner: object } | null

/** Where an App's owner says what it asks for: `https://github.com/organizations/acme/settings/apps/runwright`. */
export function appSettings(app: Shown, baseUrl: string | null): string {
  const owner = (app?.owner ?? {}) as { login?: string; type?: string }
  const at = owner.type === 'Organization' ? `/organizations/${owner.login}` : ''
  return `${webUrl(baseUrl)}${at}/settings/apps/${app?.slug ?? ''}`
}

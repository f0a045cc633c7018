import { splitHosts } from '#base/network/database-hosts.ts'
import type { Environment } from '#base/config/open-reader.ts'
import { settingKinds, type SettingKind } from '#base/config/setting-kinds.ts'

/** Every setting by its name, as far as people who help may see it. */
export function describeSettings(env: Environment): Record<string, string> {
  const names = Object.keys(settingKinds).sort()
  return Object.fromEntries(names.map((name) => [name, describe(env[name]?.trim(), settingKinds[name]!)]))
}

function describe(value: string | undefined, kind: SettingKind): string {
  if (!value) return 'not set'
  if (kind === 'presence') return 'set'
  return kind === 'value' ? value : splitHosts(value).map(withoutCredentials).join(', ')
}

/** Without user, password, query and fragment. */
function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return 'set'
  const { protocol, host, pathname } = new URL(text)
  // A password that is not encoded may have ended up there.
  if (pathname.includes('@')) return 'set'
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}

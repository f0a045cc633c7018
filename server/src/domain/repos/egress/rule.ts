import { getPublicSuffix } from 'tldts'
import { parseHostName } from '#base/network/host-name.ts'

/** One name that may be reached. */
export type Rule = {
  name: string
  /** All names below it, and not itself. */
  isWildcard: boolean
  /** Null: 443 and 80. */
  port: number | null
}

const form = /^(\*\.)?([^*:]*)(?::(\d{1,5}))?$/
const portsOfAll = [443, 80]

/** Reads `example.com`, `*.example.com`, `example.com:8443`; answers what is wrong with it instead, in words. */
export function parseRule(text: string): Rule | string {
  if (text.includes('/')) return 'is an address of the web: name the host alone, such as "example.com"'
  const [, star, host = '', digits] = form.exec(text) ?? []
  const name = parseHostName(host)
  if (name === undefined)
    return /^[\d.]+$|:.*:/.test(text)
      ? 'is an address: hosts are allowed by name'
      : 'is no name of a host; write "example.com", "*.example.com" or "example.com:8443"'
  if (star && !name.includes('.')) return 'allows too much: after "*." stand at least two parts, as in "*.example.com"'
  if (star && isSuffixOfMany(name))
    return `allows too much: anybody can have a name below ${name}; name the part that is meant, as in "*.example.${name}"`
  const port = digits === undefined ? null : Number(digits)
  if (port !== null && (port < 1 || port > 65_535)) return 'names a port that does not exist'
  return { name, isWildcard: star !== undefined, port }
}

/** Whether names below it belong to whoever registers one, as below `co.uk` and `github.io`, by the public suffix list. */
function isSuffixOfMany(name: string): boolean {
  const isSuffix = (one: string) => getPublicSuffix(one, { allowPrivateDomains: true }) === one
  return isSuffix(name) || isSuffix(`any.${name}`)
}

export function ruleText({ name, isWildcard, port }: Rule): string {
  return `${isWildcard ? '*.' : ''}${name}${port === null ? '' : `:${port}`}`
}

/** Whether a name may be reached at a port; where it may not, what stands in the way. */
export function checkRules(
  rules: readonly Rule[],
  { name, port }: { name: string; port: number },
): 'allowed' | 'not_allowed' | 'port_not_allowed' {
  const named = rules.filter((rule) => (rule.isWildcard ? name.endsWith(`.${rule.name}`) : name === rule.name))
  if (named.length === 0) return 'not_allowed'
  const isOpen = named.some((rule) => (rule.port === null ? portsOfAll.includes(port) : rule.port === port))
  return isOpen ? 'allowed' : 'port_not_allowed'
}

import { parseRule } from './rule.ts'

/** What programs of one kind fetch from. */
export const presets = {
  npm: ['registry.npmjs.org', 'registry.yarnpkg.com'],
  pypi: ['pypi.org', 'files.pythonhosted.org'],
  crates: ['crates.io', 'index.crates.io', 'static.crates.io'],
  go: ['proxy.golang.org', 'sum.golang.org'],
  debian: ['deb.debian.org', 'security.debian.org'],
  github: [
    'github.com',
    'api.github.com',
    'codeload.github.com',
    'objects.githubusercontent.com',
    'raw.githubusercontent.com',
    'release-assets.githubusercontent.com',
  ],
} as const satisfies Record<string, readonly string[]>

export type Preset = keyof typeof presets
export const presetNames = Object.keys(presets) as Preset[]

/** What an organization, or a repository besides it, lets its sandboxes reach. */
export type Egress = {
  /** `example.com`, `*.example.com` for all below it, either with `:port`. */
  allow: string[]
  presets: Preset[]
}

/** Whose: an organization's, or, with `repoId`, that of one of its repositories. */
export type EgressPlace = { organizationId: number; repoId: number | null }

/** Why a request did not come through, in a sentence that its program shows. */
export const egressReasons = {
  not_allowed: 'This name is not among those that the organization or the repository allows.',
  port_not_allowed: 'Ports other than 443 and 80 have to be allowed with the name.',
  address_literal: 'Addresses cannot be reached, only names.',
  malformed_name: 'This is no name of a host.',
  not_found: 'This name was not found.',
  private_address: 'This name leads to an address that is not of the public internet.',
  not_plain_http: 'Only http:// is forwarded; all else is tunnelled with CONNECT.',
  credentials_in_url: 'The address must not hold credentials.',
  host_mismatch: 'The Host header names another host than the address.',
  unclear_length: 'The length of the body is not said in a way that everybody reads alike.',
  not_tls: 'A tunnel must begin with TLS.',
  server_name_missing: 'TLS must name the server that the tunnel was asked for.',
  server_name_mismatch: 'TLS names another server than the tunnel was asked for.',
  encrypted_client_hello: 'TLS must name the server in the clear, without an encrypted hello.',
  run_not_held: 'The run is not at work here any more.',
  unreachable: 'The host could not be connected to.',
} as const

export type EgressReason = keyof typeof egressReasons

export type EgressRequest = {
  /** As it was asked for, where that was no name. */
  name: string
  port: number
  isAllowed: boolean
  /** Why it was refused; of an allowed one, why it failed all the same. */
  reason: EgressReason | null
}

/**
 * Everything that it lets through, in order, each once. A preset of a newer version of the service lets nothing through, nor
 * does what was allowed by an older one and is too much today.
 */
export function namesOf({ allow, presets: chosen }: Egress): string[] {
  const known = chosen.filter((preset) => presetNames.includes(preset))
  const names = [...allow, ...known.flatMap((preset) => presets[preset])]
  return [...new Set(names)].filter((name) => typeof parseRule(name) !== 'string').sort()
}

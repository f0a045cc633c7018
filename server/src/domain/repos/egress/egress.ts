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
  not_allowed: 'Neither the organization nor the repository allows this host.',
  port_not_allowed: 'A port other than 443 and 80 must be allowed together with its host.',
  address_literal: 'IP addresses are not allowed. Use a host name.',
  malformed_name: 'This is not a valid host name.',
  not_found: 'This host name was not found.',
  private_address: 'This host name resolves to an address outside the public internet.',
  not_plain_http: 'Only http:// is forwarded. Use CONNECT for everything else.',
  credentials_in_url: 'The URL must not contain credentials.',
  host_mismatch: 'The Host header does not match the host of the URL.',
  unclear_length: 'The length of the body is ambiguous.',
  not_tls: 'A tunnel must begin with TLS.',
  server_name_missing: 'TLS must name the server that the tunnel was requested for.',
  server_name_mismatch: 'TLS names a different server than the tunnel was requested for.',
  encrypted_client_hello: 'TLS must name the server in plain text, without Encrypted Client Hello.',
  run_not_held: 'The run is no longer in progress here.',
  unreachable: 'Could not connect to the host.',
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

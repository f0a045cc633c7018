import { isIPv6, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Asker, Lookup } from './names.ts'
import { isPublicAddress } from './public-address.ts'

export type ResolveHost = {
  /** A name, or an address without brackets. */
  host: string
  port: number
  /** Hosts that may be dialled though they are not public, as `name`, `name:port`, `address` or `[address]:port`. */
  privateHosts: readonly string[]
  /** Whose share of lookups it takes. */
  asker: Asker
  lookup: Lookup
}

/** Why a host may not be dialled. */
export class HostRefused extends Error {
  override readonly name = 'HostRefused'
  readonly why: 'not_found' | 'not_public'
  constructor(host: string, why: HostRefused['why'], cause?: unknown) {
    super(`${host} ${why === 'not_found' ? 'was not found' : 'is not a host of the public internet'}`, { cause })
    this.why = why
  }
}

/**
 * The addresses of a host that somebody else has named. Whoever dials out for others asks here, and dials one of these: a
 * name that is looked up again may by then mean another machine (`dialOnly` keeps Node to them). One address that is not
 * public refuses the host, since which of several is dialled must not matter. Rejects with `HostRefused`.
 */
export async function resolveHost({
  host,
  port,
  privateHosts,
  asker,
  lookup,
}: ResolveHost): Promise<[string, ...string[]]> {
  const [first, ...others] = await lookup(host, asker).catch((error: unknown) => {
    throw new HostRefused(host, 'not_found', error)
  })
  if (first === undefined) throw new HostRefused(host, 'not_found')
  const bracketed = isIPv6(host) ? `[${host}]` : host
  const names = [host, bracketed, `${bracketed}:${port}`].map((name) => name.toLowerCase())
  const isNamed = privateHosts.some((name) => names.includes(name.toLowerCase()))
  const own = ownAddresses()
  if (!isNamed && ![first, ...others].every((address) => isPublicAddress(address) && !own.has(address)))
    throw new HostRefused(host, 'not_public')
  return [first, ...others]
}

/** For `lookup` of Node's connections: whatever name they are given, they find these addresses. */
export function dialOnly(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_name, { all }, tell) => {
    if (all) tell(null, found)
    else tell(null, found[0]!.address, found[0]!.family)
  }
}

/** A public address of this machine leads to what listens here, past what keeps others out. */
function ownAddresses(): Set<string> {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return new Set(interfaces.map(({ address }) => address.split('%')[0]!))
}

import { isIP, isIPv6 } from 'node:net'
import { parseWholeNumber } from '#base/ids.ts'

export type Listen = { host: string; port: number }

/** Without an address: this machine alone. */
export function parseListen(text: string): Listen | undefined {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):)?(\d+)$/.exec(text) ?? []
  const port = parseWholeNumber(digits)
  return port === undefined || port > 65_535 ? undefined : { host: host.replace(/^\[|\]$/g, ''), port }
}

/** As `Resolver` takes them. */
export function isNameServer(text: string): boolean {
  if (isIP(text)) return true
  const { host = '', port = 0 } = parseListen(text) ?? {}
  return isIP(host) !== 0 && text.startsWith('[') === isIPv6(host) && port > 0
}

/** An address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const most = isIPv6(address) ? 128 : 32
  return isIP(address) !== 0 && !more.length && (bits === undefined || (parseWholeNumber(bits) ?? most + 1) <= most)
}

export const isHostName = (text: string) => /^[A-Za-z0-9._:[\]-]+$/.test(text)

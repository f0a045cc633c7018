import { isIPv6 } from 'node:net'

/** By what addresses are told apart: whoever has one address of IPv6 has all of its network. */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%')
  const plain = /^::ffff:([\d.]{7,15})$/i.exec(bare)?.[1] ?? bare
  if (!isIPv6(plain)) return plain
  const [front = '', back] = plain.split('::')
  const groups = front.split(':').filter(Boolean)
  const missing = back === undefined ? 0 : 8 - groups.length - back.split(':').filter(Boolean).length
  const all = [...groups, ...Array<string>(missing).fill('0'), ...(back ?? '').split(':')]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16))
    .join(':')
}

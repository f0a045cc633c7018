import { BlockList, isIPv6 } from 'node:net'

/** Whether an address is one of the public internet: not of this machine, its networks or its cloud's insides. */
export function isPublicAddress(address: string): boolean {
  const plain = address.split('%')[0] as string
  if (!isIPv6(plain)) return !insideV4().check(plain, 'ipv4')
  // Everything public is in 2000::/3 as yet; the rest is local, mapped, multicast, or reserved.
  const outside = new BlockList()
  outside.addSubnet('2000::', 3, 'ipv6')
  return outside.check(plain, 'ipv6') && !insideV6().check(plain, 'ipv6')
}

function insideV4(): BlockList {
  const inside = new BlockList()
  const networks: [string, number][] = [
    ['0.0.0.0', 8], // this machine
    ['10.0.0.0', 8],
    ['100.64.0.0', 10], // carriers' networks
    ['127.0.0.0', 8],
    ['168.63.129.16', 32], // a cloud's insides, at an address that looks public
    ['169.254.0.0', 16], // link-local, among it clouds' metadata
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4], // multicast
    ['240.0.0.0', 4],
  ]
  for (const [network, bits] of networks) inside.addSubnet(network, bits, 'ipv4')
  return inside
}

/** Within 2000::/3: documentation, and tunnels that carry an IPv4 address of any kind inside. */
function insideV6(): BlockList {
  const inside = new BlockList()
  const networks: [string, number][] = [
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ]
  for (const [network, bits] of networks) inside.addSubnet(network, bits, 'ipv6')
  return inside
}

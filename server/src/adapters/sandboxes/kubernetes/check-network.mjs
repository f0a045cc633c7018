/**
 * Runs in a sandbox's Pod before the agent, in the same network: ends with 0 once none of the addresses that it is given can be
 * connected to. Some plugins enforce a NetworkPolicy seconds after a Pod has begun, and some never.
 */
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const CONNECT_MS_MAX = 1_500
const ENFORCED_MS_MAX = 30_000
const PAUSE_MS = 500

/** @param {string} address `host:port` */
function canReach(address) {
  const at = address.lastIndexOf(':')
  const host = address.slice(0, at).replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = net.connect({ host, port: Number(address.slice(at + 1)) })
    const end = (isReached) => {
      socket.destroy()
      resolve(isReached)
    }
    socket.on('connect', () => end(true)).on('error', () => end(false))
    setTimeout(() => end(false), CONNECT_MS_MAX).unref()
  })
}

const deadline = Date.now() + ENFORCED_MS_MAX
let reached = process.argv.slice(2)
while (reached.length > 0 && Date.now() < deadline) {
  const found = await Promise.all(
    process.argv.slice(2).map(async (address) => ((await canReach(address)) ? [address] : [])),
  )
  reached = found.flat()
  if (reached.length > 0) await delay(PAUSE_MS)
}
if (reached.length > 0) {
  process.stderr.write(`commands in it could reach ${reached.join(', ')}`)
  process.exit(1)
}

/**
 * Runs inside a sandbox, by its Node, and fetches one page with what the sandbox may reach: through the proxy that its
 * environment names. Takes what is asked as one JSON argument. The body goes to stdout; one line of JSON on stderr says what it is.
 */
import http from 'node:http'
import https from 'node:https'
import { pipeline } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import zlib from 'node:zlib'

const REDIRECT_STATUSES = [301, 302, 303, 307, 308]
const INSIDE = ['localhost', '127.0.0.1', '[::1]']

const { url: asked, bytesMax, timeMs, redirectsMax } = JSON.parse(process.argv[1])
const timeout = AbortSignal.timeout(timeMs)
const hosts = []

async function fetchPage() {
  let url = new URL(asked)
  const isOfInside = INSIDE.includes(url.hostname)
  for (let hop = 0; ; hop++) {
    hosts.push(url.hostname)
    const response = await get(url)
    const { statusCode: status } = response
    const { location } = response.headers
    if (!REDIRECT_STATUSES.includes(status) || location === undefined) return read(url, response)
    response.destroy()
    if (hop >= redirectsMax) return { fault: `more than ${redirectsMax} redirects` }
    const next = URL.parse(location, url)
    if (!next) return { fault: 'a redirect to what is no address' }
    if (next.protocol !== 'http:' && next.protocol !== 'https:')
      return { fault: `a redirect to ${next.protocol}, and only http and https are fetched` }
    // What runs in the sandbox is for the agent, and not for whoever writes a page elsewhere.
    if (INSIDE.includes(next.hostname) && !isOfInside) return { fault: 'a redirect to the sandbox itself' }
    next.username = next.password = next.hash = ''
    url = next
  }
}

/** Not with `fetch`, which asks the proxy for a tunnel even where nothing is encrypted. */
function get(url) {
  const { request } = url.protocol === 'https:' ? https : http
  const headers = {
    'user-agent': 'Runwright',
    accept: 'text/html, text/*;q=0.9, */*;q=0.8',
    'accept-encoding': 'gzip, br',
  }
  return new Promise((resolve, reject) => {
    request(url, { signal: timeout, headers }, resolve).on('error', reject).end()
  })
}

const unpackers = {
  gzip: () => zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH }),
  br: () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
}
unpackers['x-gzip'] = unpackers.gzip

async function read(url, response) {
  const { statusCode: status, statusMessage: statusText, headers } = response
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  const isPlain = encoding === '' || encoding === 'identity'
  if (!isPlain && !Object.hasOwn(unpackers, encoding)) return { fault: `an answer that is packed as ${encoding}` }
  // Whatever goes wrong in it is heard where it is read.
  const body = isPlain ? response : pipeline(response, unpackers[encoding](), () => {})
  const head = { url: url.href, status, statusText, type: headers['content-type'] ?? '' }
  const pieces = []
  let bytes = 0
  let cut = null
  try {
    for await (const piece of body) {
      pieces.push(piece.subarray(0, bytesMax - bytes))
      bytes += piece.length
      if (bytes <= bytesMax) continue
      cut = 'size'
      break
    }
  } catch (error) {
    if (bytes === 0) throw error
    cut = timeout.aborted ? 'time' : 'connection'
  }
  return { ...head, cut, body: Buffer.concat(pieces) }
}

function reasonOf(error) {
  if (timeout.aborted) return `no answer within ${timeMs / 1000} s`
  const parts = []
  for (let each = error; each && parts.length < 4; each = each.cause) parts.push(each.message || each.code)
  return parts.filter(Boolean).join(': ') || 'the connection failed'
}

const { body, ...head } = await fetchPage().catch((error) => ({ fault: reasonOf(error) }))
if (body) process.stdout.write(body)
process.stderr.write(`${JSON.stringify({ ...head, hosts })}\n`)
// A body that never ends would keep the process.
await Promise.race([new Promise((resolve) => process.stdout.write('', resolve)), delay(30_000)])
process.exit()

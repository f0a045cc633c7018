export type JsonBounds = { depthMax: number; valuesMax: number }
export type JsonExcess = 'depth' | 'values'

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c]

/**
 * Whether JSON, still as bytes, is nested deeper or made of more values than may be: what takes kilobytes packed may take
 * gigabytes parsed. One look at each byte; whether it is JSON at all is not looked at.
 */
export function scanJson(bytes: Uint8Array, { depthMax, valuesMax }: JsonBounds): JsonExcess | undefined {
  let depth = 0
  let values = 0
  let isText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === OPEN || byte === OPEN_LIST) {
      if (++depth > depthMax) return 'depth'
      if (++values > valuesMax) return 'values'
    } else if (byte === CLOSE || byte === CLOSE_LIST) depth--
    else if (byte === COMMA && ++values > valuesMax) return 'values'
  }
  return undefined
}

import { randomBytes } from 'node:crypto'

/** A request's place in the trace of whoever sent it (W3C Trace Context). */
export type Trace = { traceId: string; spanId: string; flags: string }

/** Read from `traceparent`; undefined where there is none, or none that can be gone on with. */
export function readTrace(header: string | string[] | undefined): Trace | undefined {
  if (typeof header !== 'string') return undefined
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header)
  if (!parts) return undefined
  const [, version, traceId = '', parentId = '', flags = '', more] = parts
  const isUnknown = version === 'ff' || (version === '00' && more !== undefined)
  if (isUnknown || /^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined
  return { traceId, spanId: randomBytes(8).toString('hex'), flags }
}

/** Told to the sender, as the header `traceresponse`. */
export function traceText({ traceId, spanId, flags }: Trace): string {
  return `00-${traceId}-${spanId}-${flags}`
}

/** A place in a trace (W3C Trace Context): the span that what is done now is a part of. */
export type TracePlace = { traceId: string; parentId: string; flags: string }

/** Read from `traceparent`; undefined where there is none, or none that can be gone on with. */
export function readTraceparent(header: string | string[] | null | undefined): TracePlace | undefined {
  if (typeof header !== 'string') return undefined
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header)
  if (!parts) return undefined
  const [, version, traceId = '', parentId = '', flags = '', more] = parts
  const isUnknown = version === 'ff' || (version === '00' && more !== undefined)
  if (isUnknown || /^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined
  return { traceId, parentId, flags }
}

export function traceparentText({ traceId, parentId, flags }: TracePlace): string {
  return `00-${traceId}-${parentId}-${flags}`
}

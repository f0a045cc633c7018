import type { Json } from '#base/json.ts'
import { modelLimits } from '#base/models/model-limits.ts'
import type { TokenCounts } from '#base/models/price-usage.ts'
import type { Wire } from '#base/models/read-event.ts'
import { readCounts, readText } from '#base/models/read-event.ts'
import { scanJson } from './scan-json.ts'

/** What a part of an answer, which is JSON, says of what was used. */
export type AnswerPart = {
  counts: Partial<TokenCounts>
  isComplete: boolean
  /** How many characters the model has written in it. */
  characters: number
}

/** Undefined: it is no JSON, or more of it than may be. */
export function readAnswer(wire: Wire, bytes: Uint8Array): AnswerPart | undefined {
  if (scanJson(bytes, { depthMax: modelLimits.modelCallDepthMax, valuesMax: modelLimits.modelCallValuesMax }))
    return undefined
  let value: Json
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')) as Json
  } catch {
    return undefined
  }
  const part: AnswerPart = { counts: {}, isComplete: false, characters: 0 }
  // Gemini streams a list where it is not asked for events.
  for (const event of Array.isArray(value) ? value : [value]) {
    if (typeof event !== 'object' || event === null || Array.isArray(event)) continue
    const { counts, isLast } = readCounts(wire, event)
    // Totals grow within one answer, so the last word counts.
    part.counts = { ...part.counts, ...counts }
    part.isComplete ||= isLast
    part.characters += readText(wire, event)
  }
  return part
}

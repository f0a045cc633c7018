import type { Intent } from '#adapters/engines/engine.ts'
import type { Json, JsonObject } from '#base/json.ts'
import { liveLimits } from '#base/live-limits.ts'
import { mapTexts } from '#base/text/map-texts.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import { cleanJson } from '#domain/runs/logs/entry-text.ts'
import type { ToolShown } from '#domain/runs/logs/live.ts'
import { shorten } from '#base/text/shorten.ts'

export type CutTool = { mask: Mask; now: Date }

/** What is shown of a tool as it starts: its name and as much of its input as fits, masked. Null for a step of a model. */
export function cutTool({ kind, request }: Pick<Intent, 'kind' | 'request'>, { mask, now }: CutTool): ToolShown | null {
  const name = request['name'] ?? request['tool']
  if (kind !== 'tool' || typeof name !== 'string') return null
  const input = request['input']
  const fields = input !== null && typeof input === 'object' && !Array.isArray(input) ? input : {}
  // Masked before it is cut to its length, so that no part of a secret is left at the end of a text.
  const bounded = cutTexts(fields, liveLimits.toolTextCharactersMax)
  const clean = cleanJson(bounded.value, mask)
  let kept: number = liveLimits.toolInputBytesMax
  let shown = cutTexts(clean, kept)
  while (Buffer.byteLength(JSON.stringify(shown.value)) > liveLimits.toolInputBytesMax) {
    kept = Math.floor(kept / 2)
    shown = kept > textCharactersMin ? cutTexts(clean, kept) : { value: {}, isCut: true }
  }
  return {
    toolName: mask(name).slice(0, nameCharactersMax).toWellFormed(),
    toolInput: shown.value as JsonObject,
    isCut: bounded.isCut || shown.isCut,
    startedAt: now.toISOString(),
  }
}

const nameCharactersMax = 200
/** Where texts would be shorter than this, there are too many of them to show any. */
const textCharactersMin = 16

type CutValue = { value: Json; isCut: boolean }

function cutTexts(value: Json, charactersMax: number): CutValue {
  let isCut = false
  const text = (whole: string) => {
    isCut ||= whole.length > charactersMax
    return shorten(whole, charactersMax)
  }
  const cut = mapTexts(value, { text })
  return { value: cut, isCut }
}

import type { TextDelta } from './generated/api.ts'

/** A text that is being written, as far as it was heard; `base` characters before it were missed. */
export type WrittenText = Pick<TextDelta, 'step' | 'kind' | 'text' | 'done'> & { base: number }

/** The text with a piece put where it belongs. A piece of another text begins it anew. */
export function applyDelta(known: WrittenText | null, { step, kind, at, text, done }: TextDelta): WrittenText {
  const isSame = known?.step === step && known.kind === kind
  if (!isSame || at < known.base || at > known.base + known.text.length) return { step, kind, base: at, text, done }
  return { ...known, text: known.text.slice(0, at - known.base) + text, done }
}

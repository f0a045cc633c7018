/** The largest id: what JSON and JavaScript hold exactly. The database's sequences end there. */
export const idMax = Number.MAX_SAFE_INTEGER

/** A whole number as people and programs write it: decimal digits, no sign, space, exponent or leading zero. */
export function parseWholeNumber(text: string): number | undefined {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : undefined
}

/** An id written as such a number, from 1 on. Never rounded to the id of something else. */
export function parseId(text: string): number | undefined {
  return parseWholeNumber(text) || undefined
}

import type { Json, JsonObject } from '#base/json.ts'

const CHARACTERS_MAX = 200_000

/** What an agent has sent, as it can be stored: too long or too deep, it is kept as text that is cut. */
export function boundJson(value: unknown): Json {
  try {
    const text = JSON.stringify(value) ?? 'null'
    return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX).toWellFormed()} …` : (value as Json)
  } catch {
    return 'It cannot be stored.'
  }
}

/** The same as an object: anything else lies under `value`. */
export function boundObject(value: unknown): JsonObject {
  const bounded = boundJson(value)
  const isObject = typeof bounded === 'object' && bounded !== null && !Array.isArray(bounded)
  return isObject ? bounded : { value: bounded }
}

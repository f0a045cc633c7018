import type { Json } from '#base/json.ts'

export type MapTexts = {
  text: (text: string) => string
  /** Left out: names stay as they are. */
  name?: (name: string) => string
}

/** The value with each text in it changed, and each name. */
export function mapTexts(value: Json, change: MapTexts): Json {
  const { text, name = (same) => same } = change
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [name(key), mapTexts(item, change)]))
}

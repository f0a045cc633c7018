/** A parser of YAML takes some 15 microseconds for each; files that people write have a few thousand. */
export const yamlMarksMax = 4_000

/**
 * Whether a text of YAML holds more lines, keys, values and brackets than may be parsed: a short text of nothing else keeps
 * a parser busy as long as a book does.
 */
export function isDenseYaml(text: string): boolean {
  let marks = 0
  for (const _ of text.matchAll(/[[\]{},"'&*?]|[:-](?=\s)|\n/g)) if (++marks > yamlMarksMax) return true
  return false
}

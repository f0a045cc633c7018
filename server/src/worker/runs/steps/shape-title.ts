import { conventionalTitle } from '#base/text/conventional-title.ts'

/** Code hosts take no more than 256. */
const charactersMax = 250

/** One line for a commit and a pull request, which does not end within a word. */
export function shapeTitle(title: string, { areConventional }: { areConventional: boolean }): string {
  const line = title.replaceAll(/\s+/g, ' ').trim()
  const shaped = areConventional ? conventionalTitle(line) : line
  if (shaped.length <= charactersMax) return shaped
  const cut = shaped.slice(0, charactersMax - 2)
  const end = cut.lastIndexOf(' ')
  return `${cut.slice(0, end > 0 ? end : undefined).toWellFormed()} …`
}

/** Begins what our own comments hide in their text; by it they are told from other people's, whoever's token posted them. */
const name = 'runwright'

/** A text with a word in it that pages do not show, by which it is found again. */
export function hideMarker(body: string, marker: string): string {
  return `${body.trimEnd()}\n\n${hidden(marker)}\n`
}

export function hasMarker(body: string, marker: string): boolean {
  return body.includes(hidden(marker))
}

/** Whether a text is one of ours. */
export function hasAnyMarker(body: string): boolean {
  return /<!--\s*runwright:/i.test(body)
}

/** A text of somebody else: nothing in it is found as one of ours. */
export function dropAllMarkers(body: string): string {
  return body.replaceAll(/<!--(?:\s*runwright:)+/gi, '<!-- ')
}

/** A text as pages show it. */
export function dropMarkers(body: string): string {
  const text = body.trimEnd()
  const from = text.lastIndexOf('<!--')
  return from >= 0 && /^<!--\s*runwright:[^>]*-->$/i.test(text.slice(from)) ? text.slice(0, from).trimEnd() : body
}

/** What ends a comment of HTML cannot stand in one. */
function hidden(marker: string): string {
  return `<!-- ${name}:${marker.replaceAll(/[^\w:./-]/g, '_').replaceAll('--', '__')} -->`
}

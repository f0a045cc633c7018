export type Cut = { head: string; tail: string; lines: number; characters: number }

/** Keeps the beginning and the end of a long text, at line ends where there are any. Null when all of it fits. */
export function cutMiddle(text: string, sideCharactersMax: number): Cut | null {
  if (text.length <= sideCharactersMax * 2) return null
  const headEnd = text.lastIndexOf('\n', sideCharactersMax - 1)
  const tailStart = text.indexOf('\n', text.length - sideCharactersMax)
  const head = text.slice(0, headEnd >= 0 ? headEnd + 1 : sideCharactersMax)
  const tail = text.slice(tailStart >= 0 && tailStart < text.length - 1 ? tailStart + 1 : -sideCharactersMax)
  const middle = text.slice(head.length, text.length - tail.length)
  return {
    head: head.toWellFormed(),
    tail: tail.toWellFormed(),
    lines: middle.split('\n').length - (middle.endsWith('\n') ? 1 : 0),
    characters: middle.length,
  }
}

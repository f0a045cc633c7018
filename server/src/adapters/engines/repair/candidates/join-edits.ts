/** The text of a file from `start` to `end` becomes `text`. */
export type Edit = { start: number; end: number; text: string }

/** Several edits that do not overlap, in the order of the text, as one. */
export function joinEdits(source: string, edits: Edit[]): Edit {
  let text = ''
  let at = edits[0]!.start
  const { start } = edits[0]!
  for (const edit of edits) {
    text += source.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return { start, end: at, text }
}

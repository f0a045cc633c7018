import type { ReactElement } from 'react'
import type { Piece } from './color-lines.ts'
import { Found } from './found.tsx'
import type { DiffLine } from './read-diff.ts'

/** The text of a line: in colors once they are known, with what changed inside of it marked. */
export function DiffText({
  line: { text, mark },
  pieces,
}: {
  line: DiffLine
  pieces: Piece[] | undefined
}): ReactElement {
  if (!text) return <> </>
  const all = pieces?.length ? pieces : [{ text, className: '' }]
  if (!mark || mark.from === mark.to) return <Colored pieces={all} />
  return (
    <>
      <Colored pieces={cut(all, 0, mark.from)} />
      <mark>
        <Colored pieces={cut(all, mark.from, mark.to)} />
      </mark>
      <Colored pieces={cut(all, mark.to, text.length)} />
    </>
  )
}

function Colored({ pieces }: { pieces: Piece[] }): ReactElement {
  return (
    <>
      {pieces.map(({ text, className }, n) =>
        className ? (
          <span key={n} className={className}>
            <Found text={text} />
          </span>
        ) : (
          <Found key={n} text={text} />
        ),
      )}
    </>
  )
}

/** The pieces between two characters of the line. */
function cut(pieces: Piece[], from: number, to: number): Piece[] {
  const kept: Piece[] = []
  let at = 0
  for (const { text, className } of pieces) {
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at))
    if (part) kept.push({ text: part, className })
    at += text.length
  }
  return kept
}

import { memo, type ReactElement } from 'react'
import { Found } from './found.tsx'

const token = /("(?:\\.|[^"\\])*"?)(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const charactersMax = 200_000

/** A value as JSON, its names, texts and numbers told apart. */
export const JsonText = memo(function JsonText({ value, label }: { value: unknown; label: string }): ReactElement {
  const text = JSON.stringify(value, null, 2)
  return (
    <pre className="term json" tabIndex={0} role="group" aria-label={label}>
      {text.length > charactersMax ? <Found text={text} /> : paint(text)}
    </pre>
  )
})

function paint(text: string): (ReactElement | string)[] {
  const pieces: (ReactElement | string)[] = []
  let from = 0
  for (const match of text.matchAll(token)) {
    const [whole, quoted, colon] = match
    pieces.push(text.slice(from, match.index))
    const className = quoted ? (colon ? 'k' : 's') : 'n'
    pieces.push(
      <span key={match.index} className={className}>
        <Found text={quoted ?? whole} />
      </span>,
    )
    if (colon) pieces.push(colon)
    from = match.index + whole.length
  }
  pieces.push(text.slice(from))
  return pieces
}

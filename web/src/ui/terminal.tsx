import { memo, use, useState, type ReactElement } from 'react'
import { readAnsi } from './ansi.ts'
import { Found, SearchedWords } from './found.tsx'
import { Icon } from './icon.tsx'

/** A longer output shows its head and its tail; the rest is folded, unless a search has found something there. */
const foldedOver = 40
const headLines = 8
const tailLines = 12
const linesMax = 2_000

type Props = { text: string; label: string; isLive?: boolean }

/** What a program printed: colours as in a terminal, and never markup. */
export const Terminal = memo(function Terminal({ text, label, isLive = false }: Props): ReactElement {
  const [isWhole, setWhole] = useState(false)
  const lines = text.replace(/\n$/, '').split('\n')
  const words = use(SearchedWords)
  const isFoldedHit =
    words !== '' && lines.slice(headLines, -tailLines).some((line) => line.toLowerCase().includes(words))
  if (isWhole || isFoldedHit || lines.length <= foldedOver) {
    const shown =
      lines.length > linesMax ? [...lines.slice(0, linesMax), `… ${lines.length - linesMax} more lines`] : lines
    return <Block text={shown.join('\n')} label={label} isLive={isLive} />
  }
  return (
    <>
      <Block text={lines.slice(0, headLines).join('\n')} label={label} />
      <button className="folded" type="button" aria-expanded="false" onClick={() => setWhole(true)}>
        <Icon name="updown" size={12} />
        Show {lines.length - headLines - tailLines} more lines
      </button>
      <Block text={lines.slice(-tailLines).join('\n')} label={`${label}, its end`} isLive={isLive} />
    </>
  )
})

function Block({ text, label, isLive = false }: Props): ReactElement {
  return (
    <pre className="term" tabIndex={0} role="group" aria-label={label}>
      {readAnsi(text).map(({ text, className }, n) =>
        className ? (
          <span key={n} className={className}>
            <Found text={text} />
          </span>
        ) : (
          <Found key={n} text={text} />
        ),
      )}
      {isLive && <span className="caret" />}
    </pre>
  )
}

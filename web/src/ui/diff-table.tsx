import { Fragment, memo, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react'
import type { DiffLine, Hunk } from './read-diff.ts'

/** A change that is longer is shown up to here, and the rest when somebody asks for it. */
const linesShown = 600

/** What people say about lines: begun at the number of a line, shown under it. */
export type LineTalk = { onPick: (line: DiffLine) => void; under: (line: DiffLine) => ReactNode }

type Props = { hunks: Hunk[]; label: string; talk?: LineTalk | undefined }

/** What came and what went, line by line, with what changed inside of a line marked. */
export const DiffTable = memo(function DiffTable({ hunks, label, talk }: Props): ReactElement {
  const [isWhole, setWhole] = useState(false)
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  let left = isWhole ? total : linesShown
  return (
    <div
      className="diff"
      tabIndex={0}
      role="group"
      aria-label={`Change to ${label || 'a file'}`}
      onKeyDown={talk && walkLines}
    >
      <table>
        <tbody>
          {hunks.map(({ title, lines }, n) => {
            const shown = lines.slice(0, Math.max(0, left))
            left -= lines.length
            return shown.length ? <HunkRows key={n} title={title} lines={shown} talk={talk} /> : null
          })}
        </tbody>
      </table>
      {!isWhole && total > linesShown && (
        <button className="folded" type="button" aria-expanded="false" onClick={() => setWhole(true)}>
          Show {total - linesShown} more lines
        </button>
      )}
    </div>
  )
})

/** Only the arrows lead to the lines, so that the tab key passes by a long file in one step. */
function walkLines(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || (event.target as Element).closest('form')) return
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('.ln button')]
  const next = lines[lines.indexOf(document.activeElement as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

function HunkRows({ title, lines, talk }: Hunk & Pick<Props, 'talk'>): ReactElement {
  return (
    <>
      <tr className="hunk">
        <td colSpan={4}>@@ {title || `line ${lines[0]?.after ?? lines[0]?.before ?? 1}`}</td>
      </tr>
      {lines.map((line, n) => (
        <Fragment key={n}>
          <tr className={line.sign === '+' ? 'add' : line.sign === '-' ? 'del' : undefined}>
            <td className="ln">{line.after === null ? <LineNumber line={line} talk={talk} /> : line.before}</td>
            <td className="ln">{line.after !== null && <LineNumber line={line} talk={talk} />}</td>
            <td className="sg">{line.sign === '-' ? '−' : line.sign.trim()}</td>
            <td className="tx">
              <Marked {...line} />
            </td>
          </tr>
          <Under line={line} talk={talk} />
        </Fragment>
      ))}
    </>
  )
}

function LineNumber({ line, talk }: { line: DiffLine; talk: LineTalk | undefined }): ReactElement {
  const number = line.after ?? line.before
  if (!talk) return <>{number}</>
  const label = `Comment on ${line.after === null ? 'removed ' : ''}line ${number}`
  return (
    <button type="button" tabIndex={-1} aria-label={label} title={label} onClick={() => talk.onPick(line)}>
      {number}
    </button>
  )
}

function Under({ line, talk }: { line: DiffLine; talk: LineTalk | undefined }): ReactElement | null {
  const said = talk?.under(line)
  if (!said) return null
  return (
    <tr className="note">
      <td colSpan={4}>{said}</td>
    </tr>
  )
}

function Marked({ text, mark }: Pick<DiffLine, 'text' | 'mark'>): ReactElement {
  if (!mark || mark.from === mark.to) return <>{text || ' '}</>
  return (
    <>
      {text.slice(0, mark.from)}
      <mark>{text.slice(mark.from, mark.to)}</mark>
      {text.slice(mark.to)}
    </>
  )
}

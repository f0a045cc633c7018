import { memo, useState, type ReactElement } from 'react'
import type { DiffLine, Hunk } from './read-diff.ts'

/** A change that is longer is shown up to here, and the rest when somebody asks for it. */
const linesShown = 600

/** What came and what went, line by line, with what changed inside of a line marked. */
export const DiffTable = memo(function DiffTable({ hunks, label }: { hunks: Hunk[]; label: string }): ReactElement {
  const [isWhole, setWhole] = useState(false)
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  let left = isWhole ? total : linesShown
  return (
    <div className="diff" tabIndex={0} role="group" aria-label={`Change to ${label || 'a file'}`}>
      <table>
        <tbody>
          {hunks.map(({ title, lines }, n) => {
            const shown = lines.slice(0, Math.max(0, left))
            left -= lines.length
            return shown.length ? <HunkRows key={n} title={title} lines={shown} /> : null
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

function HunkRows({ title, lines }: Hunk): ReactElement {
  return (
    <>
      <tr className="hunk">
        <td colSpan={4}>@@ {title || `line ${lines[0]?.after ?? lines[0]?.before ?? 1}`}</td>
      </tr>
      {lines.map((line, n) => (
        <tr key={n} className={line.sign === '+' ? 'add' : line.sign === '-' ? 'del' : undefined}>
          <td className="ln">{line.before}</td>
          <td className="ln">{line.after}</td>
          <td className="sg">{line.sign === '-' ? '−' : line.sign.trim()}</td>
          <td className="tx">
            <Marked {...line} />
          </td>
        </tr>
      ))}
    </>
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

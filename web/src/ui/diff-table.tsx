import { memo, useMemo, useState, type KeyboardEvent, type ReactElement } from 'react'
import { SplitRows, UnifiedRows, type LineTalk } from './diff-rows.tsx'
import { GapButtons, type Expand } from './gap-buttons.tsx'
import type { Gap, Hunk } from './read-diff.ts'
import { useColors } from './use-colors.ts'

/** A change that is longer is shown up to here, and the rest when somebody asks for it. */
const linesShown = 600

type Props = {
  hunks: Hunk[]
  label: string
  talk?: LineTalk | undefined
  isSplit?: boolean
  /** Where lines that are left out can be shown; `end`: those below the last hunk. */
  expand?: Expand | undefined
  end?: Gap | undefined
}

/** What came and what went, line by line, in the colors of its language and with what changed inside of a line marked. */
export const DiffTable = memo(function DiffTable(props: Props): ReactElement {
  const { hunks, label, talk, isSplit = false, expand, end } = props
  const [isWhole, setWhole] = useState(false)
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  const shown = useMemo(() => (isWhole || total <= linesShown ? hunks : firstOf(hunks)), [hunks, isWhole, total])
  const colors = useColors(shown, label)
  const Rows = isSplit ? SplitRows : UnifiedRows
  return (
    <div
      className={`diff ${isSplit ? 'split' : ''}`}
      tabIndex={0}
      role="group"
      aria-label={`Change to ${label || 'a file'}`}
      onKeyDown={talk && walkLines}
    >
      <table>
        <tbody>
          {shown.map((hunk, n) => (
            <Rows key={n} hunk={hunk} talk={talk} colors={colors} expand={expand} />
          ))}
          {end && expand && (isWhole || total <= linesShown) && (
            <tr className="hunk">
              <td colSpan={4}>
                <GapButtons gap={end} expand={expand} hasAbove hasBelow={false} />
              </td>
            </tr>
          )}
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

function firstOf(hunks: Hunk[]): Hunk[] {
  let left = linesShown
  return hunks.flatMap((hunk) => {
    const shown = hunk.lines.slice(0, Math.max(0, left))
    left -= hunk.lines.length
    return shown.length ? [{ ...hunk, lines: shown }] : []
  })
}

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

import { Fragment, type ReactElement, type ReactNode } from 'react'
import { DiffText } from './diff-text.tsx'
import { GapButtons, type Expand } from './gap-buttons.tsx'
import type { DiffLine, Hunk } from './read-diff.ts'
import type { Colors } from './use-colors.ts'

/** What people say about lines: begun at the number of a line, shown under it. */
export type LineTalk = { onPick: (line: DiffLine) => void; under: (line: DiffLine) => ReactNode }

type Props = { hunk: Hunk; talk: LineTalk | undefined; colors: Colors; expand: Expand | undefined }

/** A hunk in one column: what was removed above what came in its place. */
export function UnifiedRows({ hunk, talk, colors, expand }: Props): ReactElement {
  return (
    <>
      <HunkTitle hunk={hunk} expand={expand} />
      {hunk.lines.map((line, n) => (
        <Fragment key={n}>
          <tr className={classOf(line)}>
            <td className="ln">{line.after === null ? <LineNumber line={line} talk={talk} /> : line.before}</td>
            <td className="ln">{line.after !== null && <LineNumber line={line} talk={talk} />}</td>
            <td className="sg">{line.sign === '-' ? '−' : line.sign.trim()}</td>
            <td className="tx">
              <DiffText line={line} pieces={colors.get(line)} />
            </td>
          </tr>
          <Under lines={[line]} talk={talk} columns={4} />
        </Fragment>
      ))}
    </>
  )
}

/** A hunk in two columns: what was, and beside it what is. */
export function SplitRows({ hunk, talk, colors, expand }: Props): ReactElement {
  return (
    <>
      <HunkTitle hunk={hunk} expand={expand} />
      {pairsOf(hunk.lines).map(([before, after], n) => (
        <Fragment key={n}>
          <tr>
            <Half line={before} side="before" talk={talk} colors={colors} />
            <Half line={after} side="after" talk={talk} colors={colors} />
          </tr>
          <Under lines={before === after ? [after] : [before, after]} talk={talk} columns={4} />
        </Fragment>
      ))}
    </>
  )
}

type HalfProps = { line: DiffLine | null; side: 'before' | 'after'; talk: LineTalk | undefined; colors: Colors }

function Half({ line, side, talk, colors }: HalfProps): ReactElement {
  if (!line) return <td className="gap" colSpan={2} />
  const look = classOf(line) ?? ''
  // A line that stayed is talked about as it is now.
  const isTalked = side === 'after' || line.after === null
  return (
    <>
      <td className={`ln ${look}`}>{isTalked ? <LineNumber line={line} talk={talk} /> : line[side]}</td>
      <td className={`tx ${look}`}>
        <DiffText line={line} pieces={colors.get(line)} />
      </td>
    </>
  )
}

/** What was removed beside what came in its place, as far as there is as much of both. */
function pairsOf(lines: readonly DiffLine[]): [DiffLine | null, DiffLine | null][] {
  const pairs: [DiffLine | null, DiffLine | null][] = []
  for (let at = 0; at < lines.length;) {
    if (lines[at]!.sign === ' ') {
      pairs.push([lines[at]!.before === null ? null : lines[at]!, lines[at]!])
      at++
      continue
    }
    let gone = at
    while (lines[gone]?.sign === '-') gone++
    let come = gone
    while (lines[come]?.sign === '+') come++
    for (let n = 0; n < Math.max(gone - at, come - gone); n++) {
      pairs.push([at + n < gone ? lines[at + n]! : null, gone + n < come ? lines[gone + n]! : null])
    }
    at = come
  }
  return pairs
}

const classOf = ({ sign }: DiffLine) => (sign === '+' ? 'add' : sign === '-' ? 'del' : undefined)

/** Where lines are left out, with a way to see them. */
function HunkTitle({
  hunk: { title, lines, gap, isAfterCut },
  expand,
}: Pick<Props, 'hunk' | 'expand'>): ReactElement | null {
  if (isAfterCut)
    return (
      <tr className="hunk">
        <td colSpan={4}>The diff is too long and ends here. Lines below are shown as they are now.</td>
      </tr>
    )
  // It follows the hunk above without a break.
  if (lines[0]?.isExtra && !gap) return null
  return (
    <tr className="hunk">
      <td colSpan={4}>
        {gap && expand && <GapButtons gap={gap} expand={expand} hasAbove={gap.from > 1} hasBelow />}
        @@ {title || `line ${lines[0]?.after ?? lines[0]?.before ?? 1}`}
      </td>
    </tr>
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

type UnderProps = { lines: readonly (DiffLine | null)[]; talk: LineTalk | undefined; columns: number }

function Under({ lines, talk, columns }: UnderProps): ReactElement {
  return (
    <>
      {lines.map((line, n) => {
        const comments = line && talk?.under(line)
        return comments ? (
          <tr key={n} className="note">
            <td colSpan={columns}>{comments}</td>
          </tr>
        ) : null
      })}
    </>
  )
}

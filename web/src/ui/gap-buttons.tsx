import type { ReactElement, ReactNode } from 'react'
import type { Gap } from './read-diff.ts'

export type GapPart = 'above' | 'below' | 'all'

/** Shows lines that a diff leaves out: those that follow what is above, those that lead to what is below, or all. */
export type Expand = {
  onShow: (gap: Gap, part: GapPart) => void
  isBusy: boolean
  /** Where it failed, and why. */
  problem: { gap: Gap; words: string } | null
}

/** How many lines one press shows. */
export const expandedLines = 20

type Props = { gap: Gap; expand: Expand; hasAbove: boolean; hasBelow: boolean }

export function GapButtons({ gap, expand, hasAbove, hasBelow }: Props): ReactElement {
  const { from, to } = gap
  const count = to === null ? null : to - from + 1
  const isShort = count !== null && count <= expandedLines
  const all = count === null ? 'Show the rest' : count === 1 ? 'Show 1 line' : `Show all ${count} lines`
  const problem = expand.problem
  return (
    <span className="gap-buttons">
      {!isShort && hasAbove && (
        <GapButton {...{ gap, expand }} part="above" label={`Show ${expandedLines} lines from line ${from}`}>
          ↓ {expandedLines}
        </GapButton>
      )}
      {!isShort && hasBelow && to !== null && (
        <GapButton {...{ gap, expand }} part="below" label={`Show ${expandedLines} lines up to line ${to}`}>
          ↑ {expandedLines}
        </GapButton>
      )}
      <GapButton
        {...{ gap, expand }}
        part="all"
        label={to === null ? `${all} from line ${from}` : `${all} from line ${from} to ${to}`}
      >
        {all}
      </GapButton>
      {problem && problem.gap.from === from && problem.gap.to === to && <span role="alert">{problem.words}</span>}
    </span>
  )
}

type ButtonProps = { gap: Gap; expand: Expand; part: GapPart; label: string; children: ReactNode }

function GapButton({ gap, expand, part, label, children }: ButtonProps): ReactElement {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={expand.isBusy}
      onClick={() => !expand.isBusy && expand.onShow(gap, part)}
    >
      {children}
    </button>
  )
}

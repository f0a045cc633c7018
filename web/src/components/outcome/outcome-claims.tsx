import type { ReactElement } from 'react'
import type { Claims } from '#log/claims-of.ts'
import { ExitMark } from '#components/repo/exit-mark.tsx'

type LinkProps = { seq: number; onGoTo: (seq: number) => void }

/** Leads to the entry of the log that shows what stands before it. */
export function EntryLink({ seq, onGoTo }: LinkProps): ReactElement {
  return (
    <a
      className="link seq"
      href={`#s${seq}`}
      aria-label={`Entry ${seq}`}
      title={`Entry ${seq}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onGoTo(seq)
      }}
    >
      #{seq}
    </a>
  )
}

type Props = { claims: Claims; hasChanges: boolean; onGoTo: (seq: number) => void }

/** What was run and what was opened, each with its entry. */
export function OutcomeClaims({ claims: { edits, commands, pull }, hasChanges, onGoTo }: Props): ReactElement | null {
  const isUnchecked = hasChanges && edits.size > 0 && !commands.length
  if (!commands.length && pull === null && !isUnchecked) return null
  return (
    <div className="outcome-files">
      {commands.length > 0 && <p className="muted">{edits.size ? 'Ran after the last edit' : 'Last commands'}</p>}
      {isUnchecked && <p className="faint">No command ran after the last edit.</p>}
      <ul>
        {commands.map(({ seq, command, exitCode }) => (
          <li key={seq}>
            <code className="truncate">{command}</code>
            <ExitMark exit={exitCode} />
            <EntryLink seq={seq} onGoTo={onGoTo} />
          </li>
        ))}
        {pull !== null && (
          <li>
            Pull request opened <EntryLink seq={pull} onGoTo={onGoTo} />
          </li>
        )}
      </ul>
    </div>
  )
}

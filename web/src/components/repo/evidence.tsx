import type { SetupEvidence } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { formatDuration } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Terminal } from '#ui/terminal.tsx'
import { ExitMark } from './exit-mark.tsx'

/** A command of a setup that was run: how it ended, and what it printed. */
export function Evidence({ evidence }: { evidence: SetupEvidence }): ReactElement {
  const { command, exit_code: exit, duration_ms: ms, tail } = evidence
  return (
    <details className="step setup-step">
      <summary>
        <Icon name="chev" size={12} className="fold" />
        <code className="mono grow truncate">{command}</code>
        <ExitMark exit={exit} />
        <span className="num faint small">{formatDuration(ms)}</span>
      </summary>
      <div>{tail ? <Terminal text={tail} label={`Output of ${command}`} /> : <p>It printed nothing.</p>}</div>
    </details>
  )
}

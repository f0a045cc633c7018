import type { ReactElement } from 'react'
import type { RunStatus } from '#base/api.ts'
import { statusWords } from '#base/status.ts'

const ring = <circle cx="7" cy="7" r="5.75" fill="none" stroke="currentColor" strokeWidth="1.5" />
const onFill = { fill: 'none', stroke: 'var(--color-surface)', strokeWidth: 1.6, strokeLinecap: 'round' } as const

const drawings: Record<RunStatus | 'none', ReactElement> = {
  queued: (
    <circle cx="7" cy="7" r="5.75" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.2 2.32" />
  ),
  in_progress: (
    <>
      <circle cx="7" cy="7" r="5.75" fill="none" stroke="currentColor" strokeWidth="1.5" opacity=".3" />
      <path
        d="M7 1.25A5.75 5.75 0 0 1 12.75 7"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
      />
      <circle cx="7" cy="7" r="2.25" fill="currentColor" />
    </>
  ),
  waiting_for_user: (
    <>
      <path
        d="M7 .4L13.6 7 7 13.6.4 7z"
        fill="currentColor"
        stroke="currentColor"
        strokeLinejoin="round"
        transform="translate(.35 .35) scale(.95)"
      />
      <path d="M7 4v3.6M7 9.9v.02" {...onFill} />
    </>
  ),
  paused: (
    <>
      {ring}
      <path d="M5.5 4.9v4.2M8.5 4.9v4.2" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  completed: (
    <>
      <circle cx="7" cy="7" r="6.5" fill="currentColor" />
      <path d="M4.2 7.3l1.9 1.9 3.7-4.1" strokeLinejoin="round" {...onFill} />
    </>
  ),
  failed: (
    <>
      <path d="M4.3.6h5.4L13.4 4.3v5.4L9.7 13.4H4.3L.6 9.7V4.3z" fill="currentColor" />
      <path d="M4.9 4.9l4.2 4.2M9.1 4.9L4.9 9.1" {...onFill} />
    </>
  ),
  cancelled: (
    <>
      {ring}
      <path d="M3.2 10.8l7.6-7.6" stroke="currentColor" strokeWidth="1.5" />
    </>
  ),
  none: <circle cx="7" cy="7" r="5.75" fill="none" stroke="currentColor" strokeWidth="1.5" opacity=".75" />,
}

type Props = { status: RunStatus | 'none'; label?: string; isSilent?: boolean; size?: 12 | 14 | 16 }

/** The shape of a status. Silent where the word stands beside it. */
export function StatusGlyph({ status, label, isSilent = false, size = 14 }: Props): ReactElement {
  const name = label ?? (status === 'none' ? 'To do' : statusWords[status])
  return (
    <svg
      className={`glyph ${status} ${size === 14 ? '' : `glyph-${size}`}`}
      viewBox="0 0 14 14"
      {...(isSilent ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name })}
    >
      {drawings[status]}
    </svg>
  )
}

import type { ReactElement } from 'react'
import type { RunStatus } from '#base/api.ts'
import { StatusGlyph } from './status-glyph.tsx'
import { statusWords } from '#base/status.ts'

export function StatusPill({ status, word = statusWords[status] }: { status: RunStatus; word?: string }): ReactElement {
  return (
    <span className={`pill ${status}`}>
      <StatusGlyph status={status} isSilent />
      {word}
    </span>
  )
}

import type { ReactElement } from 'react'
import type { RunStatus } from '#api.ts'
import { StatusGlyph } from './status-glyph.tsx'
import { statusWords } from './status.ts'

export function StatusPill({ status, word = statusWords[status] }: { status: RunStatus; word?: string }): ReactElement {
  return (
    <span className={`pill ${status}`}>
      <StatusGlyph status={status} isSilent />
      {word}
    </span>
  )
}

import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { formatCount } from '#ui/format.ts'

type Props = {
  /** How much of it stands above. */
  shown: number
  total: number
  /** What it is a list of, in the plural. */
  name: string
  isBusy: boolean
  onMore: () => void
}

/** The end of a list that is longer than what was read of it; nothing where all of it stands there. */
export function ShowMore({ shown, total, name, isBusy, onMore }: Props): ReactElement | null {
  if (shown >= total) return null
  return (
    <div className="row older">
      <span className="faint small">
        {formatCount(shown)} of {formatCount(total)} {name}
      </span>
      <Button look="sm" isBusy={isBusy} onClick={onMore}>
        Show more
      </Button>
    </div>
  )
}

import type { ReactElement } from 'react'
import { Skeleton } from '#ui/skeleton.tsx'

/** As high as what will stand in its place, so that nothing moves. */
export function RunSkeleton(): ReactElement {
  return (
    <main className="page run" id="main" aria-busy="true">
      <header className="run-head run-head-empty" />
      <Skeleton rows={10} height={34} />
    </main>
  )
}

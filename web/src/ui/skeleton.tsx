import { useEffect, useState, type ReactElement } from 'react'

const afterMs = 150

/** Rows of the height that the real ones will have; not at once, so that what is quick does not flicker. */
export function Skeleton({ rows, height }: { rows: number; height: number }): ReactElement | null {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), afterMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isShown) return null
  return (
    <div role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, n) => (
        <div key={n} className="row" style={{ height, paddingInline: 12 }}>
          <span className="skel text" style={{ width: 14 }} />
          <span className="skel text" style={{ width: `${30 + ((n * 37) % 40)}%` }} />
        </div>
      ))}
    </div>
  )
}

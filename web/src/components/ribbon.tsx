import type { ReactElement, ReactNode } from 'react'
import type { RibbonShapes } from './ribbon-shapes.ts'

/** Height says the kind of time, so that it reads without colour. */
const heights = { queue: 1.5, setup: 5.4, model: 4.3, tool: 8.6, checks: 7 }
const classes = { queue: 'q', setup: 'setup', model: 'think', tool: 'tool', checks: 'checks' }
const gap = 2

type Props = {
  shapes: RibbonShapes
  label: string
  height: number
  /** Failures, people and answers, by where they stand. */
  ticks?: { place: number; kind: 'err' | 'user' | 'done' }[]
  children?: ReactNode
}

export function Ribbon({ shapes, label, height, ticks = [], children }: Props): ReactElement {
  const middle = height / 2
  const scale = height / 14
  return (
    <svg
      className={`ribbon ${height <= 14 ? 'mini' : ''}`}
      viewBox={`0 0 1000 ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {!shapes.pieces.length && <rect className="rest" x="0" y={middle - 0.5} width="1000" height="1" />}
      {shapes.pieces.map(({ kind, from, to }) => {
        if (kind === 'person') return <path key={`${kind}${from}`} className="wait" d={`M${from} ${middle}H${to}`} />
        const tall = heights[kind] * scale
        return (
          <rect
            key={`${kind}${from}`}
            className={classes[kind]}
            x={from}
            y={middle - tall / 2}
            width={Math.max(1.5, to - from - gap)}
            height={tall}
          />
        )
      })}
      {ticks.map(({ place, kind }) => (
        <path key={`${kind}${place}`} className={kind} d={`M${place} ${height * 0.1}V${height * 0.9}`} />
      ))}
      {children}
    </svg>
  )
}

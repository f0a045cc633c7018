import type { ReactElement } from 'react'
import { drawings } from './drawings.tsx'

export type IconName = keyof typeof drawings

/** A picture of 12, 14 or 16 pixels; what it means stands beside it, or on what it is in. */
export function Icon({
  name,
  size = 16,
  className = '',
}: {
  name: IconName
  size?: 12 | 14 | 16
  className?: string
}): ReactElement {
  return (
    <svg className={`icon ${size === 16 ? '' : `icon-${size}`} ${className}`} viewBox="0 0 16 16" aria-hidden="true">
      {drawings[name]}
    </svg>
  )
}

import type { ReactElement, ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** An error where the action was: what happened, and what to do. */
export function Notice({ children, action }: { children: ReactNode; action?: ReactNode }): ReactElement {
  return (
    <div className="notice failed" role="alert">
      <Icon name="error" size={14} />
      <div>{children}</div>
      {action}
    </div>
  )
}

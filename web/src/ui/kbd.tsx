import type { ReactElement } from 'react'

export function Kbd({ children, className = '' }: { children: string; className?: string }): ReactElement {
  return <kbd className={`kbd ${className}`}>{children}</kbd>
}

import type { ReactElement, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Props = { icon: IconName; title: string; children?: ReactNode; action?: ReactNode }

/** Says what will stand here and how it comes about. */
export function Empty({ icon, title, children, action }: Props): ReactElement {
  return (
    <div className="empty">
      <Icon name={icon} className="art" />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action && <div className="row">{action}</div>}
    </div>
  )
}

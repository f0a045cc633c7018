import type { ReactElement, ReactNode } from 'react'

type Props = { title: string; about: ReactNode; children: ReactNode }

/** A row of a list: what can be done, what it means, and the control that does it. */
export function ActionRow({ title, about, children }: Props): ReactElement {
  return (
    <li className="wrap">
      <span className="grow">
        <b>{title}</b>
        <br />
        <span className="faint small">{about}</span>
      </span>
      {children}
    </li>
  )
}

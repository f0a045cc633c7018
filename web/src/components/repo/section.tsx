import type { ReactElement, ReactNode } from 'react'

type Props = { id: string; title: string; about: ReactNode; action?: ReactNode; children: ReactNode }

/** One part of a repository's settings. */
export function Section({ id, title, about, action, children }: Props): ReactElement {
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-head">
        <div className="grow">
          <h2 id={id}>{title}</h2>
          <p>{about}</p>
        </div>
        {action && <div className="end">{action}</div>}
      </div>
      {children}
    </section>
  )
}

import { useEffect, type ReactElement, type ReactNode } from 'react'

/** A page with a bar that says where one is. */
export function PageFrame({ title, children }: { title: string; children: ReactNode }): ReactElement {
  useEffect(() => {
    document.title = `${title} · Runwright`
  }, [title])
  return (
    <main className="page" id="main">
      <div className="bar">
        <h1>{title}</h1>
      </div>
      <div className="content">{children}</div>
    </main>
  )
}

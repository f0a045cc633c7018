import type { ReactElement, ReactNode } from 'react'

/** A link to an address that somebody wrote: only where it leads to a page, else the words alone. */
export function PageLink({ href, children }: { href: string; children: ReactNode }): ReactElement {
  const isPage = URL.canParse(href) && ['http:', 'https:'].includes(new URL(href).protocol)
  if (!isPage) return <span>{children}</span>
  return (
    <a className="link" href={href} rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

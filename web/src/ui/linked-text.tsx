import type { ReactElement } from 'react'
import { PageLink } from './page-link.tsx'

/** What ends a sentence is no part of the address before it. */
const address = /(https?:\/\/\S*[^\s.,;:)])/

/** Plain words, in which addresses are links. */
export function LinkedText({ text }: { text: string }): ReactElement {
  return (
    <>
      {text.split(address).map((part, n) =>
        n % 2 ? (
          <PageLink key={n} href={part}>
            {part}
          </PageLink>
        ) : (
          part
        ),
      )}
    </>
  )
}

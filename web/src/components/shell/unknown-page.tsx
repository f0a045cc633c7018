import { useLocation } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { NotFound } from '#components/not-found.tsx'
import { Frame } from './shell.tsx'

/** For addresses that are no page; in the frame of the organization that they name, if any. */
export function UnknownPage(): ReactElement {
  const { pathname } = useLocation()
  const [, folder, id] = pathname.split('/')
  const organizationId = folder === 'runs' || folder === 'organizations' ? Number(id) : 0
  if (!Number.isSafeInteger(organizationId) || organizationId < 1) return <NotFound />
  return (
    <Frame organizationId={organizationId}>
      <NotFound />
    </Frame>
  )
}

import { useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { FirstSteps } from '#components/first-steps/first-steps.tsx'
import { PageFrame } from '#components/page-frame.tsx'

export function StartPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId/start' })
  return (
    <PageFrame title="Get started">
      <FirstSteps organizationId={organizationId} />
    </PageFrame>
  )
}

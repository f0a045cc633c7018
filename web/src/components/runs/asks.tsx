import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { questionsQuery } from '#base/api.ts'
import { detailWords } from '#base/status.ts'

/** What a run that waits asks, in one line. */
export function Asks({ run }: { run: AgentRun }): ReactElement {
  const { data } = useQuery(questionsQuery({ organizationId: run.organization_id, runId: run.id }))
  const open = data?.findLast(({ answer, answered_at: at }) => answer === null && at === null)
  const isPlan = (open?.kind ?? run.status_detail) === 'plan'
  if (!open) return <>{detailWords[isPlan ? 'plan' : 'question']}</>
  const line = open.text.trim().split('\n', 1)[0]!
  return (
    <>
      {isPlan ? 'Proposes a plan' : 'Asks'}: {line}
    </>
  )
}

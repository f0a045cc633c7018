import type { Issue } from '@runwright/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, organizationsQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { Button } from '#ui/button.tsx'

type Props = { issue: Issue; onChange: () => Promise<unknown> }

/** How an agent comes to work on an issue. */
export function IssueAside({ issue, onChange }: Props): ReactElement | null {
  const { organization_id: organizationId, repo_id: repoId, number, assigned_to_agent: isAssigned } = issue
  const assign = useMutation({
    mutationFn: () =>
      client.issues.updateIssue({ org_id: organizationId, repo_id: repoId, n: number, assigned_to_agent: !isAssigned }),
    onSettled: onChange,
  })
  const { data: agentName } = useQuery({
    ...organizationsQuery(),
    select: (all) => all.find(({ id }) => id === organizationId)?.settings.agent_name,
  })
  if (issue.state === 'closed') return null
  return (
    <aside className="pull-aside issue-aside" aria-label="Its agent">
      <section aria-labelledby="issue-agent">
        <h2 id="issue-agent">Agent</h2>
        <div className="ci-fixer">
          <StatusGlyph status={isAssigned ? 'completed' : 'none'} isSilent />
          <p>
            {isAssigned
              ? 'Assigned to the agent.'
              : `Assign it to the agent, or mention @${agentName ?? 'it'} in a comment, to start a run.`}
          </p>
          {assign.error && <Fault error={assign.error} />}
          <Button look="sm" isBusy={assign.isPending} onClick={() => assign.mutate()}>
            {isAssigned ? 'Unassign the agent' : 'Assign to the agent'}
          </Button>
        </div>
      </section>
    </aside>
  )
}

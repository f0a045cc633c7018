import type { PullRequest } from '@runwright/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactElement, type ReactNode } from 'react'
import { client, reposQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { useCanManage } from '#components/use-can-manage.ts'
import { useNames } from '#components/use-names.ts'
import { Button } from '#ui/button.tsx'
import { formatAgo } from '#ui/format.ts'
import { Icon, type IconName } from '#ui/icon.tsx'
import { DeleteBranchDialog } from './delete-branch-dialog.tsx'
import { usePutPull, useReread } from './use-reread.ts'

/** What has become of it: that it was merged, and what was done, or can be done, since. */
export function MergedBox({ pull }: { pull: PullRequest }): ReactElement {
  const nameOf = useNames(pull.organization_id)
  const someone = (id: number | null) => <b>{id === null ? 'Someone' : nameOf(id)}</b>
  return (
    <>
      <Event icon="check" at={pull.merged_at}>
        {someone(pull.merged_by)} merged it into <code className="mono">{pull.base_branch_name}</code>
        {pull.merge_commit && (
          <>
            {' '}
            as <code className="mono">{pull.merge_commit.slice(0, 7)}</code>
          </>
        )}
      </Event>
      {pull.branch_deleted_at && (
        <Event icon="branch" at={pull.branch_deleted_at}>
          {someone(pull.branch_deleted_by)} deleted the branch <code className="mono">{pull.head_branch_name}</code>
        </Event>
      )}
      {pull.revert && (
        <Event icon="pr" at={null}>
          {pull.revert.merged ? 'Reverted by' : 'To be reverted by'}{' '}
          <PullNumber pull={pull} number={pull.revert.number} />
        </Event>
      )}
      <AfterMerge pull={pull} />
    </>
  )
}

function Event({ icon, at, children }: { icon: IconName; at: string | null; children: ReactNode }): ReactElement {
  return (
    <p className="event">
      <Icon name={icon} size={14} />
      <span>
        {children}
        {at && <span className="faint"> {formatAgo(at, Date.now())}</span>}
      </span>
    </p>
  )
}

function PullNumber({ pull, number }: { pull: PullRequest; number: number }): ReactElement {
  const { organization_id: organizationId, repo_id: repoId } = pull
  return (
    <Link
      className="link"
      to="/organizations/$organizationId/repos/$repoId/pulls/$number"
      params={{ organizationId, repoId, number }}
    >
      #{number}
    </Link>
  )
}

/** Offers to take back what was merged, and to delete what is not needed any more. */
function AfterMerge({ pull }: { pull: PullRequest }): ReactElement | null {
  const { organization_id: organizationId, repo_id: repoId } = pull
  const [isAsking, setAsking] = useState(false)
  const canManage = useCanManage(organizationId)
  const { data: repo } = useQuery({
    ...reposQuery(organizationId),
    select: (repos) => repos.find(({ id }) => id === repoId),
  })
  const reread = useReread(pull)
  const putPull = usePutPull()
  const revert = useMutation({
    mutationFn: () => client.pullRequests.revertPull({ org_id: organizationId, pr_id: pull.id }),
    onSuccess: ({ id, number, state, merged }) => putPull({ ...pull, revert: { id, number, state, merged } }),
    onSettled: reread,
  })
  if (!repo) return null
  const canRevert = !pull.revert
  const canDelete = canManage && !pull.branch_deleted_at && pull.head_branch_name !== repo.default_branch
  if (!canRevert && !canDelete) return null
  return (
    <section className="panel" aria-label="After the merge">
      <div className="stack panel-body">
        <p className="muted">
          {canRevert && 'A revert opens a new pull request. '}
          {canDelete && 'The branch can be deleted.'}
        </p>
        {revert.error && <Fault error={revert.error} />}
      </div>
      <footer>
        {canRevert && (
          <Button look="sm" isBusy={revert.isPending} onClick={() => revert.mutate()}>
            Revert
          </Button>
        )}
        {canDelete && (
          <Button look="sm danger" onClick={() => setAsking(true)}>
            Delete branch
          </Button>
        )}
      </footer>
      {isAsking && <DeleteBranchDialog pull={pull} onClose={() => setAsking(false)} />}
    </section>
  )
}

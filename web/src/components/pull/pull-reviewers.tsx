import type { PullRequest } from '@runwright/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, usersQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { useNames } from '#components/use-names.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Pick } from '#ui/pick.tsx'
import { usePutPull } from './use-reread.ts'

type Reviewer = PullRequest['reviewers'][number]

const states: Record<Reviewer['state'], [word: string, tone: string]> = {
  requested: ['review requested', 'queued'],
  approved: ['approved', 'completed'],
  changes_requested: ['requested changes', 'failed'],
  commented: ['commented', 'queued'],
}

/** Who is asked to review a pull request of the built-in host, why, and what they have said; with ways to ask others and to take them off. */
export function PullReviewers({ pull }: { pull: PullRequest }): ReactElement | null {
  const putPull = usePutPull()
  const ids = { org_id: pull.organization_id, pr_id: pull.id }
  const remove = useMutation({
    mutationFn: (userId: number) => client.pullRequests.removeReviewer({ ...ids, user_id: userId }),
    onSuccess: putPull,
  })
  const ask = useMutation({
    mutationFn: (userId: number) => client.pullRequests.requestReviewer({ ...ids, user_id: userId }),
    onSuccess: putPull,
  })
  const isOpen = pull.state === 'open'
  const error = ask.error ?? remove.error
  if (!isOpen && !pull.reviewers.length) return null
  return (
    <section aria-labelledby="reviewers">
      <h2 id="reviewers">Reviewers</h2>
      <ul className="reviewers">
        {pull.reviewers.map((reviewer) => (
          <ReviewerRow
            key={reviewer.user_id}
            pull={pull}
            reviewer={reviewer}
            isBusy={ask.isPending || remove.isPending}
            onAsk={ask.mutate}
            onRemove={remove.mutate}
          />
        ))}
      </ul>
      {pull.reviewers.length === 0 && <p className="faint small">Nobody is asked.</p>}
      <CodeOwners pull={pull} />
      {error && <Fault error={error} />}
      {isOpen && <Others pull={pull} onAsk={ask.mutate} />}
    </section>
  )
}

type RowProps = {
  pull: PullRequest
  reviewer: Reviewer
  isBusy: boolean
  onAsk: (userId: number) => void
  onRemove: (userId: number) => void
}

function ReviewerRow({ pull, reviewer, isBusy, onAsk, onRemove }: RowProps): ReactElement {
  const { user_id: userId, pattern, state } = reviewer
  const name = useNames(pull.organization_id)(userId)
  const [word, tone] = states[state]
  const isOpen = pull.state === 'open'
  return (
    <li>
      <Avatar name={name} />
      <span className="truncate">{name}</span>
      {isOpen && (
        <Button look="ghost sm square" disabled={isBusy} aria-label={`Remove ${name}`} onClick={() => onRemove(userId)}>
          <Icon name="x" size={12} />
        </Button>
      )}
      <div className="row wrap">
        <span className={`tag tone ${tone}`}>{word}</span>
        {isOpen && state !== 'requested' && (
          <Button look="ghost sm" disabled={isBusy} aria-label={`Ask ${name} again`} onClick={() => onAsk(userId)}>
            Ask again
          </Button>
        )}
      </div>
      {pattern !== null && (
        <p className="faint small">
          Code owner of <code className="mono">{pattern}</code>
        </p>
      )}
    </li>
  )
}

function CodeOwners({ pull: { code_owners: owners } }: { pull: PullRequest }): ReactElement | null {
  if (!owners?.not_found.length && !owners?.problems.length) return null
  return (
    <details className="owner-notes small muted">
      <summary>
        <Icon name="chev" size={12} />
        <span>
          Notes on <code className="mono">{owners.path}</code>
        </span>
      </summary>
      {owners.not_found.length > 0 && <p>Not found here: {owners.not_found.join(', ')}.</p>}
      {owners.problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </details>
  )
}

function Others({ pull, onAsk }: { pull: PullRequest; onAsk: (userId: number) => void }): ReactElement {
  const { data: users } = useQuery(usersQuery(pull.organization_id))
  const nameOf = useNames(pull.organization_id)
  const others = (users ?? []).filter(
    ({ id, kind }) => kind === 'person' && !pull.reviewers.some(({ user_id: userId }) => userId === id),
  )
  return (
    <Pick
      icon="plus"
      label="Request a review from"
      value=""
      choices={[['', 'Request a review'], ...others.map(({ id }) => [String(id), nameOf(id)] as const)]}
      onChoose={(value) => value && onAsk(Number(value))}
    />
  )
}

import { RunwrightError, type PullRequest } from '@runwright/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client } from '#base/api.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { Pick } from '#ui/pick.tsx'
import { useCanManage } from '#components/use-can-manage.ts'
import { Fault } from '#components/fault.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { usePutPull, useReread } from './use-reread.ts'

const methods = [
  ['merge', 'Merge commit'],
  ['squash', 'Squash and merge'],
  ['rebase', 'Rebase and merge'],
] as const
type Method = (typeof methods)[number][0]

/** Merges exactly what the page shows, once confirmed, or closes, reopens or converts the pull request. */
export function MergeBox({ pull }: { pull: PullRequest }): ReactElement {
  const [method, setMethod] = useState<Method>('merge')
  const [isAsking, setAsking] = useState(false)
  const reread = useReread(pull)
  const putPull = usePutPull()
  const merge = useMutation({
    mutationFn: (expectedHead: string) =>
      client.pullRequests.mergePull({
        org_id: pull.organization_id,
        pr_id: pull.id,
        method,
        expected_head: expectedHead,
      }),
    // The page shows what the service has answered at once, and reads the rest after it.
    onSuccess: (merged) => {
      putPull(merged)
      setAsking(false)
    },
    onError: () => setAsking(false),
    onSettled: reread,
  })
  const isReady = pull.state === 'open' && !pull.draft
  const canManage = useCanManage(pull.organization_id)
  return (
    <section className="panel" aria-label="Merge">
      <header>
        <h2>Merge</h2>
        <span className="faint small">
          into <code>{pull.base_branch_name}</code>
        </span>
      </header>
      <div className="stack panel-body">
        <p className="muted">
          {isReady && canManage === false ? 'Only a MANAGER of this organization can merge.' : wordsOf(pull)}
        </p>
        {merge.error && <MergeFault pull={pull} error={merge.error} expectedHead={merge.variables} />}
      </div>
      <footer>
        <StateActs pull={pull} onAct={() => merge.reset()} />
        {isReady && canManage && (
          <div className="end row">
            <Pick
              icon="pr"
              label="How to merge"
              value={method}
              choices={methods}
              onChoose={(value) => setMethod(value as Method)}
            />
            <Button look="primary" isBusy={merge.isPending} onClick={() => setAsking(true)}>
              Merge
            </Button>
          </div>
        )}
      </footer>
      {isAsking && (
        <MergeDialog
          pull={pull}
          method={method}
          isBusy={merge.isPending}
          onMerge={() => merge.mutate(pull.head_commit)}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}

function wordsOf({ state, draft, head_commit: head }: PullRequest) {
  if (state === 'closed') return 'Closed. Reopen it to merge it.'
  if (draft) return 'Draft. Mark it as ready for review to merge it.'
  return (
    <>
      Merges <code className="mono">{head.slice(0, 7)}</code>. If the branch changes first, the merge is cancelled.
    </>
  )
}

type StateWord = 'open' | 'closed' | 'draft' | 'ready_for_review'

function StateActs({ pull, onAct }: { pull: PullRequest; onAct: () => void }): ReactElement {
  const reread = useReread(pull)
  const change = useMutation({
    mutationFn: (state: StateWord) =>
      client.pullRequests.updatePull({ org_id: pull.organization_id, pr_id: pull.id, state }),
    onMutate: onAct,
    onSettled: reread,
  })
  const acts: [StateWord, string][] =
    pull.state === 'closed'
      ? [['open', 'Reopen']]
      : [['closed', 'Close'], pull.draft ? ['ready_for_review', 'Ready for review'] : ['draft', 'Convert to draft']]
  return (
    <>
      {acts.map(([state, word]) => (
        <Button
          key={state}
          look="sm"
          isBusy={change.isPending && change.variables === state}
          onClick={() => change.mutate(state)}
        >
          {word}
        </Button>
      ))}
      {change.error && <Fault error={change.error} />}
    </>
  )
}

type FaultProps = { pull: PullRequest; error: Error; expectedHead: string }

function MergeFault({ pull, error, expectedHead }: FaultProps): ReactElement {
  const code = error instanceof RunwrightError ? error.code : undefined
  if (code === 'conflict' && pull.head_commit !== expectedHead) {
    return (
      <Notice>
        <p>The branch changed before the merge, so nothing was merged. The page now shows its latest commit.</p>
      </Notice>
    )
  }
  if (code !== 'merge_conflict') return <Fault error={error} />
  return (
    <Notice>
      <p>{error.message}</p>
      <p className="faint small">
        Nothing was merged. Merge {pull.base_branch_name} into {pull.head_branch_name} yourself or ask the agent to,
        then try again.
      </p>
    </Notice>
  )
}

import { RunwrightError, type PullRequest } from '@runwright/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client } from '#api.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { Pick } from '#ui/pick.tsx'
import { useCanManage } from '#components/use-can-manage.ts'
import { Fault } from '#components/fault.tsx'
import { useReread } from './use-reread.ts'

const methods = [
  ['merge', 'Merge commit'],
  ['squash', 'Squash and merge'],
  ['rebase', 'Rebase and merge'],
] as const
type Method = (typeof methods)[number][0]

/** Merges exactly what the page shows, or changes how the pull request stands. */
export function MergeBox({ pull }: { pull: PullRequest }): ReactElement {
  const [method, setMethod] = useState<Method>('merge')
  const reread = useReread(pull)
  const merge = useMutation({
    mutationFn: (expectedHead: string) =>
      client.pulls.merge(pull.organization_id, pull.id, { method, expected_head: expectedHead }),
    onSettled: reread,
  })
  const isReady = pull.state === 'open' && !pull.draft
  const canManage = useCanManage(pull.organization_id)
  return (
    <section className="panel" aria-label="Merge">
      <header>
        <h2>Merge</h2>
        <span className="text-ink-3 text-xs">
          into <code>{pull.base_branch_name}</code>
        </span>
      </header>
      <div className="grid grid-cols-1 gap-3 panel-body">
        <p className="text-ink-2">
          {isReady && canManage === false ? 'Merging takes a MANAGER of this organization.' : wordsOf(pull)}
        </p>
        {merge.error && <MergeFault pull={pull} error={merge.error} expectedHead={merge.variables} />}
      </div>
      <footer>
        <StateActs pull={pull} onAct={() => merge.reset()} />
        {isReady && canManage && (
          <div className="end flex items-center gap-2">
            <Pick
              icon="pr"
              label="How to merge"
              value={method}
              choices={methods}
              onChoose={(value) => setMethod(value as Method)}
            />
            <Button look="primary" isBusy={merge.isPending} onClick={() => merge.mutate(pull.head_commit)}>
              Merge
            </Button>
          </div>
        )}
      </footer>
    </section>
  )
}

function wordsOf({ state, draft, head_commit: head }: PullRequest) {
  if (state === 'closed') return 'It is closed. Opened again, it can be merged.'
  if (draft) return 'It is a draft: whoever works on it says when it is ready.'
  return (
    <>
      What is merged is what you see here, <code className="mono">{head.slice(0, 7)}</code>; where the branch has moved
      on, nothing is.
    </>
  )
}

type StateWord = 'open' | 'closed' | 'draft' | 'ready_for_review'

function StateActs({ pull, onAct }: { pull: PullRequest; onAct: () => void }): ReactElement {
  const reread = useReread(pull)
  const change = useMutation({
    mutationFn: (state: StateWord) => client.pulls.update(pull.organization_id, pull.id, { state }),
    onMutate: onAct,
    onSettled: reread,
  })
  const acts: [StateWord, string][] =
    pull.state === 'closed'
      ? [['open', 'Open again']]
      : [['closed', 'Close'], pull.draft ? ['ready_for_review', 'Ready for review'] : ['draft', 'Make it a draft']]
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
        <p>The branch has moved on since you read it, so nothing was merged. The page shows now what it holds.</p>
      </Notice>
    )
  }
  if (code !== 'merge_conflict') return <Fault error={error} />
  return (
    <Notice>
      <p>{error.message}</p>
      <p className="text-ink-3 text-xs">
        Nothing was merged. Bring {pull.base_branch_name} into {pull.head_branch_name}, by hand or by the next turn of
        its run; then merge.
      </p>
    </Notice>
  )
}

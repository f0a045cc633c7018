import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { client, enginesQuery, reposQuery } from '#base/api.ts'
import { nameOfRepo } from '#base/name-of-repo.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { BranchField } from '#components/start-run/branch-field.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Select } from '#ui/select.tsx'
import { TextField } from '#ui/text-field.tsx'
import { comparisonsQuery } from './queries.ts'

type NewContestant = { engine: string; model: string; count: string }

const runsMax = 8
const first: NewContestant = { engine: '', model: '', count: '1' }
const counts = Array.from({ length: runsMax }, (_, n) => [String(n + 1), n === 0 ? 'Once' : `${n + 1} times`] as const)

type NewComparison = { prompt: string; repo: string; branch: string; judges: string; contestants: NewContestant[] }

export function NewComparisonDialog({
  organizationId,
  onClose,
}: {
  organizationId: number
  onClose: () => void
}): ReactElement {
  const [prompt, setPrompt] = useState('')
  const [repo, setRepo] = useState('')
  const [branch, setBranch] = useState('')
  const [judges, setJudges] = useState('')
  const [contestants, setContestants] = useState([first, first])
  const { data: repos } = useQuery(reposQuery(organizationId))
  const runs = countRuns(contestants)
  const start = useStart(organizationId)
  return (
    <FormDialog
      title="New comparison"
      action={`Start ${runs} runs`}
      isReady={prompt.trim() !== '' && runs >= 2 && runs <= runsMax}
      mutation={start}
      onSubmit={() => start.mutate({ prompt, repo, branch, judges, contestants })}
      onClose={onClose}
    >
      <TextField
        label="Task"
        hint="What all contestants should do."
        isLong="words"
        value={prompt}
        onChange={setPrompt}
      />
      <Select
        label="Repository"
        value={repo}
        choices={[['', 'None'], ...(repos ?? []).map((one) => [String(one.id), nameOfRepo(one)] as const)]}
        onChange={(chosen) => {
          setRepo(chosen)
          setBranch('')
        }}
      />
      {repo && (
        <BranchField
          organizationId={organizationId}
          repoId={Number(repo)}
          label="Base branch"
          hint="All contestants start from its newest commit. If empty, the default branch."
          value={branch}
          isOff={false}
          onChange={setBranch}
        />
      )}
      <ContestantList organizationId={organizationId} contestants={contestants} onChange={setContestants} />
      {repo && (
        <TextField
          label="Judges"
          hint="Commands that must exit with 0 over each contestant’s work, one per line. If empty, the checks of the repository."
          isLong
          value={judges}
          onChange={setJudges}
        />
      )}
    </FormDialog>
  )
}

/** Starts a comparison, and shows it. */
function useStart(organizationId: number) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ prompt, repo, branch, judges, contestants }: NewComparison) =>
      client.comparisons.createComparison({
        org_id: organizationId,
        prompt,
        ...(repo && { repo_id: Number(repo) }),
        ...(branch && { base_branch: branch }),
        ...(judges.trim() && { judges: judges.split('\n').flatMap(toJudge) }),
        contestants: contestants.map(({ engine, model, count }) => ({
          ...(engine && { agent_type: engine }),
          ...(model.trim() && { model: model.trim() }),
          count: Number(count),
        })),
      }),
    onSuccess: async ({ id: comparisonId }) => {
      await queries.invalidateQueries({ queryKey: comparisonsQuery(organizationId).queryKey })
      await navigate({
        to: '/organizations/$organizationId/comparisons/$comparisonId',
        params: { organizationId, comparisonId },
      })
    },
  })
}

/** A command is its own name, as far as a name may be long. */
const toJudge = (line: string) => (line.trim() ? [{ name: line.trim().slice(0, 100), command: line.trim() }] : [])

const countRuns = (contestants: NewContestant[]) => contestants.reduce((sum, { count }) => sum + Number(count), 0)

type ListProps = {
  organizationId: number
  contestants: NewContestant[]
  onChange: (contestants: NewContestant[]) => void
}

function ContestantList({ organizationId, contestants, onChange }: ListProps): ReactElement {
  return (
    <>
      {contestants.map((contestant, n) => (
        <ContestantFields
          key={n}
          organizationId={organizationId}
          n={n}
          contestant={contestant}
          onChange={(changed) => onChange(contestants.with(n, { ...contestant, ...changed }))}
          {...(contestants.length > 1 && { onRemove: () => onChange(contestants.toSpliced(n, 1)) })}
        />
      ))}
      <p className="faint small">
        {countRuns(contestants)} runs. A comparison has 2 to {runsMax}. To see the best of several, run one contestant
        more than once.
      </p>
      <div>
        <Button look="sm" disabled={contestants.length >= runsMax} onClick={() => onChange([...contestants, first])}>
          <Icon name="plus" size={14} />
          Add a contestant
        </Button>
      </div>
    </>
  )
}

type FieldsProps = {
  organizationId: number
  n: number
  contestant: NewContestant
  onChange: (changed: Partial<NewContestant>) => void
  onRemove?: () => void
}

function ContestantFields({ organizationId, n, contestant, onChange, onRemove }: FieldsProps): ReactElement {
  const { data: engines } = useQuery(enginesQuery(organizationId))
  const choices = (engines ?? []).map(({ name, available, reason }) =>
    available ? ([name, name] as const) : ([name, name, reason ?? 'not available'] as const),
  )
  return (
    <fieldset className="contestant">
      <legend className="label">Contestant {n + 1}</legend>
      <Select
        label="Engine"
        value={contestant.engine}
        choices={[['', 'Default'], ...choices]}
        onChange={(engine) => onChange({ engine })}
      />
      <TextField label="Model" value={contestant.model} onChange={(model) => onChange({ model })} />
      <Select label="Runs" value={contestant.count} choices={counts} onChange={(count) => onChange({ count })} />
      {onRemove && (
        <Button look="ghost sm square" aria-label={`Remove contestant ${n + 1}`} onClick={onRemove}>
          <Icon name="x" size={14} />
        </Button>
      )}
    </fieldset>
  )
}

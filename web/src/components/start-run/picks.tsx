import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, type ReactElement } from 'react'
import { enginesQuery, modelsQuery, reposQuery } from '#base/api.ts'
import { nameOfRepo } from '#base/name-of-repo.ts'
import { Pick } from '#ui/pick.tsx'
import type { RunOptions } from './options.ts'

const budgets = [0.5, 1, 3, 5, 10, 25]
const limits = [10, 30, 60, 120]
/** The repository that was chosen last is chosen again. */
const repoKey = (organizationId: number) => `repository of ${organizationId}`

type Props = { organizationId: number; options: RunOptions; onChange: (changed: Partial<RunOptions>) => void }

type Offer = { name: string; available: boolean; reason: string | null }

/** Those that cannot be chosen stand at the end, and say why. */
export const offered = (offers: Offer[]): [value: string, word: string, why?: string][] =>
  offers
    .toSorted((one, other) => Number(other.available) - Number(one.available))
    .map(({ name, available, reason }) => (available ? [name, name] : [name, name, reason ?? 'unavailable']))

/** What is chosen for nearly every run, each with one press. */
export function Picks({ organizationId, options, onChange }: Props): ReactElement {
  const { data: repos } = useQuery(reposQuery(organizationId))
  const { data: engines } = useQuery(enginesQuery(organizationId))
  const { data: models } = useQuery(modelsQuery(organizationId))
  const ofRepo = repos?.find(({ id }) => id === options.repoId)?.default_engine
  const chooseFirst = useEffectEvent(() => {
    // What is chosen stays when the repositories are read again.
    if (options.repoId !== null) return
    const remembered = localStorage.getItem(repoKey(organizationId))
    const known = repos?.find(({ id }) => String(id) === remembered)
    const only = remembered === null && repos?.length === 1 ? repos[0] : undefined
    const repo = known ?? only
    if (repo && !repo.archived) onChange({ repoId: repo.id })
  })
  useEffect(() => chooseFirst(), [repos, organizationId])
  return (
    <>
      <Pick
        icon="repo"
        label="Repository"
        value={options.repoId === null ? '' : String(options.repoId)}
        choices={[
          ['', 'No repository'],
          ...(repos ?? [])
            .filter(({ archived }) => !archived)
            .map((repo) => [String(repo.id), nameOfRepo(repo)] as const),
        ]}
        onChoose={(value) => {
          localStorage.setItem(repoKey(organizationId), value)
          onChange({ repoId: value ? Number(value) : null, pullId: null, baseBranch: '', branch: '', paths: '' })
        }}
      />
      <Pick
        icon="engine"
        label="Engine"
        className="opt"
        value={options.engine ?? ''}
        choices={[['', ofRepo ? `Default engine (${ofRepo})` : 'Default engine'], ...offered(engines ?? [])]}
        onChoose={(value) => onChange({ engine: value || null })}
      />
      {models && models.length > 0 && (
        <Pick
          icon="box"
          label="Model"
          className="opt"
          value={options.model ?? ''}
          choices={[['', 'Default model'], ...offered(models)]}
          onChoose={(value) => onChange({ model: value || null })}
        />
      )}
      <Pick
        icon="coin"
        label="Budget"
        className="opt"
        value={options.budgetUsd === null ? '' : String(options.budgetUsd)}
        choices={[['', 'No budget'], ...budgets.map((usd) => [String(usd), `$${usd.toFixed(2)}`] as const)]}
        onChoose={(value) => onChange({ budgetUsd: value ? Number(value) : null })}
      />
      <Pick
        icon="clock"
        label="Time"
        className="opt"
        value={options.minutes === null ? '' : String(options.minutes)}
        choices={[['', 'Default time'], ...limits.map((minutes) => [String(minutes), `${minutes} min`] as const)]}
        onChoose={(value) => onChange({ minutes: value ? Number(value) : null })}
      />
    </>
  )
}

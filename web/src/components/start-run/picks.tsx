import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactElement } from 'react'
import { enginesQuery, modelsQuery, reposQuery } from '#api.ts'
import { nameOfRepo } from '#components/name-of-repo.ts'
import { Pick } from '#ui/pick.tsx'
import type { RunOptions } from './options.ts'

const budgets = [0.5, 1, 3, 5, 10, 25]
const limits = [10, 30, 60, 120]
/** The repository that was chosen last is chosen again. */
const repoKey = (organizationId: number) => `repository of ${organizationId}`

type Props = { organizationId: number; options: RunOptions; onChange: (changed: Partial<RunOptions>) => void }

/** What is chosen for nearly every run, each with one press. */
export function Picks({ organizationId, options, onChange }: Props): ReactElement {
  const { data: repos } = useQuery(reposQuery(organizationId))
  const { data: engines } = useQuery(enginesQuery(organizationId))
  const { data: models } = useQuery(modelsQuery(organizationId))
  useEffect(() => {
    const remembered = Number(localStorage.getItem(repoKey(organizationId)))
    const known = repos?.find(({ id }) => id === remembered) ?? (repos?.length === 1 ? repos[0] : undefined)
    if (known) onChange({ repoId: known.id })
  }, [repos, organizationId])
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
          onChange({ repoId: value ? Number(value) : null })
        }}
      />
      <Pick
        icon="engine"
        label="Engine"
        className="opt"
        value={options.engine ?? ''}
        choices={[
          ['', 'Default engine'],
          ...(engines ?? []).filter(({ available }) => available).map(({ name }) => [name, name] as const),
        ]}
        onChoose={(value) => onChange({ engine: value || null })}
      />
      {models?.some(({ available }) => available) && (
        <Pick
          icon="box"
          label="Model"
          className="opt"
          value={options.model ?? ''}
          choices={[
            ['', 'Default model'],
            ...models.filter(({ available }) => available).map(({ name }) => [name, name] as const),
          ]}
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

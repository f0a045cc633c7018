import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, reposQuery } from '#base/api.ts'
import { Select } from '#ui/select.tsx'
import { TextField } from '#ui/text-field.tsx'
import { BranchField } from './branch-field.tsx'
import type { RunOptions } from './options.ts'

type Props = { organizationId: number; options: RunOptions; onChange: (changed: Partial<RunOptions>) => void }

/** Where the work begins: at a branch, on a branch that exists, or in an open pull request; and in which folders. */
export function BranchFields({ organizationId, options, onChange }: Props): ReactElement | null {
  const { repoId, pullId } = options
  const { data: repos } = useQuery(reposQuery(organizationId))
  const { data: pulls } = useQuery({
    queryKey: ['pulls', organizationId, repoId, 'to go on with'],
    queryFn: () =>
      client.pullRequests.listPulls({ org_id: organizationId, repo_id: repoId ?? 0, state: 'open', limit: 100 }),
    enabled: repoId !== null,
  })
  const repo = repos?.find(({ id }) => id === repoId)
  if (!repo) return <p className="hint">Choose a repository to choose branches.</p>
  const open = pulls?.items ?? []
  const ids = { organizationId, repoId: repo.id }
  return (
    <>
      <Select
        label="Continue a pull request"
        hint="The run works on its branch and updates it."
        value={pullId === null ? '' : String(pullId)}
        choices={[
          ['', 'No: open a new one'],
          ...open.map(({ id, number, title }) => [String(id), `#${number} ${title}`] as const),
        ]}
        onChange={(value) => onChange({ pullId: value ? Number(value) : null, ...(value && { branch: '' }) })}
      />
      <BranchField
        {...ids}
        label="Base branch"
        hint={`Where the work starts. If empty, ${repo.default_branch}.`}
        value={options.baseBranch}
        isOff={pullId !== null}
        onChange={(baseBranch) => onChange({ baseBranch })}
      />
      <BranchField
        {...ids}
        isNotDefault
        label="Continue a branch"
        hint="An existing branch other than the default branch."
        value={options.branch}
        isOff={pullId !== null}
        onChange={(branch) => onChange({ branch })}
      />
      <TextField
        label="Folders"
        hint="The work tree holds only these, with the files next to them and above them. One per line; if empty, as the repository is configured."
        isLong
        value={options.paths}
        onChange={(paths) => onChange({ paths })}
      />
    </>
  )
}

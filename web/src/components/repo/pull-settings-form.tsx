import type { Repository } from '@runwright/sdk'
import type { ReactElement } from 'react'
import type { RepoIds } from '#base/api.ts'
import { Select } from '#ui/select.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useEdited } from '#ui/use-edited.ts'
import { useSaveRepo } from './queries.ts'
import { toItems, toText } from '#base/lines.ts'
import { SettingsForm } from './settings-form.tsx'

const openings = [
  ['ready', 'Ready for review'],
  ['draft', 'As drafts, until their checks pass'],
] as const
const updates = [
  ['merge', 'Merge the base branch'],
  ['rebase', 'Rebase onto the base branch'],
  ['off', 'Do nothing'],
] as const
const merges = [
  ['off', 'A person merges it'],
  ['merge', 'Merge commit'],
  ['squash', 'Squash and merge'],
  ['rebase', 'Rebase and merge'],
] as const
const branches = [
  ['keep', 'Keep it'],
  ['delete', 'Delete it'],
] as const

type Props = { ids: RepoIds; repo: Repository; canManage: boolean | undefined }
type PullSettings = Repository['pull_settings']

export function PullSettingsForm({ ids, repo, canManage }: Props): ReactElement {
  const { form, change, drop, ...edited } = useEdited(toForm(repo.pull_settings))
  const save = useSaveRepo(ids)
  return (
    <SettingsForm
      label="Pull requests"
      canEdit={canManage}
      {...edited}
      onDrop={drop}
      saving={save}
      onSave={() => save.mutate({ pull_settings: toBody(form) }, { onSuccess: () => drop(form) })}
    >
      <div className="setting-columns">
        <Select label="Open" value={form.opened} choices={openings} onChange={(opened) => change({ opened })} />
        <Select
          label="When the base branch has moved"
          hint="If it conflicts with it, or must contain it to be merged."
          value={form.update}
          choices={updates}
          onChange={(update) => change({ update })}
        />
        <Select
          label="When checks pass"
          hint="Rules of the branch on the code host still apply."
          value={form.merge}
          choices={merges}
          onChange={(merge) => change({ merge })}
        />
        <Select
          label="Branch after the merge"
          value={form.branch}
          choices={branches}
          onChange={(branch) => change({ branch })}
        />
      </div>
      <TextField
        label="Branch names"
        hint="For new runs. {run} is the number of the run and required; {title} is made from its title."
        value={form.pattern}
        onChange={(pattern) => change({ pattern })}
      />
      {repo.host !== 'local' && (
        <label className="check">
          <input type="checkbox" checked={form.signs} onChange={({ target }) => change({ signs: target.checked })} />
          <span>Have GitHub sign the commits of runs (needs a GitHub App)</span>
        </label>
      )}
      <TextField
        label="Labels"
        hint="Each pull request gets these labels. One per line."
        isLong
        value={form.labels}
        onChange={(labels) => change({ labels })}
      />
    </SettingsForm>
  )
}

type Form = {
  opened: string
  update: string
  merge: string
  branch: string
  pattern: string
  labels: string
  signs: boolean
}

const toForm = (settings: PullSettings): Form => ({
  opened: settings.draft_until_green ? 'draft' : 'ready',
  update: settings.update_branch,
  merge: settings.merge_when_green,
  branch: settings.delete_branch ? 'delete' : 'keep',
  pattern: settings.branch_pattern,
  labels: toText(settings.labels),
  signs: settings.sign_commits,
})

const toBody = ({ opened, update, merge, branch, pattern, labels, signs }: Form): Partial<PullSettings> => ({
  draft_until_green: opened === 'draft',
  update_branch: update as PullSettings['update_branch'],
  merge_when_green: merge as PullSettings['merge_when_green'],
  delete_branch: branch === 'delete',
  branch_pattern: pattern.trim() || 'agent/{run}-{title}',
  labels: toItems(labels),
  sign_commits: signs,
})

import type { Repository } from '@runwright/sdk'
import type { ReactElement } from 'react'
import type { RepoIds } from '#base/api.ts'
import { Select } from '#ui/select.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useEdited } from '#ui/use-edited.ts'
import { useSaveRepo } from './queries.ts'
import { toItems, toText } from './lines.ts'
import { SettingsForm } from './settings-form.tsx'

const openings = [
  ['ready', 'Ready for review'],
  ['draft', 'As drafts, until their checks pass'],
] as const

type Props = { ids: RepoIds; repo: Repository; canManage: boolean | undefined }

export function PullSettingsForm({ ids, repo, canManage }: Props): ReactElement {
  const saved = repo.pull_settings
  const { form, change, drop, ...edited } = useEdited({
    opened: saved.draft_until_green ? 'draft' : 'ready',
    labels: toText(saved.labels),
  })
  const save = useSaveRepo(ids)
  return (
    <SettingsForm
      label="Pull requests"
      canEdit={canManage}
      {...edited}
      onDrop={drop}
      saving={save}
      onSave={() => {
        const settings = { draft_until_green: form.opened === 'draft', labels: toItems(form.labels) }
        save.mutate({ pull_settings: settings }, { onSuccess: () => drop(form) })
      }}
    >
      <Select label="Open" value={form.opened} choices={openings} onChange={(opened) => change({ opened })} />
      {repo.host !== 'local' && (
        <TextField
          label="Labels"
          hint="Each pull request gets these labels. One per line."
          isLong
          value={form.labels}
          onChange={(labels) => change({ labels })}
        />
      )}
    </SettingsForm>
  )
}

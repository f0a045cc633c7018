import type { PullRequest } from '@runwright/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client } from '#base/api.ts'
import { toItems, toText } from '#base/lines.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useIsLocal } from './use-is-local.ts'
import { useReread } from './use-reread.ts'

/** What a pull request is called, and what its maker says of it. */
export function EditPullDialog({ pull, onClose }: { pull: PullRequest; onClose: () => void }): ReactElement {
  const [title, setTitle] = useState(pull.title)
  const [body, setBody] = useState(pull.body)
  const [labels, setLabels] = useState(toText(pull.labels))
  // Another host has its own.
  const isLocal = useIsLocal(pull)
  const reread = useReread(pull)
  const save = useMutation({
    mutationFn: () =>
      client.pullRequests.updatePull({
        org_id: pull.organization_id,
        pr_id: pull.id,
        title: title.trim(),
        body,
        ...(isLocal && { labels: toItems(labels) }),
      }),
    onSuccess: async () => {
      await reread()
      onClose()
    },
  })
  return (
    <FormDialog
      title="Edit this pull request"
      action="Save"
      isReady={title.trim() !== ''}
      mutation={save}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField label="Title" value={title} onChange={setTitle} />
      <TextField label="Description" value={body} isLong="words" onChange={setBody} />
      {isLocal && <TextField label="Labels" hint="One per line." value={labels} isLong onChange={setLabels} />}
    </FormDialog>
  )
}

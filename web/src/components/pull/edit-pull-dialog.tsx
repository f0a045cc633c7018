import type { PullRequest } from '@runwright/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client } from '#api.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { Fault } from '#components/fault.tsx'
import { useReread } from './use-reread.ts'

/** What a pull request is called, and what its maker says of it. */
export function EditPullDialog({ pull, onClose }: { pull: PullRequest; onClose: () => void }): ReactElement {
  const [title, setTitle] = useState(pull.title)
  const [body, setBody] = useState(pull.body)
  const reread = useReread(pull)
  const save = useMutation({
    mutationFn: () => client.pulls.update(pull.organization_id, pull.id, { title: title.trim(), body }),
    onSuccess: async () => {
      await reread()
      onClose()
    },
  })
  return (
    <Dialog
      title="Edit this pull request"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={!title.trim()} isBusy={save.isPending} onClick={() => save.mutate()}>
            Save
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <TextField label="Title" value={title} onChange={setTitle} />
        <TextField label="Description" value={body} isLong="words" onChange={setBody} />
        {save.error && <Fault error={save.error} />}
      </div>
    </Dialog>
  )
}

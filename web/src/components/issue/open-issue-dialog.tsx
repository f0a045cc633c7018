import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { client, issuesKey, type RepoIds } from '#api.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'

/** Opens an issue, and shows it. */
export function OpenIssueDialog({ place, onClose }: { place: RepoIds; onClose: () => void }): ReactElement {
  const [title, setTitle] = useState('')
  const [body, setBody] = useState('')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const open = useMutation({
    mutationFn: () => client.issues.create(place.organizationId, place.repoId, { title: title.trim(), body }),
    onSuccess: async ({ number }) => {
      void queries.invalidateQueries({ queryKey: issuesKey(place) })
      const to = '/organizations/$organizationId/repos/$repoId/issues/$number'
      await navigate({ to, params: { ...place, number } })
    },
  })
  return (
    <Dialog
      title="New issue"
      onClose={onClose}
      onSubmit={() => {
        if (title.trim() && !open.isPending) open.mutate()
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!title.trim()} isBusy={open.isPending}>
            Create
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <TextField label="Title" value={title} onChange={setTitle} />
        <TextField label="Description" value={body} isLong="words" onChange={setBody} />
        {open.error && <Fault error={open.error} />}
      </div>
    </Dialog>
  )
}

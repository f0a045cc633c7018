import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, type RepoIds } from '#api.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { secretsQuery } from './queries.ts'

export function RemoveSecretDialog({
  ids,
  name,
  onClose,
}: {
  ids: RepoIds
  name: string
  onClose: () => void
}): ReactElement {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.secrets.remove(ids.organizationId, name, { repo_id: ids.repoId }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: secretsQuery(ids).queryKey })
      onClose()
    },
  })
  return (
    <Dialog
      title={`Remove ${name}?`}
      onClose={onClose}
      onSubmit={() => remove.mutate()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="destroy" data-first isBusy={remove.isPending}>
            Remove
          </Button>
        </>
      }
    >
      <p>Commands of later runs won't find it. The value can't be restored.</p>
      {remove.error && <Fault error={remove.error} />}
    </Dialog>
  )
}

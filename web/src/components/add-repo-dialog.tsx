import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, reposQuery } from '#api.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toasts.tsx'
import { Fault } from './fault.tsx'

/** An empty repository on the built-in host, or a copy there of one that is elsewhere. */
export function AddRepoDialog({
  organizationId,
  onClose,
}: {
  organizationId: number
  onClose: () => void
}): ReactElement {
  const [name, setName] = useState('')
  const [from, setFrom] = useState('')
  const queries = useQueryClient()
  const add = useMutation({
    mutationFn: () =>
      client.repos.create(organizationId, {
        ...(name.trim() ? { name: name.trim() } : {}),
        ...(from.trim() ? { import_from: from.trim() } : {}),
      }),
    onSuccess: (repo) => {
      void queries.invalidateQueries({ queryKey: reposQuery(organizationId).queryKey })
      toast(`${repo.name} is there`)
      onClose()
    },
  })
  const isGiven = Boolean(name.trim() || from.trim())
  return (
    <Dialog
      title="Add a repository"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button look="primary" disabled={!isGiven} isBusy={add.isPending} onClick={() => add.mutate()}>
            {from.trim() ? 'Copy it' : 'Make it'}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <TextField
          label="Name"
          hint="Letters, digits, dots and dashes; taken from the address when left empty."
          value={name}
          onChange={setName}
        />
        <TextField
          label="Copy from"
          hint="The address of a repository. Left empty, the new one is empty too."
          value={from}
          onChange={setFrom}
        />
        {add.error && <Fault error={add.error} />}
      </div>
    </Dialog>
  )
}

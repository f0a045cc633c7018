import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, mcpServersQuery } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { TextField } from '#ui/text-field.tsx'

/** Adds a server: with an address, or with a command that starts it in each sandbox. */
export function AddMcpServerDialog({
  organizationId,
  onClose,
}: {
  organizationId: number
  onClose: () => void
}): ReactElement {
  const [name, setName] = useState('')
  const [place, setPlace] = useState('')
  const [header, setHeader] = useState('')
  const queries = useQueryClient()
  const isRemote = /^https?:\/\//.test(place.trim())
  const add = useMutation({
    mutationFn: () =>
      client.mcpServers.createMcpServer({
        org_id: organizationId,
        name: name.trim(),
        ...(isRemote ? { url: place.trim() } : { command: place.trim().split(/\s+/) }),
        ...(isRemote && header.trim() ? { headers: { Authorization: header.trim() } } : {}),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: mcpServersQuery(organizationId).queryKey })
      onClose()
    },
  })
  return (
    <FormDialog
      title="Add an MCP server"
      action="Add server"
      isReady={name.trim() !== '' && place.trim() !== ''}
      mutation={add}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField label="Name" hint="Lower case letters, digits and hyphens." value={name} onChange={setName} />
      <TextField
        label="URL or command"
        hint="A command starts in the sandbox of each run."
        value={place}
        onChange={setPlace}
      />
      {isRemote && (
        <TextField
          label="Authorization header"
          hint="Use ${NAME} for the value of a secret, as in: Bearer ${NAME}"
          value={header}
          onChange={setHeader}
        />
      )}
    </FormDialog>
  )
}

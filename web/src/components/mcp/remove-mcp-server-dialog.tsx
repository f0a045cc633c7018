import type { McpServer } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, mcpServersQuery } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'

type Props = { organizationId: number; server: McpServer; onClose: () => void }

export function RemoveMcpServerDialog({ organizationId, server, onClose }: Props): ReactElement {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.mcpServers.removeMcpServer({ org_id: organizationId, mcp_server_id: server.id }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: mcpServersQuery(organizationId).queryKey })
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Remove ${server.name}?`}
      action="Remove server"
      look="destroy"
      isQuestion
      mutation={remove}
      onSubmit={remove.mutate}
      onClose={onClose}
    >
      <p>Runs can no longer use its tools.</p>
    </FormDialog>
  )
}

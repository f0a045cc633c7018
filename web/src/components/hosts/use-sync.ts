import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client, integrationHealthQuery, integrationsQuery } from '#base/api.ts'

/** Has a code host looked at now, and reads what came of it. */
export function useSync(organizationId: number, integrationId: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => client.organizations.syncIntegration({ org_id: organizationId, integration_id: integrationId }),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: integrationsQuery(organizationId).queryKey })
      await queries.invalidateQueries({ queryKey: integrationHealthQuery(organizationId, integrationId).queryKey })
    },
  })
}

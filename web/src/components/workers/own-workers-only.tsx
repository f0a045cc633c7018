import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, organizationQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'

/** Whether runs go to the organization's own workers alone; it is saved as it is ticked. */
export function OwnWorkersOnly({ organizationId }: { organizationId: number }): ReactElement | null {
  const { data: organization } = useQuery(organizationQuery(organizationId))
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: (isOn: boolean) =>
      client.organizations.updateOrganization({ org_id: organizationId, settings: { own_workers_only: isOn } }),
    onSuccess: (changed) => queries.setQueryData(organizationQuery(organizationId).queryKey, changed),
  })
  if (!organization) return null
  return (
    <section className="section">
      <h2>Where runs go</h2>
      <label className="check">
        <input
          type="checkbox"
          checked={save.isPending ? save.variables : organization.settings.own_workers_only}
          onChange={({ target }) => save.mutate(target.checked)}
        />
        <span>Only to your own workers. While none is free, runs and checks wait.</span>
      </label>
      {save.error && <Fault error={save.error} />}
    </section>
  )
}

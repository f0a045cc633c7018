import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '#base/api.ts'

type SandboxIds = { organizationId: number; sandboxId: number }

const pageSize = 50
/** How often a page looks at a sandbox in which something may run. */
const runningMs = 3_000

const nextSkip = ({ items, total }: { items: unknown[]; total: number }, pages: { items: unknown[] }[]) => {
  const count = pages.reduce((sum, { items }) => sum + items.length, 0)
  return items.length && count < total ? count : undefined
}

export const commandsQuery = ({ organizationId, sandboxId }: SandboxIds, isRunning: boolean) =>
  infiniteQueryOptions({
    queryKey: ['sandbox', organizationId, sandboxId, 'commands'],
    queryFn: ({ pageParam: skip }) =>
      client.sandboxes.listSandboxLog({ org_id: organizationId, sandbox_id: sandboxId, skip, limit: pageSize }),
    initialPageParam: 0,
    getNextPageParam: nextSkip,
    refetchInterval: isRunning ? runningMs : false,
  })

export const requestsQuery = ({ organizationId, sandboxId }: SandboxIds, isRunning: boolean) =>
  infiniteQueryOptions({
    queryKey: ['sandbox', organizationId, sandboxId, 'requests'],
    queryFn: ({ pageParam: skip }) =>
      client.egress.listSandboxEgress({ org_id: organizationId, sandbox_id: sandboxId, skip, limit: pageSize }),
    initialPageParam: 0,
    getNextPageParam: nextSkip,
    refetchInterval: isRunning ? runningMs : false,
  })

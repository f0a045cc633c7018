import { HostError } from '#adapters/codehosts/code-host.ts'
import type { Reached } from './client.ts'

export type Graphql = { query: string; variables: Record<string, string | number | null> }

/** What REST has no way to do. GraphQL answers 200 whatever becomes of it; the first thing against it is thrown as a `HostError`. */
export async function askGraphql(at: Reached, asked: Graphql): Promise<Record<string, unknown>> {
  const { baseUrl } = at.connection
  const { data } = (await at.ask('POST /graphql', {
    ...(baseUrl !== null && { baseUrl: baseUrl.replace(/\/v3$/, '') }),
    ...asked,
  })) as { data: { data: Record<string, unknown>; errors?: { message: string; type?: string }[] } }
  const [fault] = data.errors ?? []
  if (fault) throw new HostError(fault.type === 'FORBIDDEN' ? 'forbidden' : 'conflict', `GitHub says: ${fault.message}`)
  return data.data
}

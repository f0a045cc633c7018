import type { RequestPermissionResponse } from '@agentclientprotocol/sdk'

/**
 * Answers an agent that asks whether it may do something: the sandbox decides what it can do, so it may. Once, so that a
 * session that is taken up later asks again.
 */
export function pickOption(params: unknown): RequestPermissionResponse {
  const { options } = (params ?? {}) as { options?: unknown }
  const known = (Array.isArray(options) ? options : []) as { optionId?: unknown; kind?: unknown }[]
  const picked =
    known.find(({ kind }) => kind === 'allow_once') ?? known.find(({ kind }) => kind === 'allow_always') ?? known[0]
  if (typeof picked?.optionId !== 'string') return { outcome: { outcome: 'cancelled' } }
  return { outcome: { outcome: 'selected', optionId: picked.optionId } }
}

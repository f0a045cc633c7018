import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client } from '#api.ts'

/** Signs this browser out, and forgets all that it has read. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    await client.session.revoke()
    await navigate({ to: '/sign-in' })
    queries.clear()
  }
}

import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client, signInWaysQuery } from '#api.ts'

/** Signs this browser out, and forgets all that it has read. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    await client.session.revoke()
    await navigate({ to: '/sign-in' })
    // The page that is there now has asked for this already, and it is about nobody.
    const [kept] = signInWaysQuery().queryKey
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== kept })
  }
}

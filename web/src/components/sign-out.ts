import { client } from '#api.ts'

/** Signs this browser out. The page is loaded anew, so that nothing is left of what it has read or was about to. */
export async function signOut(): Promise<void> {
  await client.session.revoke()
  location.assign('/sign-in')
}

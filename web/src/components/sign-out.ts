import { client } from '#api.ts'
import { dropDrafts } from '#ui/use-draft.ts'

/** Signs this browser out and reloads the page, so that nothing stays of what it read, drafts included. */
export async function signOut(): Promise<void> {
  await client.session.revoke()
  dropDrafts()
  location.assign('/sign-in')
}

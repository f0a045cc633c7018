import type { App } from '#app/app.ts'
import { findLostSecrets } from '#domain/repos/secrets/find-lost-secrets.ts'

/** Why the organizations' secrets cannot be read; undefined when they can. */
export async function whyNoSecrets(app: Pick<App, 'secretBox' | 'pool'>): Promise<string | undefined> {
  const lost = await findLostSecrets(app.pool, app.secretBox)
  if (!lost.length) return undefined
  return `those of ${countOf(lost)} were sealed with another secret key. Give RUNWRIGHT_SECRET_KEY (or the file secret-key in the data folder) as it was; if it was changed on purpose, give the one before as RUNWRIGHT_SECRET_KEY_PREVIOUS. If that is lost, "npm start -- forget-secrets" removes what cannot be read any more.`
}

/** Why the store of artifacts and checkpoints cannot be used now; undefined when it can. */
export function whyNoBlobs({ blobs }: Pick<App, 'blobs'>): Promise<string | undefined> {
  return blobs.probe().then(
    () => undefined,
    (error: Error) => error.message,
  )
}

export const countOf = ({ length }: number[]) => (length === 1 ? 'one organization' : `${length} organizations`)

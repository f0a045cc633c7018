import { HostError, type HostErrorCode, type HostTalk, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { LocalHost } from '#adapters/codehosts/local/local.ts'
import { noTalk } from '#adapters/codehosts/local/no-talk.ts'
import { systemClock } from '#base/clock.ts'
import { AppError } from '#base/errors.ts'
import { readRepoPath } from '#base/repo-path.ts'
import type { Db } from '#db/pool.ts'
import { asHostPull, findHostPull } from '#domain/pulls/find-host-pull.ts'
import { mergePull } from '#domain/pulls/merge-pull.ts'
import { updatePull } from '#domain/pulls/update-pull.ts'

export type LocalTalk = {
  /** Where people reach the service. */
  publicUrl: () => string
  /** The host whose talk this is. */
  store: () => LocalHost
}

/** What people and programs do around the built-in host's repositories: verbs of the domain, in the words of a host. */
export function localTalk(db: Db, { publicUrl, store }: LocalTalk): HostTalk {
  const find = (repo: RepoRef, number: number) => findHostPull(db, { ...placeOf(repo), number })
  const verbs: HostTalk = {
    ...noTalk,
    getPull: async (repo, number) => asHostPull(await find(repo, number), publicUrl()),
    updatePull: async (repo, number, { title, body, state }) => {
      const { organizationId, id: pullId } = await find(repo, number)
      return asHostPull(
        await updatePull(db, { organizationId, pullId, store: store(), title, body, state }),
        publicUrl(),
      )
    },
    mergePull: async (repo, number, { method, expectedHead, title, message }) => {
      const { organizationId, id: pullId } = await find(repo, number)
      const words = { ...(title !== undefined && { title }), ...(message !== undefined && { message }) }
      const wanted = { organizationId, pullId, store: store(), method, expectedHead, userId: null, ...words }
      const { mergeCommit } = await mergePull(db, { ...wanted, at: systemClock.now() })
      return { commit: mergeCommit as string }
    },
  }
  return inHostWords(verbs)
}

/** The row of a repository on the built-in host. Throws a `HostError`. */
function placeOf(repo: RepoRef): { organizationId: number; repoId: number } {
  const place = readRepoPath(repo.path)
  if (!place || place.organizationId !== repo.organizationId)
    throw new HostError('not_found', `There is no repository at ${repo.path}.`)
  return { organizationId: place.organizationId, repoId: place.repoId }
}

/** The same verbs, which reject as any host does. */
function inHostWords(talk: HostTalk): HostTalk {
  const said = Object.entries(talk).map(([name, verb]) => [
    name,
    async (...given: unknown[]) => {
      try {
        return await (verb as (...given: unknown[]) => Promise<unknown>)(...given)
      } catch (error) {
        throw error instanceof AppError ? new HostError(codeOf(error), error.message, { cause: error }) : error
      }
    },
  ])
  return Object.fromEntries(said) as HostTalk
}

function codeOf({ status }: AppError): HostErrorCode {
  const codes: Record<number, HostErrorCode> = {
    403: 'forbidden',
    404: 'not_found',
    409: 'conflict',
    503: 'unavailable',
  }
  return codes[status] ?? 'invalid'
}

import type { BlobStore } from '#adapters/blobs/blob-store.ts'
import { HostError, type HostErrorCode, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Forge } from '#adapters/codehosts/forge.ts'
import type { GitStore } from '#adapters/codehosts/git-store.ts'
import type { RepositoryAdmin } from '#adapters/codehosts/local/repository-admin.ts'
import { placeOf } from '#adapters/codehosts/place-of.ts'
import type { Mergeability } from '#base/hosts/host-facts.ts'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { listChecks } from '#domain/hosts/checks/list-checks.ts'
import { readCheckLog } from '#domain/hosts/checks/read-check-log.ts'
import { reportCheck } from '#domain/hosts/checks/report-check.ts'
import { rerunCheck } from '#domain/hosts/checks/rerun-check.ts'
import { listHostComments } from '#domain/hosts/comments/list-host-comments.ts'
import { saveThreadReply } from '#domain/hosts/comments/save-thread-reply.ts'
import { saveHostComment } from '#domain/hosts/comments/save-host-comment.ts'
import { listToldPushes } from '#domain/hosts/events/list-told-pushes.ts'
import { getIssue } from '#domain/hosts/issues/get-issue.ts'
import { issueUrl } from '#domain/hosts/issues/issue.ts'
import { getAgentUser } from '#domain/accounts/organizations/get-agent-user.ts'
import { getHostPermission } from '#domain/accounts/organizations/get-host-permission.ts'
import { addLabels } from '#domain/hosts/pulls/add-labels.ts'
import { asHostPull, findHostPull } from '#domain/hosts/pulls/find-host-pull.ts'
import { mergePull } from '#domain/hosts/pulls/merge-pull.ts'
import { openPull } from '#domain/hosts/pulls/open-pull.ts'
import { pullUrl, type Pull } from '#domain/hosts/pulls/pull.ts'
import { resolveThreads } from '#domain/hosts/pulls/resolve-threads.ts'
import { revertPull } from '#domain/hosts/pulls/revert-pull.ts'
import { updatePull } from '#domain/hosts/pulls/update-pull.ts'
import { asReviewComment } from '#domain/hosts/reviews/review.ts'
import { areChangesRequested } from '#domain/hosts/reviews/are-changes-requested.ts'
import { saveReview } from '#domain/hosts/reviews/save-review.ts'

export type BuiltinForge = {
  /** Where people reach the service. */
  publicUrl: string
  /** Of the host whose forge this is. */
  git: GitStore
  admin: RepositoryAdmin
  /** Where the logs of checks lie. */
  blobs: BlobStore
  clock: Clock
}

/** What people and programs do around the built-in host's repositories: verbs of the domain, in the words of a host. */
export function builtinForge(db: Db, { publicUrl, git, admin, blobs, clock }: BuiltinForge): Forge {
  const find = (repo: RepoRef, number: number) => findHostPull(db, { ...placeOf(repo), number })
  const hosts = { git: () => git, forge: (): Forge => forge, admin }
  const forge: Forge = {
    openPull: async (repo, open) => {
      const { headBranch, baseBranch: base, headCommit: head } = open
      if (!(await admin.hasDiff(repo, { base, head })))
        throw new HostError('no_diff', `${headBranch} changes nothing that ${base} does not hold.`)
      return openPull(db, { ...open, organizationId: repo.organizationId, publicUrl })
    },
    getPull: async (repo, number) => asHostPull(await find(repo, number), publicUrl),
    getMergeability: async (repo, number) => getMergeability({ git, admin }, repo, await find(repo, number)),
    updatePull: async (repo, number, { title, body, state }) => {
      const { organizationId, id: pullId } = await find(repo, number)
      return asHostPull(await updatePull(db, { organizationId, pullId, hosts, title, body, state }), publicUrl)
    },
    mergePull: async (repo, number, { method, expectedHead, title, message }) => {
      const { organizationId, id: pullId } = await find(repo, number)
      const words = { ...(title !== undefined && { title }), ...(message !== undefined && { message }) }
      const merge = { organizationId, pullId, hosts, method, expectedHead, userId: null, ...words }
      const { mergeCommit } = await mergePull(db, { ...merge, at: clock.now() })
      return { commit: mergeCommit as string }
    },
    revertPull: async (repo, number) => {
      const { organizationId, id: pullId } = await find(repo, number)
      const revert = { organizationId, pullId, hosts, userId: null, publicUrl }
      return asHostPull(await revertPull(db, { ...revert, at: clock.now() }), publicUrl)
    },
    addLabels: (repo, number, labels) => addLabels(db, { ...placeOf(repo), number, labels }),
    getIssue: async (repo, number) => {
      const issue = await getIssue(db, { ...placeOf(repo), number })
      return { ...issue, url: issueUrl(publicUrl, issue) }
    },
    listComments: (repo, on) => listHostComments(db, { ...placeOf(repo), on, publicUrl }),
    saveComment: (repo, on, { marker, body }) => saveHostComment(db, { ...placeOf(repo), on, marker, body, publicUrl }),
    replyInThread: (repo, number, reply) => saveThreadReply(db, { ...placeOf(repo), number, ...reply, publicUrl }),
    resolveThreads: async (repo, number, threadIds) => {
      const { organizationId, id: pullId } = await find(repo, number)
      const userId = await getAgentUser(db, { organizationId })
      await resolveThreads(db, { organizationId, pullId, commentIds: threadIds.map(Number), userId, isResolved: true })
    },
    acknowledge: async () => {},
    listPushes: (repo, branch) => listToldPushes(db, { ...placeOf(repo), branch }),
    permissionOf: ({ organizationId }, actor) => getHostPermission(db, { organizationId, actor }),
    listChecks: (repo, commit) => listChecks(db, { ...placeOf(repo), commit }),
    readCheckLog: (repo, { key }, { bytesMax }) => readCheckLog(db, { ...placeOf(repo), key, blobs, bytesMax }),
    rerunCheck: (repo, { key }) => rerunCheck(db, { ...placeOf(repo), key }),
    reportCheck: async (repo, commit, { key, name, status, conclusion, title, summary, url }) => {
      const check = { name, app: 'runwright', status, conclusion, url, summary: `${title}\n\n${summary}`.trim() }
      await reportCheck(db, { ...placeOf(repo), commit, key: `run:${key}`, ...check, log: undefined, blobs })
    },
    areChangesRequested: async (repo, number) => {
      const { organizationId, id: pullId, headCommit } = await find(repo, number)
      return areChangesRequested(db, { organizationId, pullId, headCommit })
    },
    createReview: async (repo, number, { by, commit, comments, ...review }) => {
      const { organizationId, ...pull } = await find(repo, number)
      const kept = {
        organizationId,
        pullId: pull.id,
        ...(by ?? { userId: null, runId: null }),
        ...review,
        comments: comments.map(asReviewComment),
      }
      const { id } = await saveReview(db, { ...kept, headCommit: commit, url: null, publicUrl })
      return { url: `${pullUrl(publicUrl, { organizationId, ...pull })}#review-${id}` }
    },
  }
  return inHostWords(forge)
}

/** The same verbs, which reject as any host does. */
function inHostWords(forge: Forge): Forge {
  const translated = Object.entries(forge).map(([name, verb]) => [
    name,
    async (...options: unknown[]) => {
      try {
        return await (verb as (...options: unknown[]) => Promise<unknown>)(...options)
      } catch (error) {
        throw error instanceof AppError ? new HostError(codeOf(error), error.message, { cause: error }) : error
      }
    },
  ])
  return Object.fromEntries(translated) as Forge
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

/** The commit that is tried is the same at each look, and no branch ever holds it. */
async function getMergeability(
  { git, admin }: Pick<BuiltinForge, 'git' | 'admin'>,
  repo: RepoRef,
  pull: Pull,
): Promise<Mergeability> {
  const { branches } = await git.mirror(repo)
  const base = branches.get(pull.baseBranch)
  if (base === undefined) return 'impossible'
  const by = { name: 'runwright', email: 'runwright@localhost' }
  const merge = { base, head: pull.headCommit, method: 'merge', message: 'Try\n', by, at: new Date(0) } as const
  const { outcome } = await admin.prepareMerge(repo, merge)
  if (outcome === 'ready') return 'clean'
  return outcome === 'conflict' ? 'conflicts' : 'impossible'
}

import { gitLimits } from '#base/hosts/git-limits.ts'
import type { BranchMove } from '#domain/hosts/events/record-branch-moves.ts'
import type { GatewayRepo } from '#domain/runs/git-access/find-gateway-repo.ts'
import { mayForcePush } from '#domain/repos/branch-rule.ts'
import { converse } from './converse.ts'
import { Refusal } from './git-request.ts'
import { isDeletion, isNothing, type PushCommand } from './push-commands.ts'
import { noteOptions, withNote } from './push-options.ts'
import { readPush, reportPush } from './read-push.ts'
import type { Visit } from './visit.ts'

export type GitPush = {
  organizationId: number
  repoId: number
  updates: BranchMove[]
  runId: number | null
  userId: number | null
}

export type PushWithGit = {
  mirror(repo: GatewayRepo): Promise<{ branches: Map<string, string> }>
  /** Told how many bytes are about to come in to stay; answers what is against it. */
  take(query: { repo: GatewayRepo; runId: number | null; bytes: number }): Promise<string | null>
  countRefs(repo: GatewayRepo): Promise<number>
  /** Called before the client hears that its push is done. */
  onPush(push: GitPush): Promise<void>
}

/** Leaves a push to git's own program, once it is known that its sender may move these refs. */
export function pushWithGit(input: PushWithGit): (visit: Visit) => Promise<void> {
  return async (visit) => {
    const { parts, answer, repo, grant, stop } = visit
    const head = await readPush(visit)
    if (!head) return
    const why = await whyTooMany(input, visit, head.commands)
    if (why !== null) {
      for await (const _ of head.body) continue
      reportPush(visit, head, new Map(head.commands.map(({ ref }) => [ref, why])))
      return
    }
    const isRun = grant.runId !== null
    const branches = head.commands.flatMap(({ ref }) => /^refs\/heads\/(.*)$/s.exec(ref)?.[1] ?? [])
    const git = await parts.serveGit(repo, {
      service: 'receive-pack',
      part: 'request',
      protocol: null,
      // What of its own branch a run may rewrite its worker has seen to, who alone has the run's token.
      allowForce: branches.every((branch) => mayForcePush(repo, branch)),
      allowDelete: !isRun,
      refs: head.commands.length,
      signal: stop.signal,
    })
    answer.begin('application/x-git-receive-pack-result')
    const body = withheld(head.body, async (bytes) => {
      await visit.readmit()
      const full = await input.take({ repo, runId: grant.runId ?? repo.runId ?? null, bytes })
      if (full !== null) throw new NoRoom(full)
    })
    const answering = { ...git, stdout: withNote(noteOptions(head), git.stdout) }
    const end = await converse(answering, { body, answer: answer.stream, stop }).catch((error: unknown) => {
      if (error instanceof NoRoom && !answer.isBegun()) return error
      throw error
    })
    if (end instanceof NoRoom) {
      for await (const _ of head.body) continue
      reportPush(visit, head, new Map(head.commands.map(({ ref }) => [ref, end.message])))
      return
    }
    if (end.exitCode !== 0 && !answer.isBegun()) throw new Refusal(400, 'The push is not understood.')
    await tell(input, visit, head.commands)
    answer.stream.end()
  }
}

async function whyTooMany(input: PushWithGit, { repo }: Visit, commands: PushCommand[]): Promise<string | null> {
  const { pushRefsMax, refsMax } = gitLimits
  if (commands.length > pushRefsMax) return `one push may move ${pushRefsMax} branches and tags`
  const added = commands.filter(({ old }) => isNothing(old)).length
  const isTooMany = added > 0 && added + (await input.countRefs(repo)) > refsMax
  return isTooMany ? `a repository may have ${refsMax} branches and tags` : null
}

class NoRoom extends Error {}

/**
 * Keeps the last piece back until it is known how much has come, and asked again: who pushes may lose its right while a
 * large pack comes in. Until then git has nothing to answer.
 */
async function* withheld(
  body: AsyncIterable<Buffer>,
  ask: (bytes: number) => Promise<unknown>,
): AsyncGenerator<Buffer> {
  let bytes = 0
  let last: Buffer | undefined
  for await (const chunk of body) {
    if (last) yield last
    last = chunk
    bytes += chunk.length
  }
  await ask(bytes)
  if (last) yield last
}

/** Which branches the push really moved is seen in the repository. A fault here does not undo the push. */
async function tell(input: PushWithGit, { parts, repo, grant }: Visit, commands: PushCommand[]): Promise<void> {
  // Nobody but the run looks at what is its own.
  if (repo.id === null) return
  try {
    const { branches } = await input.mirror(repo)
    const updates = commands
      .filter(({ ref }) => ref.startsWith('refs/heads/'))
      .map((command) => ({
        branch: command.ref.slice('refs/heads/'.length),
        before: isNothing(command.old) ? null : command.old,
        commit: isDeletion(command) ? null : command.new,
      }))
      .filter(({ branch, commit }) => (branches.get(branch) ?? null) === commit)
    if (!updates.length) return
    const { runId, userId } = grant
    await input.onPush({ organizationId: repo.organizationId, repoId: repo.id, updates, runId, userId })
  } catch (error) {
    parts.onError(error)
  }
}

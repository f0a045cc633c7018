import { PassThrough, type Readable } from 'node:stream'
import { HostError } from '#adapters/codehosts/code-host.ts'
import type { InspectObject, PushResult } from '#adapters/codehosts/git-store.ts'
import type { App } from '#app/app.ts'
import { crashAt } from '#base/crash-points.ts'
import { limits } from '#base/limits.ts'
import { findForeignCommits } from '#domain/runs/effects/find-foreign-commits.ts'
import { intendAgentPush } from '#domain/runs/effects/intend-agent-push.ts'
import { listPushes } from '#domain/runs/effects/list-pushes.ts'
import { settlePush } from '#domain/hosts/pulls/settle-push.ts'
import { settleEffect } from '#domain/runs/effects/settle-effect.ts'
import { findPushRule } from '#domain/runs/git-access/find-push-rule.ts'
import { inspectObject } from '#domain/runs/redaction/inspect-object.ts'
import { unpackAllowance } from '#domain/runs/redaction/find-packed-secret.ts'
import type { GatewayRepo } from '#domain/runs/git-access/find-gateway-repo.ts'
import { stillHeld } from '#domain/runs/runs/still-held.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import { feed } from './feed.ts'
import { Refusal } from './git-request.ts'
import { isNothing } from './push-commands.ts'
import { readPush, reportPush } from './read-push.ts'
import type { Visit } from './visit.ts'

type PushingApp = Pick<App, 'pool' | 'redactors' | 'notifier' | 'logger'> & { hosts: Pick<App['hosts'], 'git'> }

/**
 * Takes a push that comes from inside a run's sandbox as what the run does outside: intended under its lease, checked in
 * quarantine as its work is at the end of a turn, done at most once, settled, and told in its log. Whatever is against it,
 * the agent reads in what its own git prints.
 */
export function pushAsRun(app: PushingApp, holder: Holder): (visit: Visit) => Promise<void> {
  return async (visit) => {
    const head = await readPush(visit)
    if (!head) return
    const [command, ...others] = head.commands
    if (!command || others.length) throw new Refusal(400, 'The push names one branch more than once.')
    const pack = new PassThrough()
    // Whoever takes the pack may destroy it; only what is wrong with the body itself is passed on.
    pack.on('error', () => {})
    const fed = feed(head.pack, pack).catch((error: unknown) => {
      pack.destroy(error as Error)
      throw error
    })
    const { repo, stop } = visit
    const branch = command.ref.slice('refs/heads/'.length)
    const expected = isNothing(command.old) ? null : command.old
    const push = { repo, branch, expected, commit: command.new, pack, signal: stop.signal }
    const [refused, feeding] = await Promise.allSettled([whyRefused(app, holder, push), fed])
    if (feeding.status === 'rejected') throw feeding.reason
    if (refused.status === 'rejected') throw refused.reason
    reportPush(visit, head, new Map(refused.value === null ? [] : [[command.ref, refused.value]]))
  }
}

type Push = {
  repo: GatewayRepo
  branch: string
  expected: string | null
  commit: string
  pack: Readable
  signal: AbortSignal
}

/** Null when the branch has moved. */
async function whyRefused(app: PushingApp, holder: Holder, push: Push): Promise<string | null> {
  try {
    return await moveBranch(app, holder, push)
  } catch (error) {
    if (error instanceof LeaseLost) return 'the run is not at work here any more'
    if (!(error instanceof HostError)) throw error
    app.logger.warn({ err: error, runId: holder.runId }, 'could not accept the push of an agent')
    return inOneLine(error.message)
  } finally {
    push.pack.destroy()
  }
}

async function moveBranch(
  app: PushingApp,
  holder: Holder,
  { repo, branch, expected, commit, pack, signal }: Push,
): Promise<string | null> {
  const ref = { organizationId: holder.organizationId, path: repo.path, holder }
  const at = (await app.hosts.git(ref).mirror(ref, { signal })).branches.get(branch) ?? null
  if (at !== expected) return 'the branch has moved meanwhile, fetch first'
  const pushes = await listPushes(app.pool, { ...holder, branch })
  if (pushes.length >= limits.runPushesMax) return `a run may push no more than ${limits.runPushesMax} times`
  const key = await intendAgentPush(app.pool, { holder, branch, commit, expected })
  if (key === undefined) return 'the turn ends, and its work is pushed by then'
  crashAt('agent_push.intended')
  const mustHold = findForeignCommits(pushes, at)
  const stillAllowed = () => stillHeld(app.pool, holder)
  const unpacking = unpackAllowance()
  const inspect: InspectObject = (object) => inspectObject(app.redactors.of(holder), object, unpacking)
  const inspectFiles = await findPushRule(app.pool, holder)
  const looks = { mustHold, inspect, ...(inspectFiles && { inspectFiles }) }
  const pushed = await app.hosts.git(ref).push(ref, { branch, expected, commit, pack, ...looks, stillAllowed, signal })
  crashAt('agent_push.done')
  await settle(app, holder, { key, repoId: repo.id, branch, expected, commit, pushed })
  crashAt('agent_push.settled')
  return pushed.pushed ? null : inOneLine(pushed.message)
}

type Settle = Pick<Push, 'branch' | 'expected' | 'commit'> & { key: string; repoId: number | null; pushed: PushResult }

async function settle(
  { pool, redactors, notifier }: PushingApp,
  holder: Holder,
  { key, repoId, branch, expected, commit, pushed }: Settle,
): Promise<void> {
  const { mask } = redactors.of(holder)
  if (!pushed.pushed) {
    const result = { code: pushed.reason, message: pushed.message }
    await settleEffect(pool, { holder, key, state: 'refused', result, entries: [], mask })
    return
  }
  const entry = {
    messageType: 'ACTION' as const,
    toolName: 'git_push',
    toolInput: { branch, commit, expected },
    toolOutput: { pushed: true },
  }
  const moved = { repoId, branch, commit, isMidTurn: true }
  await settlePush(pool, { holder, key, result: { commit }, entries: [entry], mask, pushed: moved })
  notifier.notifyRun(holder.runId)
}

/** A reason goes into a line of the protocol. */
const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 500)

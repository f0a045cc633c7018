import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '#adapters/engines/engine.ts'
import type { App } from '#app/app.ts'
import { crashAt } from '#base/crash-points.ts'
import type { Entry } from '#base/entry.ts'
import type { CheckConclusion } from '#base/hosts/host-facts.ts'
import { limits } from '#base/limits.ts'
import { shorten } from '#base/text/shorten.ts'
import { listChecks } from '#domain/hosts/checks/list-checks.ts'
import { queueChecks, type ScopedCheck } from '#domain/hosts/checks/queue-checks.ts'
import type { Holder } from '#domain/runs/holder.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'
import { scopeChecks } from '#worker/checks/scope-checks.ts'
import { durableNote } from '#worker/runs/turn/durable-note.ts'
import type { Workspace } from './open-workspace.ts'

export type VerifyWork = {
  holder: Holder
  facts: TurnFacts
  workspace: Workspace
  /** What was pushed; null where there has never been a commit. */
  commit: string | null
  answer: Answer
  signal: AbortSignal
}

/** One command that ran once more, in a clean work tree of the commit. Null: it had no result in time. */
export type Verified = { command: string; commit: string; conclusion: CheckConclusion | null; summary: string }

/** So long a run waits for the checks of its work before it opens its pull request without them. */
const WAIT_MS = 15 * 60_000
const LOOK_MS = 300
const COMMAND_CHARACTERS_MAX = 200
/** Left of a turn's time for what comes after. */
const RESERVE_MS = 60_000
/** No rule for branches asks for a check of this name by accident: the agent has chosen the command. */
const AGENTS_NAME = 'what the agent ran last'

/**
 * Runs the repository's checks, or where it has none the command that the agent named last, in a clean work tree of what was
 * pushed, and waits for them before the pull request opens: in sandboxes of their own, with nothing that the agent left. They are
 * the checks of the built-in host, so that they are not run again for the pull request. What does not pass keeps nothing back:
 * the pull request says so.
 */
export async function verifyWork(app: App, options: VerifyWork): Promise<Verified[]> {
  const { holder, facts, workspace, commit, signal } = options
  const { repo } = facts
  const { baseCommit, startCommit } = workspace
  if (!repo || !facts.createPullRequest || commit === null || baseCommit === null) return []
  if (commit === startCommit || commit === baseCommit) return []
  const commands = await chooseCommands(app, { ...options, commit })
  if (commands.length === 0) return []
  const place = { organizationId: holder.organizationId, repoId: repo.id, commit }
  await queueChecks(app.pool, { ...place, branch: null, runId: holder.runId, commands })
  crashAt('checks.queued')
  const leftMs = facts.turnStartedAt.getTime() + facts.timeoutMinutes * 60_000 - app.clock.now().getTime() - RESERVE_MS
  const until = performance.now() + Math.min(WAIT_MS, leftMs)
  const names = new Set(commands.map(({ name }) => name))
  for (;;) {
    const { checks } = await listChecks(app.pool, place)
    const found = checks.filter((check) => check.app === 'local' && names.has(check.name))
    const isOver = found.every(({ status }) => status === 'completed')
    if (isOver || performance.now() >= until) {
      const verified = commands.map(({ name, command }): Verified => {
        const check = found.find((one) => one.name === name)
        return { command, commit, conclusion: check?.conclusion ?? null, summary: check?.summary ?? '' }
      })
      return await record(app, holder, verified)
    }
    await sleep(LOOK_MS, undefined, { signal })
  }
}

type ChooseCommands = Omit<VerifyWork, 'commit'> & { commit: string }

async function chooseCommands(
  app: Pick<App, 'hosts'>,
  { workspace, commit, answer }: ChooseCommands,
): Promise<ScopedCheck[]> {
  const { ref, checks, baseCommit } = workspace
  if (checks.length > 0) {
    const scoped = await scopeChecks({ git: app.hosts.git(ref), repo: ref, checks, commit, base: baseCommit })
    return scoped.filter(({ skipped }) => !skipped)
  }
  const last = answer.checks?.findLast(({ step, command }) => step !== null && command.length <= commandMax)
  return last ? [{ name: AGENTS_NAME, command: last.command }] : []
}

const commandMax = limits.checkCommandCharactersMax

async function record(app: App, holder: Holder, verified: Verified[]): Promise<Verified[]> {
  const key = `t${holder.turn}/verified`
  return (await durableNote(app, {
    holder,
    key,
    entries: verified.map(entryOf),
    response: verified,
  })) as unknown as Verified[]
}

/** As entries of commands are, so that people find in it what they find there. */
function entryOf({ command, commit, conclusion, summary }: Verified): Entry {
  const [, failedWith] = /^Exit code (\d{1,3})\./.exec(summary) ?? []
  const exitCode = conclusion === 'success' ? 0 : failedWith === undefined ? null : Number(failedWith)
  return {
    messageType: 'ACTION',
    thought: `Run once more, in a clean work tree of ${commit.slice(0, 7)}.`,
    toolName: 'verify',
    toolInput: { command },
    toolOutput: {
      conclusion,
      exit_code: exitCode,
      ...(conclusion === 'timed_out' && { timed_out: true }),
      output: summary,
    },
  }
}

/** A line of a list in Markdown. */
export function describeVerified({ command, commit, conclusion, summary }: Verified): string {
  const line = shorten(command.trim().split('\n')[0] ?? '', COMMAND_CHARACTERS_MAX)
  const shown = line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``
  const [first = ''] = summary.split('\n')
  const ended =
    conclusion === null || conclusion === 'cancelled'
      ? 'had no result in time'
      : conclusion === 'success'
        ? first.replace(/^P/, 'p').replace(/\.$/, '')
        : `${conclusion === 'timed_out' ? 'timed out' : 'failed'}. ${first}`
  return `- ${shown}, run once more in a clean work tree of ${commit.slice(0, 7)}: ${ended}`
}

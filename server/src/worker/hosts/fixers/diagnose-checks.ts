import type { HostCheck } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { diagnoseCheck, type CheckDiagnosis } from '#domain/hosts/checks/diagnose-check.ts'
import type { OutsideEffect, Fixer } from '#domain/hosts/fixer.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { getRunBranch } from '#domain/runs/git-access/get-run-branch.ts'

export type DiagnosedCheck = CheckDiagnosis & { app: string }

export type DiagnoseChecks = {
  agent: Fixer
  repo: Repo
  effect: Extract<OutsideEffect, { do: 'diagnose' }>
}

const bad = new Set(['failure', 'timed_out', 'startup_failure'])

/** Why each of the checks fails, by its log, and by how it ended where the run's branch begins. */
export async function diagnoseChecks(app: App, { agent, repo, effect }: DiagnoseChecks): Promise<DiagnosedCheck[]> {
  const failed = await failedAt(app, { repo, commit: effect.head, names: effect.checks })
  const { base } = await getRunBranch(app.pool, agent)
  const onBase = base === null ? new Map() : await failedAt(app, { repo, commit: base, names: effect.checks })
  const excerptBytesMax = Math.floor(limits.checkExcerptsBytesMax / Math.max(1, failed.size))
  const diagnosed: DiagnosedCheck[] = []
  for (const [name, check] of failed) {
    const before: HostCheck | undefined = onBase.get(name)
    const diagnosis = diagnoseCheck({
      ...(await withLog(app, repo, check)),
      onBase: before ? await withLog(app, repo, before) : null,
      isSecondTry: agent.state.reruns[name] === effect.head,
      mask: app.mask,
      excerptBytesMax,
    })
    diagnosed.push({ ...diagnosis, name, app: check.app })
  }
  return diagnosed
}

type FailedAt = { repo: Repo; commit: string; names: string[] }

/** The last of each name. */
async function failedAt(app: App, { repo, commit, names }: FailedAt): Promise<Map<string, HostCheck>> {
  const { checks } = await app.hosts.forge(repo).listChecks(repo, commit)
  const failed = checks.filter(({ name, conclusion }) => names.includes(name) && bad.has(conclusion ?? ''))
  return new Map(failed.map((check) => [check.name, check]))
}

async function withLog(app: App, repo: Repo, check: HostCheck) {
  const { name, app: by, conclusion, summary, hasLog } = check
  const log = hasLog
    ? await app.hosts.forge(repo).readCheckLog(repo, check, { bytesMax: limits.checkLogReadBytesMax })
    : null
  return { name, app: by, conclusion, summary, log }
}

import type { GatewayRepo } from '#domain/runs/git-access/find-gateway-repo.ts'
import type { GitGrant } from '#domain/accounts/tokens/find-git-grant.ts'
import { ruleOf } from '#domain/repos/branch-rule.ts'
import { isDeletion, isNothing, type PushCommand } from './push-commands.ts'

type PushedRepo = Pick<GatewayRepo, 'defaultBranch' | 'archived' | 'url' | 'branchRules'>

/** What a push may not do, by ref, with the reason that its sender sees. When it is empty, git decides on the rest. */
export function refuseRefs(
  commands: PushCommand[],
  { grant, repo }: { grant: GitGrant; repo: PushedRepo },
): Map<string, string> {
  const refused = new Map<string, string>()
  for (const command of commands) {
    const reason = whyNothing(repo, grant) ?? refuseRef(command, grant, repo)
    if (reason) refused.set(command.ref, reason)
  }
  return refused
}

/** Why nothing at all may come into a repository; undefined where something may. */
export function whyReadOnly(repo: PushedRepo, grant: GitGrant): string | undefined {
  const { pushBranches, runId } = grant
  const reason = whyNothing(repo, grant)
  if (reason || !pushBranches) return reason
  if (runId === null) return readsOnly(grant)
  return pushBranches.some((branch) => branch !== repo.defaultBranch) ? undefined : 'this run may not push'
}

/** What is here of a repository of another host is a mirror: only runs push through it, and on to the host. */
function whyNothing({ archived, url }: PushedRepo, { runId }: GitGrant): string | undefined {
  if (archived) return 'the repository is archived'
  return url && runId === null ? `this is a mirror: push to ${url}` : undefined
}

const readsOnly = ({ deployKeyId }: GitGrant) => `this ${deployKeyId ? 'deploy key' : 'token'} may only read`

function refuseRef(
  command: PushCommand,
  grant: GitGrant,
  { defaultBranch, branchRules }: PushedRepo,
): string | undefined {
  const { ref } = command
  const { pushBranches, runId } = grant
  if (pushBranches && runId === null) return readsOnly(grant)
  if (pushBranches) {
    const allowed = pushBranches.filter((branch) => branch !== defaultBranch)
    if (!allowed.some((branch) => ref === `refs/heads/${branch}`)) {
      return allowed.length ? `this run may only push to ${allowed.join(', ')}` : 'this run may not push'
    }
    return isDeletion(command) ? 'a run may not delete its branch' : undefined
  }
  if (!/^refs\/(heads|tags)\/./.test(ref)) return 'only branches and tags can be pushed'
  if (isDeletion(command) && ref === `refs/heads/${defaultBranch}`) return 'the default branch may not be deleted'
  const rule = ref.startsWith('refs/heads/') ? ruleOf(branchRules, ref.slice('refs/heads/'.length)) : undefined
  if (rule && isDeletion(command)) return 'a rule protects this branch: it may not be deleted'
  // Where there is no branch yet, there is nothing to protect.
  const isPullNeeded = rule && (rule.requirePull || rule.requiredChecks.length > 0 || rule.requiredApprovals > 0)
  return isPullNeeded && !isNothing(command.old)
    ? 'a rule protects this branch: push another one and open a pull request'
    : undefined
}

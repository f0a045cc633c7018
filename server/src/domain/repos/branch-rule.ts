import { matchPath } from '#base/text/match-path.ts'

/** What branches of the built-in host are protected by. Nobody deletes one that a rule covers. */
export type BranchRule = {
  /** The name of a branch, or a pattern such as `release/*`. */
  pattern: string
  /** Whether what is there changes by pull requests alone. */
  requirePull: boolean
  /** Names of checks that must have passed at the head of a pull request. */
  requiredChecks: string[]
  /** How many people must approve its head. */
  requiredApprovals: number
  /** Whether a push may take commits back. */
  allowForcePush: boolean
}

/** The rule that counts for a branch: the first that covers it. */
export const ruleOf = (rules: readonly BranchRule[], branch: string): BranchRule | undefined =>
  rules.find(({ pattern }) => matchPath(`/${pattern}`, branch))

/** Whether a push may take commits of a branch back; without a rule for it, of any but the default one. */
export const mayForcePush = (
  { branchRules, defaultBranch }: { branchRules: readonly BranchRule[]; defaultBranch: string },
  branch: string,
): boolean => ruleOf(branchRules, branch)?.allowForcePush ?? branch !== defaultBranch

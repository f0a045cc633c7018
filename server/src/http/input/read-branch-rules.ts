import type { Static } from 'typebox'
import type { BranchRule } from '#domain/repos/branch-rule.ts'
import type { BranchRules } from '#http/schemas/branch-rule.ts'

export const readBranchRules = (body: Static<typeof BranchRules>): BranchRule[] =>
  body.map((rule) => ({
    pattern: rule.pattern,
    requirePull: rule.require_pull,
    requiredChecks: [...new Set(rule.required_checks)],
    requiredApprovals: rule.required_approvals,
    allowForcePush: rule.allow_force_push,
  }))

import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { CheckName } from './check.ts'
import { Text } from './fields.ts'

export const BranchRules = Type.Array(
  Type.Object({
    pattern: Text(limits.branchRulePatternCharactersMax, {
      description: 'The name of a branch, or a pattern such as `release/*`.',
    }),
    require_pull: Type.Boolean({
      default: true,
      description: 'Pushes are refused. The branch changes by pull requests only.',
    }),
    required_checks: Type.Array(CheckName, {
      maxItems: limits.checkCommandsMax,
      default: [],
      description: 'Names of checks that must pass at the head of a pull request before it can be merged.',
    }),
    required_approvals: Type.Integer({
      minimum: 0,
      maximum: limits.requiredApprovalsMax,
      default: 0,
      description:
        'How many people must approve the head of a pull request. A review that requests changes blocks the merge.',
    }),
    allow_force_push: Type.Boolean({ default: false, description: 'Whether pushes may remove commits.' }),
  }),
  {
    maxItems: limits.branchRulesMax,
    description:
      'Protects branches of a repository on the built-in host. The first rule whose pattern matches a branch applies. A protected branch cannot be deleted. Without a rule, the default branch refuses force pushes, and other branches allow them.',
  },
)

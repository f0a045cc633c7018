/** What the audit log has entries of, by the names of the API. A test compares them with its endpoints. */
export const auditedActions = [
  'acceptSetupProposal',
  'createAppForm',
  'createBudget',
  'createDeployKey',
  'createIntegration',
  'createMcpServer',
  'createMember',
  'createModelProvider',
  'createRepo',
  'createToken',
  'createWorkerToken',
  'deleteOrganization',
  'deletePullBranch',
  'deleteRun',
  'exportOrganization',
  'exportRepo',
  'finishAppForm',
  'installEngine',
  'keepWinner',
  'mergePull',
  'removeBudget',
  'removeDeployKey',
  'removeIntegration',
  'removeMcpServer',
  'removeMember',
  'removeMemberKey',
  'removeModelProvider',
  'removeRepo',
  'removeRepoSecret',
  'removeSecret',
  'removeSnapshot',
  'retryJob',
  'revokeToken',
  'revokeWorkerToken',
  'rotateToken',
  'saveCheckSettings',
  'saveEgress',
  'saveMemberKey',
  'saveRepoEgress',
  'saveRepoSecret',
  'saveRules',
  'saveSecret',
  'syncIntegration',
  'tryMcpServer',
  'tryModelProvider',
  'updateBudget',
  'updateIntegration',
  'updateMcpServer',
  'updateMember',
  'updateModelProvider',
  'updateOrganization',
  'updateRepo',
] as const

/** `updateMember` as people read it. */
export function wordsOfAction(action: string): string {
  const text = spell(action.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' '))
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Words of names in the API, as people write them. */
export const spell = (words: string[]): string => words.map((word) => spelled[word] ?? word).join(' ')

const spelled: Record<string, string> = { mcp: 'MCP', repo: 'repository', repos: 'repositories' }

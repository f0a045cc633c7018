import type { Route } from '#http/pipeline/route.ts'
import { getArtifactRoute } from './artifacts/get-artifact.ts'
import { listArtifactsRoute } from './artifacts/list-artifacts.ts'
import { cancelComparisonRoute } from './comparisons/cancel-comparison.ts'
import { createComparisonRoute } from './comparisons/create-comparison.ts'
import { getComparisonRoute } from './comparisons/get-comparison.ts'
import { getVerdictLogRoute } from './comparisons/get-verdict-log.ts'
import { keepWinnerRoute } from './comparisons/keep-winner.ts'
import { listComparisonsRoute } from './comparisons/list-comparisons.ts'
import { getEgressRoute, getRepoEgressRoute } from './egress/get-egress.ts'
import { listRunEgressRoute, listSandboxEgressRoute } from './egress/list-run-egress.ts'
import { saveEgressRoute, saveRepoEgressRoute } from './egress/save-egress.ts'
import { createModelProviderRoute } from './model-providers/create-model-provider.ts'
import { listModelProvidersRoute } from './model-providers/list-model-providers.ts'
import { removeMemberKeyRoute } from './model-providers/remove-member-key.ts'
import { removeModelProviderRoute } from './model-providers/remove-model-provider.ts'
import { saveMemberKeyRoute } from './model-providers/save-member-key.ts'
import { tryModelProviderRoute } from './model-providers/try-model-provider.ts'
import { updateModelProviderRoute } from './model-providers/update-model-provider.ts'
import { createMcpServerRoute } from './mcp-servers/create-mcp-server.ts'
import { listMcpServersRoute } from './mcp-servers/list-mcp-servers.ts'
import { removeMcpServerRoute } from './mcp-servers/remove-mcp-server.ts'
import { tryMcpServerRoute } from './mcp-servers/try-mcp-server.ts'
import { updateMcpServerRoute } from './mcp-servers/update-mcp-server.ts'
import { listAuditEntriesRoute } from './audit/list-audit-entries.ts'
import { disconnectProviderRoute } from './connections/disconnect-provider.ts'
import { listConnectedProvidersRoute } from './connections/list-connected-providers.ts'
import { listMcpProvidersRoute } from './connections/list-mcp-providers.ts'
import { openClaudeSessionRoute } from './claude-code/open-claude-session.ts'
import { reportClaudeSessionRoute } from './claude-code/report-claude-session.ts'
import { updateClaudeSessionRoute } from './claude-code/update-claude-session.ts'
import { createDeployKeyRoute } from './deploy-keys/create-deploy-key.ts'
import { listDeployKeysRoute } from './deploy-keys/list-deploy-keys.ts'
import { removeDeployKeyRoute } from './deploy-keys/remove-deploy-key.ts'
import { createWorkerTokenRoute } from './worker-tokens/create-worker-token.ts'
import { listWorkerTokensRoute } from './worker-tokens/list-worker-tokens.ts'
import { revokeWorkerTokenRoute } from './worker-tokens/revoke-worker-token.ts'
import { createBudgetRoute } from './budgets/create-budget.ts'
import { listBudgetsRoute } from './budgets/list-budgets.ts'
import { removeBudgetRoute } from './budgets/remove-budget.ts'
import { updateBudgetRoute } from './budgets/update-budget.ts'
import { getPullCheckLogRoute } from './checks/get-pull-check-log.ts'
import { listPullChecksRoute } from './checks/list-pull-checks.ts'
import { reportCheckRoute } from './checks/report-check.ts'
import { installEngineRoute } from './engines/install-engine.ts'
import { listEnginesRoute } from './engines/list-engines.ts'
import { listModelsRoute } from './engines/list-models.ts'
import { createAppFormRoute } from './integrations/create-app-form.ts'
import { createIntegrationRoute } from './integrations/create-integration.ts'
import { finishAppFormRoute } from './integrations/finish-app-form.ts'
import { getIntegrationHealthRoute } from './integrations/get-integration-health.ts'
import { listIntegrationsRoute } from './integrations/list-integrations.ts'
import { removeIntegrationRoute } from './integrations/remove-integration.ts'
import { syncIntegrationRoute } from './integrations/sync-integration.ts'
import { updateIntegrationRoute } from './integrations/update-integration.ts'
import { listFailedJobsRoute } from './jobs/list-failed-jobs.ts'
import { retryJobRoute } from './jobs/retry-job.ts'
import { createIssueCommentRoute } from './issues/create-issue-comment.ts'
import { createIssueRoute } from './issues/create-issue.ts'
import { getIssueRoute } from './issues/get-issue.ts'
import { listIssueCommentsRoute } from './issues/list-issue-comments.ts'
import { listIssuesRoute } from './issues/list-issues.ts'
import { updateIssueRoute } from './issues/update-issue.ts'
import { listLogAlphaRoute, listLogRoute } from './logs/list-log.ts'
import { streamLogRoute } from './logs/stream-log.ts'
import { createMessageRoute } from './messages/create-message.ts'
import { listMessagesRoute } from './messages/list-messages.ts'
import { revokeMessageRoute } from './messages/revoke-message.ts'
import { createMemberRoute } from './organizations/create-member.ts'
import { deleteOrganizationRoute } from './organizations/delete-organization.ts'
import { createOrganizationRoute } from './organizations/create-organization.ts'
import { getOrganizationRoute } from './organizations/get-organization.ts'
import { listMembersRoute } from './organizations/list-members.ts'
import { listOrganizationsRoute } from './organizations/list-organizations.ts'
import { removeMemberRoute } from './organizations/remove-member.ts'
import { updateMemberRoute } from './organizations/update-member.ts'
import { updateOrganizationRoute } from './organizations/update-organization.ts'
import { createPullCommentRoute } from './pulls/create-pull-comment.ts'
import { getPullDiffRoute } from './pulls/get-pull-diff.ts'
import { getPullFileRoute } from './pulls/get-pull-file.ts'
import { getPullRoute } from './pulls/get-pull.ts'
import { listPullCommentsRoute } from './pulls/list-pull-comments.ts'
import { listPullFilesRoute } from './pulls/list-pull-files.ts'
import { listPullsRoute } from './pulls/list-pulls.ts'
import { mergePullRoute } from './pulls/merge-pull.ts'
import { deletePullBranchRoute } from './pulls/delete-pull-branch.ts'
import { revertPullRoute } from './pulls/revert-pull.ts'
import { updatePullCommentRoute } from './pulls/update-pull-comment.ts'
import { updatePullRoute, updateRepoPullRoute } from './pulls/update-pull.ts'
import { answerQuestionRoute } from './questions/answer-question.ts'
import { listQuestionsRoute } from './questions/list-questions.ts'
import { listRateLimitsRoute } from './rate-limits/list-rate-limits.ts'
import { createRepoRoute } from './repos/create-repo.ts'
import { getCheckSettingsRoute } from './repos/get-check-settings.ts'
import { getRepoRoute } from './repos/get-repo.ts'
import { listBranchesRoute } from './repos/list-branches.ts'
import { listRepositoriesRoute, listReposRoute } from './repos/list-repos.ts'
import { saveCheckSettingsRoute } from './repos/save-check-settings.ts'
import { removeRepoRoute } from './repos/remove-repo.ts'
import { updateRepoRoute } from './repos/update-repo.ts'
import { exportMeRoute } from './exports/export-me.ts'
import { exportOrganizationRoute } from './exports/export-organization.ts'
import { exportRepoRoute } from './exports/export-repo.ts'
import { exportRunRoute } from './exports/export-run.ts'
import { getInboxSettingsRoute } from './inbox/get-inbox-settings.ts'
import { listInboxRoute } from './inbox/list-inbox.ts'
import { markReadRoute } from './inbox/mark-read.ts'
import { saveInboxSettingsRoute } from './inbox/save-inbox-settings.ts'
import { createReviewRoute } from './reviews/create-review.ts'
import { listReviewsRoute } from './reviews/list-reviews.ts'
import { removeReviewerRoute } from './reviews/remove-reviewer.ts'
import { requestReviewRoute } from './reviews/request-review.ts'
import { requestReviewerRoute } from './reviews/request-reviewer.ts'
import { getClientRulesRoute } from './rules/get-client-rules.ts'
import { getRulesRoute } from './rules/get-rules.ts'
import { saveRulesRoute } from './rules/save-rules.ts'
import { banRunRoute } from './runs/ban-run.ts'
import { removeRunFromPullRoute } from './runs/remove-run-from-pull.ts'
import { unbanRunRoute } from './runs/unban-run.ts'
import { cancelRunRoute } from './runs/cancel-run.ts'
import { continueRunRoute } from './runs/continue-run.ts'
import { createRunRoute } from './runs/create-run.ts'
import { deleteRunRoute } from './runs/delete-run.ts'
import { getRunDiffRoute } from './runs/get-run-diff.ts'
import { getRunInputRoute } from './runs/get-run-input.ts'
import { getRunRecordRoute } from './runs/get-run-record.ts'
import { getRunRoute } from './runs/get-run.ts'
import { getTimelineRoute } from './runs/get-timeline.ts'
import { listRunsRoute } from './runs/list-runs.ts'
import { pauseRunRoute } from './runs/pause-run.ts'
import { resumeRunRoute } from './runs/resume-run.ts'
import { streamRunsRoute } from './runs/stream-runs.ts'
import { updateRunRoute } from './runs/update-run.ts'
import { listRepoSecretsRoute, listSecretsRoute } from './secrets/list-secrets.ts'
import { removeRepoSecretRoute, removeSecretRoute } from './secrets/remove-secret.ts'
import { saveRepoSecretRoute, saveSecretRoute } from './secrets/save-secret.ts'
import { createSessionRoute } from './sessions/create-session.ts'
import { listSignInWaysRoute } from './sessions/list-sign-in-ways.ts'
import { revokeSessionRoute } from './sessions/revoke-session.ts'
import { getHealthRoute } from './system/get-health.ts'
import { getReadinessRoute } from './system/get-readiness.ts'
import { getServiceStatusRoute } from './system/get-service-status.ts'
import { createSlackTokenRoute } from './tokens/create-slack-token.ts'
import { createStreamTicketRoute } from './tokens/create-stream-ticket.ts'
import { analyzeLogsRoute } from './sandboxes/analyze-logs.ts'
import { listSandboxLogRoute } from './sandboxes/list-sandbox-log.ts'
import { getSandboxRoute } from './sandboxes/get-sandbox.ts'
import { listSandboxesRoute } from './sandboxes/list-sandboxes.ts'
import { executeToolRoute } from './tools/execute-tool.ts'
import { listToolsRoute } from './tools/list-tools.ts'
import { createTokenRoute } from './tokens/create-token.ts'
import { listTokensRoute } from './tokens/list-tokens.ts'
import { revokeTokenRoute } from './tokens/revoke-token.ts'
import { rotateTokenRoute } from './tokens/rotate-token.ts'
import { acceptSetupProposalRoute } from './setup-commands/accept-setup-proposal.ts'
import { generateSetupCommandsRoute } from './setup-commands/generate-setup-commands.ts'
import { listSetupProposalsRoute } from './setup-commands/list-setup-proposals.ts'
import { trySetupCommandsRoute } from './setup-commands/try-setup-commands.ts'
import { listSnapshotsRoute } from './snapshots/list-snapshots.ts'
import { removeSnapshotRoute } from './snapshots/remove-snapshot.ts'
import { getStorageRoute } from './organizations/get-storage.ts'
import { listUsageRoute } from './usage/list-usage.ts'
import { deleteMeRoute } from './users/delete-me.ts'
import { getMeRoute } from './users/get-me.ts'
import { getUserRoute } from './users/get-user.ts'
import { listUsersRoute } from './users/list-users.ts'
import { updateMeRoute } from './users/update-me.ts'
import { listViewsRoute } from './views/list-views.ts'
import { removeViewRoute } from './views/remove-view.ts'
import { saveViewRoute } from './views/save-view.ts'

/** Every endpoint of the API. */
export const routes: Route[] = [
  createRunRoute,
  resumeRunRoute,
  listRunsRoute,
  getRunRoute,
  cancelRunRoute,
  banRunRoute,
  unbanRunRoute,
  removeRunFromPullRoute,
  getRunDiffRoute,
  getRunInputRoute,
  getRunRecordRoute,
  exportRunRoute,
  updateRunRoute,
  pauseRunRoute,
  continueRunRoute,
  deleteRunRoute,
  getTimelineRoute,
  createMessageRoute,
  listMessagesRoute,
  revokeMessageRoute,
  listQuestionsRoute,
  answerQuestionRoute,
  listArtifactsRoute,
  getArtifactRoute,
  listToolsRoute,
  executeToolRoute,
  openClaudeSessionRoute,
  updateClaudeSessionRoute,
  reportClaudeSessionRoute,
  listEnginesRoute,
  installEngineRoute,
  listModelsRoute,
  listLogRoute,
  listLogAlphaRoute,
  streamLogRoute,
  streamRunsRoute,
  listInboxRoute,
  markReadRoute,
  getInboxSettingsRoute,
  saveInboxSettingsRoute,
  listViewsRoute,
  saveViewRoute,
  removeViewRoute,
  createStreamTicketRoute,
  createSlackTokenRoute,
  createSessionRoute,
  revokeSessionRoute,
  listSignInWaysRoute,
  listReposRoute,
  listRepositoriesRoute,
  createRepoRoute,
  getRepoRoute,
  exportRepoRoute,
  listBranchesRoute,
  updateRepoRoute,
  removeRepoRoute,
  getCheckSettingsRoute,
  saveCheckSettingsRoute,
  generateSetupCommandsRoute,
  trySetupCommandsRoute,
  listSetupProposalsRoute,
  acceptSetupProposalRoute,
  listSnapshotsRoute,
  removeSnapshotRoute,
  listDeployKeysRoute,
  createDeployKeyRoute,
  removeDeployKeyRoute,
  listPullsRoute,
  getPullRoute,
  updatePullRoute,
  updateRepoPullRoute,
  getPullDiffRoute,
  getPullFileRoute,
  listPullFilesRoute,
  listPullCommentsRoute,
  createPullCommentRoute,
  updatePullCommentRoute,
  listPullChecksRoute,
  getPullCheckLogRoute,
  reportCheckRoute,
  mergePullRoute,
  revertPullRoute,
  deletePullBranchRoute,
  listReviewsRoute,
  createComparisonRoute,
  listComparisonsRoute,
  getComparisonRoute,
  getVerdictLogRoute,
  keepWinnerRoute,
  cancelComparisonRoute,
  createReviewRoute,
  requestReviewRoute,
  requestReviewerRoute,
  removeReviewerRoute,
  listIssuesRoute,
  createIssueRoute,
  getIssueRoute,
  updateIssueRoute,
  listIssueCommentsRoute,
  createIssueCommentRoute,
  listOrganizationsRoute,
  createOrganizationRoute,
  getOrganizationRoute,
  exportOrganizationRoute,
  updateOrganizationRoute,
  deleteOrganizationRoute,
  listMembersRoute,
  createMemberRoute,
  updateMemberRoute,
  removeMemberRoute,
  listUsersRoute,
  getUserRoute,
  getMeRoute,
  exportMeRoute,
  updateMeRoute,
  deleteMeRoute,
  listTokensRoute,
  createTokenRoute,
  rotateTokenRoute,
  revokeTokenRoute,
  getClientRulesRoute,
  getRulesRoute,
  saveRulesRoute,
  listSecretsRoute,
  saveSecretRoute,
  removeSecretRoute,
  listRepoSecretsRoute,
  saveRepoSecretRoute,
  removeRepoSecretRoute,
  getEgressRoute,
  saveEgressRoute,
  getRepoEgressRoute,
  saveRepoEgressRoute,
  listRunEgressRoute,
  listSandboxEgressRoute,
  listSandboxesRoute,
  getSandboxRoute,
  listSandboxLogRoute,
  analyzeLogsRoute,
  listIntegrationsRoute,
  listConnectedProvidersRoute,
  disconnectProviderRoute,
  createIntegrationRoute,
  createAppFormRoute,
  finishAppFormRoute,
  updateIntegrationRoute,
  syncIntegrationRoute,
  getIntegrationHealthRoute,
  removeIntegrationRoute,
  listFailedJobsRoute,
  retryJobRoute,
  getStorageRoute,
  listAuditEntriesRoute,
  listUsageRoute,
  listBudgetsRoute,
  createBudgetRoute,
  updateBudgetRoute,
  removeBudgetRoute,
  listMcpServersRoute,
  listMcpProvidersRoute,
  listModelProvidersRoute,
  createModelProviderRoute,
  updateModelProviderRoute,
  saveMemberKeyRoute,
  removeMemberKeyRoute,
  removeModelProviderRoute,
  tryModelProviderRoute,
  createMcpServerRoute,
  updateMcpServerRoute,
  removeMcpServerRoute,
  tryMcpServerRoute,
  listWorkerTokensRoute,
  createWorkerTokenRoute,
  revokeWorkerTokenRoute,
  listRateLimitsRoute,
  getHealthRoute,
  getReadinessRoute,
  getServiceStatusRoute,
]

import type { SetupProposal } from '#domain/runs/setup-commands/setup-proposal.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentSetupProposal(proposal: SetupProposal): Components['SetupProposal'] {
  return {
    n: proposal.n,
    repo_id: proposal.repoId,
    agent_run_id: proposal.runId,
    state: proposal.state,
    commands: proposal.commands,
    test_command: proposal.testCommand,
    notes: proposal.notes,
    evidence: proposal.evidence,
    base_commit: proposal.baseCommit,
    lockfiles: proposal.lockfiles,
    created_at: proposal.createdAt.toISOString(),
    accepted_at: proposal.acceptedAt?.toISOString() ?? null,
    accepted_by: proposal.acceptedBy,
    outdated_at: proposal.outdatedAt?.toISOString() ?? null,
  }
}

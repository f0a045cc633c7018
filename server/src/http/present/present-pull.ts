import type { PullComment } from '#domain/hosts/pulls/pull-comment.ts'
import { pullUrl, type Pull } from '#domain/hosts/pulls/pull.ts'
import type { Reviewer } from '#domain/hosts/pulls/reviewer.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentPull(pull: Pull, publicUrl: string): Components['PullRequest'] {
  return {
    id: pull.id,
    organization_id: pull.organizationId,
    repo_id: pull.repoId,
    run_id: pull.runId,
    number: pull.number,
    url: pullUrl(publicUrl, pull),
    title: pull.title,
    body: pull.body,
    state: pull.state,
    draft: pull.draft,
    merged: pull.merged,
    labels: pull.labels,
    reviewers: pull.reviewers.map(presentReviewer),
    code_owners: pull.codeOwners && {
      path: pull.codeOwners.path,
      not_found: pull.codeOwners.notFound,
      problems: pull.codeOwners.problems,
    },
    head_branch_name: pull.headBranch,
    base_branch_name: pull.baseBranch,
    head_commit: pull.headCommit,
    merge_commit: pull.merged ? pull.mergeCommit : null,
    merged_by: pull.merged ? pull.mergedBy : null,
    merged_at: pull.mergedAt?.toISOString() ?? null,
    reverts: pull.reverts,
    revert: pull.revert,
    branch_deleted_at: pull.branchDeletedAt?.toISOString() ?? null,
    branch_deleted_by: pull.branchDeletedBy,
    agent: pull.agent,
    created_at: pull.createdAt.toISOString(),
    updated_at: pull.updatedAt.toISOString(),
  }
}

function presentReviewer({ userId, requestedBy, requestedAt, ...reviewer }: Reviewer) {
  return {
    user_id: userId,
    ...reviewer,
    requested_by: requestedBy,
    requested_at: new Date(requestedAt).toISOString(),
  }
}

export function presentPullUpdate(
  pull: Pull,
  publicUrl: string,
  refused: string | null = null,
): Components['PullRequestUpdate'] {
  return {
    success: refused === null,
    url: pullUrl(publicUrl, pull),
    number: pull.number,
    title: pull.title,
    state: pull.draft && pull.state === 'open' ? 'draft' : pull.state,
    error: refused,
  }
}

export function presentPullComment(comment: PullComment): Components['PullRequestComment'] {
  return {
    id: comment.id,
    pr_id: comment.pullId,
    user_id: comment.userId,
    author: comment.author && { login: comment.author.login, is_bot: comment.author.isBot },
    url: comment.url,
    body: comment.body,
    path: comment.path,
    line: comment.line,
    side: comment.side,
    head_commit: comment.headCommit,
    review_id: comment.reviewId,
    thread_id: comment.threadId,
    in_reply_to: comment.replyTo,
    resolved: comment.resolvedAt !== null,
    resolved_by: comment.resolvedBy,
    resolved_at: comment.resolvedAt?.toISOString() ?? null,
    created_at: comment.createdAt.toISOString(),
  }
}

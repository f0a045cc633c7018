import type { IssueComment } from '#domain/hosts/issues/issue-comment.ts'
import { issueUrl, type Issue } from '#domain/hosts/issues/issue.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentIssue(issue: Issue, publicUrl: string): Components['Issue'] {
  return {
    id: issue.id,
    organization_id: issue.organizationId,
    repo_id: issue.repoId,
    number: issue.number,
    url: issueUrl(publicUrl, issue),
    user_id: issue.userId,
    author: issue.author?.login ?? null,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    labels: issue.labels,
    assigned_to_agent: issue.isAssignedToAgent,
    created_at: issue.createdAt.toISOString(),
    updated_at: issue.updatedAt.toISOString(),
  }
}

export function presentIssueComment({ id, userId, body, createdAt }: IssueComment): Components['IssueComment'] {
  return { id, user_id: userId, body, created_at: createdAt.toISOString() }
}

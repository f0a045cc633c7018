import type { InboxItem } from '#domain/hosts/inbox/notification.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentInboxItem(item: InboxItem): Components['InboxItem'] {
  return {
    id: item.id,
    organization_id: item.organizationId,
    kind: item.kind,
    run_id: item.runId,
    run_title: item.run?.title ?? null,
    run_status: item.run?.status ?? null,
    pr_id: item.pullId,
    pr_number: item.pull?.number ?? null,
    repo_id: item.pull?.repoId ?? null,
    text: item.text,
    created_at: item.createdAt.toISOString(),
    read_at: item.readAt?.toISOString() ?? null,
  }
}

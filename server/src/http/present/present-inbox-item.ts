import type { InboxItem } from '#domain/hosts/inbox/notification.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentInboxItem(item: InboxItem): Components['InboxItem'] {
  return {
    id: item.id,
    organization_id: item.organizationId,
    kind: item.kind,
    run_id: item.runId,
    run_title: item.run.title,
    run_status: item.run.status,
    pr_id: item.pullId,
    text: item.text,
    created_at: item.createdAt.toISOString(),
    read_at: item.readAt?.toISOString() ?? null,
  }
}

import type { App } from '#app/app.ts'
import type { HostEvent } from '#base/hosts/host-event.ts'
import { wakeFixers } from '#domain/hosts/fixers/wake-fixers.ts'
import type { Repo } from '#domain/repos/repo.ts'

/** Whatever happens to a pull request, its agent looks by itself how things stand. */
export async function observeEvent(
  app: App,
  { organizationId, repo, event }: { organizationId: number; repo: Repo; event: HostEvent },
): Promise<string | null> {
  const about = aboutOf(event)
  const woken = about && (await wakeFixers(app.pool, { organizationId, repoId: repo.id, about }))
  return woken ? 'its agent looks at the pull request' : null
}

function aboutOf(event: HostEvent): { number: number } | { branch: string } | { commit: string } | null {
  switch (event.type) {
    case 'pull':
    case 'review':
      return { number: event.number }
    case 'comment':
      return event.on.kind === 'pull' ? { number: event.on.number } : null
    case 'push':
      return { branch: event.branch }
    case 'checks_changed':
      return { commit: event.commit }
    case 'button':
    case 'issue':
      return null
  }
}

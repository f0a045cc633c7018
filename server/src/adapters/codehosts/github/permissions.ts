import { HostError } from '#adapters/codehosts/code-host.ts'
import type { HostPermission, Forge } from '#adapters/codehosts/forge.ts'
import type { GitHubClient } from './client.ts'

export function openPermissions(client: GitHubClient): Pick<Forge, 'permissionOf'> {
  return {
    // What an event says of somebody's association is not asked: it calls members of a private organization strangers.
    permissionOf: async (ref, actor) => {
      const { ask, owner, repo } = await client.reach(ref, { metadata: 'read' })
      try {
        const { data } = await ask('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
          owner,
          repo,
          username: actor.login,
        })
        // A login that was given up may belong to somebody else by now.
        if (data.user && String(data.user.id) !== actor.hostUserId) return 'none'
        return words[data.permission] ?? 'none'
      } catch (error) {
        if (error instanceof HostError && error.code === 'not_found') return 'none'
        throw error
      }
    },
  }
}

const words: Record<string, HostPermission> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  read: 'read',
  triage: 'read',
}

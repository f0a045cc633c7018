import type { Forge } from '#adapters/codehosts/forge.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import type { GitHubClient } from './client.ts'
import { readActor } from './read-actor.ts'

export function openPushes(client: GitHubClient): Pick<Forge, 'listPushes'> {
  return {
    listPushes: async (ref, branch) => {
      const { ask, owner, repo } = await client.reach(ref, { contents: 'read' })
      const { data } = await ask('GET /repos/{owner}/{repo}/activity', {
        owner,
        repo,
        ref: `refs/heads/${branch}`,
        per_page: hostLimits.pushesReadMax,
      })
      return data.map(({ before, after, actor }) => ({
        before: commitOf(before),
        after: commitOf(after),
        actor: readActor(actor),
      }))
    },
  }
}

/** GitHub writes only zeros where there is none. */
const commitOf = (id: string): string | null => (/^0+$/.test(id) ? null : id)

import { createClient } from '@runwright/sdk'
import { configureRepo } from './configure-repo.ts'
import { connectHosts, type ConnectedHosts } from './connect-hosts.ts'
import { furnishOrganization } from './furnish-organization.ts'
import { openIssues } from './open-issues.ts'
import { playRuns, type PlayedRuns, type PlayRuns } from './play-runs.ts'
import { tellOfPulls, type ToldPulls } from './tell-of-pulls.ts'

export type PictureWorld = Omit<ConnectedHosts, 'elsewhere'> & {
  pulls: ToldPulls & Pick<ConnectedHosts, 'elsewhere'>
  runs: PlayedRuns
  /** The number of one that was talked about. */
  issue: number
  /** The repository that has something in each section of its settings. */
  configuredId: number
  /** The number of a comparison that was judged. */
  comparison: number
  /** The organization that has just been made. */
  newcomersId: number
  /** Of somebody who is no MANAGER. */
  memberToken: string
}

/** All that there is to see. */
export async function makeWorld(play: PlayRuns): Promise<PictureWorld> {
  const { url, token } = play
  const admin = createClient({ baseUrl: url, token })
  const runs = await playRuns(play)
  const { id } = await admin.organizations.createMember({
    org_id: 1,
    email: 'femi@fernhill.example',
    full_name: 'Femi Adeyemi',
  })
  const { token: memberToken } = await admin.tokens.createToken({ org_id: 1, name: 'Laptop', user_id: id })
  if (memberToken === null) throw new Error('The service has answered no token.')
  const femi = createClient({ baseUrl: url, token: memberToken })
  const { elsewhere, ...hosts } = await connectHosts(admin)
  const pulls = { ...(await tellOfPulls({ admin, femi, runs })), elsewhere }
  const configuredId = await configureRepo(play)
  const comparison = await furnishOrganization(admin, configuredId)
  const { id: newcomersId } = await admin.organizations.createOrganization({ name: 'Harbor Street' })
  return {
    ...hosts,
    comparison,
    configuredId,
    newcomersId,
    pulls,
    runs,
    memberToken,
    issue: await openIssues({ admin, femi }),
  }
}

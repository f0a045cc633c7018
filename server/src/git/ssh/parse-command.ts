import { Refusal, type GitService } from '#git/git-request.ts'
import { sshLimits } from './limits.ts'

export type GitCommand = { service: GitService; organizationId: number; repoName: string }

const form = /^git-(upload|receive)-pack '?\/?([1-9][0-9]{0,15})\/([A-Za-z0-9][A-Za-z0-9._-]{0,99})\.git'?$/

/** What a client wants to run. Throws a `Refusal` for all but git's two programs on one repository. */
export function parseCommand(command: string): GitCommand {
  if (command.length > sshLimits.commandCharactersMax) throw new Refusal(400, 'The command is too long.')
  if (command.startsWith('git-lfs-'))
    throw new Refusal(
      501,
      'Git LFS is served over HTTP alone. Set lfs.url to the HTTP address of the repository, followed by /info/lfs, and give a token as the password.',
    )
  const [, service, digits, repoName = ''] = form.exec(command) ?? []
  const organizationId = Number(digits)
  if (!service || !Number.isSafeInteger(organizationId) || repoName.includes('..'))
    throw new Refusal(400, 'Only git clone, fetch and push are served here, at addresses that end with /1/name.git.')
  return { service: `${service as 'upload' | 'receive'}-pack`, organizationId, repoName }
}

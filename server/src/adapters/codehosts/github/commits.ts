import { createHash } from 'node:crypto'
import type { RemoteHost, SignedCommit } from '#adapters/codehosts/remote-host.ts'
import type { GitHubClient } from './client.ts'

/** GitHub signs what an App commits over its API, as long as it names nobody itself. */
export function openCommits(client: GitHubClient): Pick<RemoteHost, 'signsCommits' | 'signCommit'> {
  return {
    signsCommits: (ref) => client.isApp(ref),
    signCommit: async (ref, { tree, parents, message }) => {
      const { ask, owner, repo } = await client.reach(ref, { contents: 'write' })
      const { data } = await ask('POST /repos/{owner}/{repo}/git/commits', { owner, repo, tree, parents, message })
      const { verified, signature, payload } = data.verification
      if (!verified || !signature || !payload) return null
      const forms = [signature, signature.trimEnd()].map((form) => withSignature(payload, form))
      const text = forms.find((form) => idOf(form) === data.sha)
      return text === undefined ? null : { id: data.sha, text }
    },
  }
}

/** The commit as git stores it. Whether a signature ends with an empty line is a question of who made it. */
function withSignature(payload: string, signature: string): SignedCommit['text'] {
  const end = payload.indexOf('\n\n')
  return `${payload.slice(0, end)}\ngpgsig ${signature.replaceAll('\n', '\n ')}${payload.slice(end)}`
}

const idOf = (text: string) =>
  createHash('sha1')
    .update(`commit ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest('hex')

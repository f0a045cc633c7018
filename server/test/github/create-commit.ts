import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { accountOf } from './authorize.ts'
import { GitHubError } from './github-error.ts'
import { needText, type Call, type Reply } from './route.ts'
import { nextId } from './world.ts'

/** Makes a commit of a tree that is there; what an App makes without naming an author is signed. */
export async function createCommit(call: Call): Promise<Reply> {
  const { world, repository, body, by } = call
  const message = needText(call, 'message', 'Commit')
  const tree = needText(call, 'tree', 'Commit')
  const parents = (body['parents'] ?? []) as string[]
  for (const [id, kind] of [[tree, 'tree'] as const, ...parents.map((parent) => [parent, 'commit'] as const)]) {
    const { exitCode } = await repository.tryGit('cat-file', '-e', `${id}^{${kind}}`)
    if (exitCode !== 0)
      throw new GitHubError(422, kind === 'tree' ? 'Tree SHA does not exist' : 'Parent SHA does not exist')
  }
  const { login, id, type } = accountOf(by)
  const date = new Date()
  const seconds = Math.floor(date.getTime() / 1_000)
  const email = `${id}+${login}@users.noreply.127.0.0.1`
  const who = `${login} <${email}> ${seconds} +0000`
  const head = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${who}`,
    `committer GitHub <noreply@github.com> ${seconds} +0000`,
  ]
  const payload = `${head.join('\n')}\n\n${message}`
  const isSigned = type === 'Bot' && body['author'] === undefined && body['committer'] === undefined
  const signature = `-----BEGIN PGP SIGNATURE-----\n\n${createHash('sha256').update(payload).digest('base64')}\n-----END PGP SIGNATURE-----\n`
  const lines = isSigned ? `\ngpgsig ${signature.replaceAll('\n', '\n ')}` : ''
  const file = `${world.folder}/commit-${nextId(world)}`
  await writeFile(file, payload.replace('\n\n', `${lines}\n\n`))
  const sha = await repository.git('hash-object', '-t', 'commit', '-w', file)
  await rm(file)
  const person = { name: login, email, date: new Date(seconds * 1_000).toISOString() }
  const verification = {
    verified: isSigned,
    reason: isSigned ? 'valid' : 'unsigned',
    signature: isSigned ? signature : null,
    payload: isSigned ? payload : null,
    verified_at: isSigned ? person.date : null,
  }
  const named = (sha: string) => ({
    sha,
    url: `${world.apiUrl}/git/commits/${sha}`,
    html_url: `${world.url}/commit/${sha}`,
  })
  const output = {
    ...named(sha),
    node_id: `C_${sha}`,
    author: person,
    committer: person,
    message,
    verification,
    parents: parents.map(named),
  }
  return { status: 201, body: { ...output, tree: { sha: tree, url: `${world.apiUrl}/git/trees/${tree}` } } }
}

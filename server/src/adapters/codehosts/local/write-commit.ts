import { Readable } from 'node:stream'
import { limits } from '#base/limits.ts'
import { askGit } from './ask-git.ts'
import { runGit, GitError } from './run-git.ts'

export type Person = { name: string; email: string }

/** `author`: as a commit has it, bytes as characters; whoever commits when left out. */
export type WriteCommit = {
  tree: string
  parents: string[]
  by: Person
  at: Date
  message: string
  author?: string
}

/** Writes a commit that no branch holds. */
export async function writeCommit(
  repository: string,
  { tree, parents, by, at, message, author }: WriteCommit,
): Promise<string> {
  const who = bytesOf(`${plain(by.name)} <${plain(by.email)}> ${Math.floor(at.getTime() / 1000)} +0000`)
  const header = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)]
  const text = [...header, `author ${author ?? who}`, `committer ${who}`, '', bytesOf(message)].join('\n')
  return askGit({
    repository,
    arguments: ['hash-object', '-t', 'commit', '-w', '--stdin'],
    input: Readable.from([Buffer.from(text, 'latin1')], { objectMode: false }),
    timeoutMs: limits.gitCommandMs,
  })
}

/** What a rebase leaves of a commit: who wrote it when, and what they said. */
export async function readAuthorship(repository: string, commit: string): Promise<{ author: string; message: string }> {
  const { exitCode, stdout, stderr } = await runGit({
    repository,
    arguments: ['cat-file', 'commit', commit],
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode !== 0) throw new GitError('exited', stderr)
  const text = stdout.toString('latin1')
  const end = text.indexOf('\n\n')
  const author = /^author (.*)$/m.exec(text.slice(0, end))?.[1] ?? ''
  return { author, message: stdout.subarray(end + 2).toString('utf8') }
}

const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

/** Brackets and line ends would make another line of it; a name without a letter is none for git. */
function plain(text: string): string {
  const kept = text.replace(/[<>\p{Cc}]/gu, '').trim()
  return /[\p{L}\p{N}]/u.test(kept) ? kept : 'somebody'
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export type CommitTo = { branch: string; from?: string; files: Record<string, string>; message?: string }

/** Puts a commit on a branch of a bare repository, on top of what is there or of another branch. Answers the commit. */
export const commitTo = (repository: string, commit: CommitTo): string => commitEach(repository, [commit])[0] as string

/** The same, one after another, by one process: starting it is what takes the time. */
export function commitEach(repository: string, commits: CommitTo[]): string[] {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const made = new Map<string, number>()
  const parentOf = (branch: string) => {
    if (made.has(branch)) return `from :${made.get(branch)}\n`
    return hasBranch(repository, branch) ? `from refs/heads/${branch}^0\n` : ''
  }
  const input = commits.map(({ branch, from = branch, files, message = 'Work' }, index) => {
    const parent = parentOf(from)
    made.set(branch, index + 1)
    return [
      `commit refs/heads/${branch}\nmark :${index + 1}\ncommitter Ada <ada@example.com> 0 +0000\n${data(message)}`,
      parent,
      ...Object.entries(files).map(([name, text]) => `M 100644 inline ${name}\n${data(text)}`),
      `get-mark :${index + 1}\n`,
    ].join('')
  })
  const words = [`--git-dir=${repository}`, 'fast-import', '--quiet']
  return execFileSync('git', words, { input: input.join(''), encoding: 'utf8' })
    .trim()
    .split('\n')
}

/** Without starting git. A branch is a file, or a line of the file of packed ones. */
function hasBranch(repository: string, branch: string): boolean {
  if (existsSync(path.join(repository, 'refs/heads', branch))) return true
  const packed = path.join(repository, 'packed-refs')
  return existsSync(packed) && readFileSync(packed, 'utf8').includes(` refs/heads/${branch}\n`)
}

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

export type CommitTo = { branch: string; from?: string; files: Record<string, string>; message?: string }

/** Puts a commit on a branch of a bare repository, on top of what is there or of another branch. Answers the commit. */
export function commitTo(repository: string, { branch, from = branch, files, message = 'Work' }: CommitTo): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const input = [
    `commit refs/heads/${branch}\nmark :1\ncommitter Ada <ada@example.com> 0 +0000\n${data(message)}`,
    existsSync(path.join(repository, 'refs/heads', from)) ? `from refs/heads/${from}^0\n` : '',
    ...Object.entries(files).map(([name, text]) => `M 100644 inline ${name}\n${data(text)}`),
    'get-mark :1\n',
  ]
  const words = [`--git-dir=${repository}`, 'fast-import', '--quiet']
  return execFileSync('git', words, { input: input.join(''), encoding: 'utf8' }).trim()
}

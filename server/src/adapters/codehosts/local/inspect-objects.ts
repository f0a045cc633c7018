import type { InspectObject, ObjectInspector } from '#adapters/codehosts/git-store.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { drained } from '#base/concurrency/drained.ts'
import { complaintOf, GitError } from './run-git.ts'
import { startGit, type GitRequest, type RunningGit } from './start-git.ts'

export type InspectObjects = {
  /** Where the objects are: what the two git programs have in common. */
  at: (words: string[]) => GitRequest
  commit: string
  inspect: InspectObject
}

/**
 * Shows all that a commit brings which no branch holds yet to who wants to look at it: one git lists the objects, another
 * prints them. Answers the first complaint.
 */
export async function inspectObjects({ at, commit, inspect }: InspectObjects): Promise<string | null> {
  const stop = new AbortController()
  const start = (words: string[]) => {
    const request = at(words)
    return startGit({ ...request, signal: AbortSignal.any([stop.signal, ...(request.signal ? [request.signal] : [])]) })
  }
  const list = start(['rev-list', '--objects', commit, '--not', '--all'])
  const print = start(['cat-file', '--batch', '--buffer'])
  const paths: string[] = []
  const asking = askFor(list, print, paths)
  // Where the answer is known before all was asked for, nobody waits for the rest.
  asking.catch(() => {})
  try {
    const complaint = await readObjects(print, paths, inspect)
    if (complaint !== null) return complaint
    await asking
    for (const git of [list, print]) await endWell(git)
    return null
  } catch (error) {
    at([]).signal?.throwIfAborted()
    throw error
  } finally {
    stop.abort()
    await Promise.all([list.ended, print.ended])
  }
}

async function endWell(git: RunningGit): Promise<void> {
  const { exitCode, reason, stderr } = await git.ended
  if (exitCode === null) throw new GitError(reason, stderr)
  if (exitCode !== 0) throw new GitError(reason, complaintOf(stderr))
}

/** Each line names an object and, but for commits, a path under which it lies. */
async function askFor(list: RunningGit, print: RunningGit, paths: string[]): Promise<void> {
  let rest = ''
  list.stdin.end()
  try {
    for await (const chunk of list.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) paths.push(line.slice(41))
      const names = lines.map((line) => `${line.slice(0, 40)}\n`).join('')
      if (names && !print.stdin.write(names)) await drained(print.stdin)
    }
  } finally {
    print.stdin.end()
  }
}

/** Each object is a line of its id, its kind and its size, its bytes, and a line end. */
async function readObjects(print: RunningGit, paths: string[], inspect: InspectObject): Promise<string | null> {
  let header = Buffer.alloc(0)
  let inspector: ObjectInspector | undefined
  let left = 0
  let unpacked = 0
  for await (const chunk of print.stdout as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length;) {
      if (!inspector) {
        const end = chunk.indexOf(10, from)
        header = Buffer.concat([header, chunk.subarray(from, end < 0 ? chunk.length : end)])
        from = end < 0 ? chunk.length : end + 1
        if (end < 0) continue
        const [id = '', kind = '', size = ''] = header.toString('latin1').split(' ')
        header = Buffer.alloc(0)
        inspector = inspect({ id, kind, path: paths.shift() ?? '' })
        left = Number(size)
        unpacked += left
        if (unpacked > gitLimits.pushUnpackedBytesMax)
          throw new GitError('too_much', 'error: the push unpacks to more than can be looked through')
        continue
      }
      if (left > 0) {
        const piece = chunk.subarray(from, from + left)
        inspector.write(piece)
        from += piece.length
        left -= piece.length
        continue
      }
      const complaint = await inspector.end()
      if (complaint !== null) return complaint
      inspector = undefined
      from++
    }
  }
  return null
}

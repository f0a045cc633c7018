import type { Submodule } from '#adapters/codehosts/git-store.ts'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { GitError, runGit } from './run-git.ts'
import { readFile } from './read-file.ts'

/**
 * What a commit's `.gitmodules` names, with the commit that is recorded for each. Of that file only paths and addresses are
 * read, as git reads them and without what it includes: how a submodule is to be updated is nothing to us.
 */
export async function listSubmodules(repository: string, { commit }: { commit: string }): Promise<Submodule[]> {
  const { gitmodulesBytesMax: bytesMax, timeoutMs } = { ...gitLimits, timeoutMs: limits.gitCommandMs }
  const file = await readFile(repository, { path: '.gitmodules', commit, bytesMax })
  if (!file) return []
  const words = ['config', '--file', '-', '--no-includes', '--null', '--list']
  const listed = await runGit({ repository, arguments: words, input: file.toString(), timeoutMs })
  if (listed.exitCode !== 0) throw new HostError('invalid', 'The file .gitmodules is none that git can read.')
  const named = readNamed(listed.stdout.toString())
  if (named.length > gitLimits.submodulesMax)
    throw new HostError('invalid', `The file .gitmodules names more than ${gitLimits.submodulesMax} submodules.`)
  if (named.length === 0) return []
  const paths = named.map(({ path }) => path)
  const tree = ['ls-tree', '-z', '--full-tree', commit, '--', ...paths]
  const { exitCode, stdout, stderr } = await runGit({ repository, arguments: tree, timeoutMs })
  if (exitCode !== 0) throw new GitError('exited', stderr)
  const commits = new Map(
    stdout
      .toString()
      .split('\0')
      .flatMap((entry) => {
        const [whole, id] = /^160000 commit ([0-9a-f]{40})\t/.exec(entry) ?? []
        return whole === undefined ? [] : [[entry.slice(whole.length), id!] as const]
      }),
  )
  return named.map(({ path, url }) => ({ path, url, commit: commits.get(path) ?? null }))
}

/** `submodule.<name>.<key>` and its value, line by line; a name may hold dots. What has no sound path is left out. */
function readNamed(output: string): { path: string; url: string | null }[] {
  const byName = new Map<string, { path?: string; url?: string }>()
  for (const line of output.split('\0')) {
    const cut = line.indexOf('\n')
    const key = line.slice(0, cut)
    const kind = key.slice(key.lastIndexOf('.') + 1)
    if (cut < 0 || !key.startsWith('submodule.') || (kind !== 'path' && kind !== 'url')) continue
    const name = key.slice('submodule.'.length, key.lastIndexOf('.'))
    byName.set(name, { ...byName.get(name), [kind]: line.slice(cut + 1) })
  }
  return [...byName].flatMap(([name, { path = '', url }]) => {
    const isSound = isPlainPath(name) && isPlainPath(path)
    return isSound ? [{ path, url: url ?? null }] : []
  })
}

/** Neither git's own folder nor a way out of the work tree, nothing that a command could take for an option, one line. */
function isPlainPath(path: string): boolean {
  if (path.startsWith('-') || path.startsWith(':') || path.length > 1_000) return false
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f\\]/.test(path)) return false
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git')
}

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { GitError, runGit } from './run-git.ts'

/** Names as git has them, byte by byte, each with what it is at; and the branch that HEAD names. */
export type Refs = { head: string; at: Map<string, string> }

const timeoutMs = 5 * 60_000
const refsBytesMax = 256 * 2 ** 20

/** What a bare repository's names are at now. */
export async function readRefs(repository: string, signal: AbortSignal): Promise<Refs> {
  const { exitCode, stdout, stderr, isCut } = await runGit({
    repository,
    arguments: ['for-each-ref', '--format=%(objectname) %(refname)'],
    timeoutMs,
    outputBytesMax: refsBytesMax,
    signal,
  })
  if (exitCode !== 0 || isCut) throw new GitError(isCut ? 'too_much' : 'exited', stderr)
  return { head: await readHead(repository), at: parseRefs(stdout.toString('latin1')) }
}

export async function readHead(repository: string): Promise<string> {
  const [, branch = 'main'] =
    /^ref: refs\/heads\/(\S+)\s*$/.exec(await readFile(path.join(repository, 'HEAD'), 'latin1')) ?? []
  return branch
}

/** Lines of git's own file of packed refs. */
export function parseRefs(text: string): Map<string, string> {
  const lines = text.split('\n').map((line) => /^([0-9a-f]{40}) (refs\/\S+)$/.exec(line))
  return new Map(lines.flatMap((found) => (found?.[1] && found[2] ? [[found[2], found[1]] as const] : [])))
}

/** In the order of bytes, which git relies on. */
export function formatRefs({ at }: Pick<Refs, 'at'>): string {
  const names = [...at.keys()].sort((a, b) => (a < b ? -1 : 1))
  return ['# pack-refs with: sorted ', ...names.map((name) => `${at.get(name)} ${name}`), ''].join('\n')
}

/** Whether git takes it for a name below refs/ (git-check-ref-format): it must lead nowhere else as a path either. */
export function isRefName(name: string): boolean {
  return (
    /^refs\/[!-\u00ff]+$/.test(name) &&
    !/[~^:?*[\\\x7f]|\.\.|@\{|\/\/|\/$|\.$/.test(name) &&
    name.split('/').every((part) => part && !part.startsWith('.') && !part.endsWith('.lock'))
  )
}

import path from 'node:path'
import { HostError, type PushRequest, type PushResult, type RepoRef } from '#adapters/codehosts/code-host.ts'
import { aborted } from '#base/aborted.ts'
import { limits } from '#base/limits.ts'
import { openLocalHost, type LocalHost, type LocalHostOptions } from './local.ts'
import { readBranch } from './read-branches.ts'
import { folderOf } from './repository-folder.ts'
import { complaintOf, runGit, type GitResult } from './run-git.ts'

export type MirroredHostOptions = LocalHostOptions & {
  /** Where git reaches the repository for the run that asks, and with which token. */
  openAccess: (repo: RepoRef) => Promise<{ address: string; secret: string }>
}

type Reach = { words: (address: string) => string[]; signal: AbortSignal | undefined }

/** A repository changes on this machine in one process at a time, but two processes may share the folder. */
const triesMax = 3

const fetch = ['fetch', '--quiet', '--prune', '--no-tags', '--no-write-fetch-head', '--end-of-options']

/**
 * The built-in host as a worker on another machine has it: the folder holds mirrors, which are brought up to date through
 * the door of git before each use, and what an agent made is checked here and leaves through that door.
 */
export function openMirroredHost({ openAccess, ...options }: MirroredHostOptions): LocalHost {
  const local = openLocalHost(options)
  const root = path.resolve(options.folder)
  const inTurn = turns()

  async function reach(repo: RepoRef, { words, signal }: Reach): Promise<GitResult> {
    const { address, secret } = await openAccess(repo)
    return runGit({
      repository: folderOf(root, repo),
      arguments: words(address),
      protocols: ['http', 'https'],
      config: [
        ['http.extraHeader', `Authorization: Basic ${Buffer.from(`run:${secret}`).toString('base64')}`],
        ['http.followRedirects', 'false'],
        ['fetch.fsckObjects', 'true'],
        ['fetch.unpackLimit', '1'],
      ],
      timeoutMs: limits.importMsMax,
      ...(signal && { signal }),
    })
  }

  async function renew(repo: RepoRef, signal?: AbortSignal): Promise<void> {
    const words = (address: string) => [...fetch, address, '+refs/heads/*:refs/heads/*']
    await local.createRepository(repo, { defaultBranch: 'main' })
    for (let tries = 1; ; tries++) {
      const { exitCode, stderr } = await reach(repo, { words, signal })
      if (exitCode === 0) return
      if (tries === triesMax) throw unreachable(stderr)
    }
  }

  async function push(repo: RepoRef, request: PushRequest): Promise<PushResult> {
    const { branch, commit, expected, signal } = request
    await renew(repo, signal)
    if ((await readBranch(folderOf(root, repo), branch)) === commit) {
      request.pack.destroy()
      return { pushed: true }
    }
    // Which branches are protected the host says itself; the mirror does not know.
    const checked = await local.push(repo, { ...request, protectedBranches: [] })
    if (!checked.pushed) return checked
    const ref = `refs/heads/${branch}`
    const push = ['push', '--porcelain', '--no-verify', `--force-with-lease=${ref}:${expected ?? ''}`]
    const { exitCode, stdout, stderr } = await reach(repo, {
      words: (address) => [...push, '--end-of-options', address, `${commit}:${ref}`],
      signal,
    })
    if (exitCode === 0) return { pushed: true }
    if (!(await request.stillAllowed()))
      return { pushed: false, reason: 'lease_lost', message: 'The run is no longer held by who pushes.' }
    return refusalIn(stdout.toString()) ?? failed(stderr)
  }

  return {
    ...local,
    // Made by the host, when the door is first opened for it.
    createRepository: async () => {},
    mirror: (repo, { signal } = {}) =>
      inTurn(repo.path, signal, async () => {
        await renew(repo, signal)
        return local.mirror(repo)
      }),
    push: (repo, request) => inTurn(repo.path, request.signal, () => push(repo, request)),
  }
}

/** What the host says of the branch: `!\t<commit>:<ref>\t[remote rejected] (this run may not push)`. */
function refusalIn(porcelain: string): PushResult | undefined {
  const [, kind = '', why = ''] = /^!\t\S+\t\[([a-z ]+)\] \((.*)\)$/m.exec(porcelain) ?? []
  if (!kind) return undefined
  if (kind === 'remote rejected') return { pushed: false, reason: 'protected', message: `The host refused it: ${why}.` }
  return { pushed: false, reason: 'stale', message: `The branch has moved meanwhile: ${why}.` }
}

function unreachable(stderr: string): HostError {
  const why = complaintOf(stderr)
  const hint = /401|Authentication failed|could not read Username/.test(stderr)
    ? ' Has every process the same RUNWRIGHT_SECRET_KEY?'
    : ''
  return new HostError('unavailable', `The repository cannot be reached at RUNWRIGHT_GIT_URL: ${why}.${hint}`)
}

function failed(stderr: string): never {
  throw unreachable(stderr)
}

/** What is done under one key is done one after the other; who does not want it any more does not wait for it. */
function turns(): <T>(key: string, signal: AbortSignal | undefined, act: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (key, signal, act) => {
    const wanted = async () => {
      signal?.throwIfAborted()
      return act()
    }
    const turn = (last.get(key) ?? Promise.resolve()).then(wanted, wanted)
    last.set(key, turn)
    const leave = () => {
      if (last.get(key) === turn) last.delete(key)
    }
    turn.then(leave, leave)
    return signal ? Promise.race([turn, rejected(signal)]) : turn
  }
}

async function rejected(signal: AbortSignal): Promise<never> {
  await aborted(signal)
  throw signal.reason
}

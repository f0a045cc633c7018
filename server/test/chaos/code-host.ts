import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import type { Journal } from './journal.ts'

export type WatchedHost = {
  stop(): Promise<void>
  /** Where each branch is now. */
  branches(): Promise<Map<string, string>>
  /** Clones the repository into a folder; answers a way to ask git there. */
  clone(folder: string): Promise<(...words: string[]) => Promise<string>>
}

const lookMs = 1_000
const gitMs = 20_000
const patienceMs = 30 * 60_000

/** The repository as somebody with git sees it, over HTTP; each change of a branch is noted. */
export function watchHost(client: Client, { repoName, journal }: { repoName: string; journal: Journal }): WatchedHost {
  const stop = new AbortController()
  const known = new Map<string, string>()

  async function branches(): Promise<Map<string, string>> {
    const listed = await onHost((url) => git('ls-remote', '--heads', url))
    const lines = listed.split('\n').filter(Boolean)
    return new Map(lines.map((line) => [line.split('\trefs/heads/')[1] ?? '', line.split('\t')[0] ?? '']))
  }

  async function watch(): Promise<void> {
    while (!stop.signal.aborted) {
      for (const [branch, commit] of await branches()) {
        if (known.get(branch) === commit) continue
        known.set(branch, commit)
        journal.write({ kind: 'branch', branch, commit })
      }
      await sleep(lookMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  /** At one address after the other, until git is content. */
  async function onHost(act: (url: string) => Promise<string>): Promise<string> {
    const until = Date.now() + patienceMs
    for (;;) {
      const address = client.nextAddress()
      try {
        return await act(`${address}/git/1/${repoName}.git`)
      } catch (error) {
        journal.write({ kind: 'refused', address, request: 'git', why: (error as Error).message.slice(0, 300) })
        if (Date.now() > until) throw error
        await sleep(300)
      }
    }
  }

  const git = (...words: string[]) =>
    new Promise<string>((resolve, reject) => {
      const flags = [
        '-c',
        `http.extraHeader=Authorization: ${client.headers['authorization']}`,
        '-c',
        'credential.helper=',
      ]
      const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_TERMINAL_PROMPT: '0' }
      execFile('git', [...flags, ...words], { env, timeout: gitMs, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
        error ? reject(new Error(`git ${words[0]}: ${stderr.trim()}`)) : resolve(stdout),
      )
    })

  const watching = watch()
  return {
    branches,
    clone: async (folder) => {
      await onHost((url) => git('clone', '--quiet', '--mirror', url, folder))
      return (...words) => git('-C', folder, ...words)
    },
    stop: async () => {
      stop.abort()
      await watching
    },
  }
}

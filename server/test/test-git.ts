import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { after } from 'node:test'

/** A folder that is taken away at the end of the test, or of the file where it is made there. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'runwright-test-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export type GitOutcome = { exitCode: number; stdout: string; stderr: string }

/** Where somebody works with git: a person at a desk, or an agent. */
export type WorkTree = {
  folder: string
  /** Answers what git printed, and rejects with what it complained of. */
  git(...words: string[]): Promise<string>
  /** The same, for what may fail. */
  tryGit(...words: string[]): Promise<GitOutcome>
  /** Writes the files and commits everything. Answers the commit. */
  commit(files: Record<string, string | Buffer>, message?: string): Promise<string>
  /** A thin pack of what `commit` reaches and `known` do not. */
  pack(commit: string, ...known: string[]): Readable
}

/** A work tree with no commit, on branch `main`. */
export async function makeWorkTree(): Promise<WorkTree> {
  const folder = await testFolder()
  const tree = openWorkTree(folder)
  await tree.git('init', '--quiet', '--initial-branch=main')
  return tree
}

export function openWorkTree(folder: string): WorkTree {
  const env = environmentOf()
  const tryGit = (...words: string[]) =>
    new Promise<GitOutcome>((resolve) => {
      execFile('git', words, { cwd: folder, env, maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
        resolve({ exitCode: error ? Number(error.code) || 1 : 0, stdout, stderr }),
      )
    })
  const git = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await tryGit(...words)
    if (exitCode !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`)
    return stdout.trimEnd()
  }
  return {
    folder,
    git,
    tryGit,
    commit: async (files, message = 'work') => {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(path.join(folder, path.dirname(name)), { recursive: true })
        await writeFile(path.join(folder, name), content)
      }
      await git('add', '--all', '--force')
      await git('commit', '--quiet', '--allow-empty', '-m', message)
      return git('rev-parse', 'HEAD')
    },
    pack: (commit, ...known) => {
      const child = spawn('git', ['pack-objects', '--revs', '--thin', '--stdout', '-q'], { cwd: folder, env })
      child.stdin.end([commit, ...known.map((name) => `^${name}`)].join('\n') + '\n')
      // Node drops what nobody reads before the process has ended.
      return child.stdout.pipe(new PassThrough())
    },
  }
}

function environmentOf(): Record<string, string> {
  const person = { NAME: 'Ada', EMAIL: 'ada@example.com' }
  return {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((role) =>
        Object.entries(person).map(([key, value]) => [`GIT_${role}_${key}`, value]),
      ),
    ),
  }
}

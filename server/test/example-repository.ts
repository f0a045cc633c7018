import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A git repository on this machine with these files, or with those of a folder, in one commit on `main`. */
export function makeRepository(files: Record<string, string> | { folder: string }): string {
  const place = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'runwright-repository-')))
  if (typeof files['folder'] === 'string' && Object.keys(files).length === 1) {
    cpSync(files['folder'], place, { recursive: true })
  } else {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(place, name)), { recursive: true })
      writeFileSync(path.join(place, name), text)
    }
  }
  git(place, 'init', '-q', '-b', 'main')
  git(place, 'add', '-A')
  git(place, 'commit', '-q', '--allow-empty', '-m', 'Begin')
  return place
}

/** Runs git as a person would and answers what it printed. */
export function git(folder: string, ...words: string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  return execFileSync('git', ['-C', folder, ...identity, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export const receipts = path.resolve(import.meta.dirname, '../../examples/receipts')

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
export const migrations = 'server/src/db/migrations'

const git = (...words: string[]) =>
  execFileSync('git', ['-C', root, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1e9,
  }).trim()

/**
 * How far back to look: of parts that are made side by side one may come before what it needs, and a migration may change as
 * long as nobody has it.
 */
const commitsBackMax = 100

/** The commits without the newest migration, the last one first; none where the history does not go back so far. */
function listPrevious(): string[] {
  try {
    const from = git('status', '--porcelain', '--', migrations)
      ? 'HEAD'
      : `${git('log', '-1', '--format=%H', '--', migrations)}^`
    return git('rev-list', `--max-count=${commitsBackMax}`, from).split('\n').filter(Boolean)
  } catch {
    return []
  }
}

/**
 * The version before the newest migration: the last commit whose parts are all there and whose migrations are still the same, in a
 * folder of its own. Undefined without a history, as in a shallow clone.
 */
export async function findPrevious(): Promise<{ commit: string; folder: string } | undefined> {
  for (const commit of listPrevious()) {
    const folder = checkOut(commit)
    if (isWhole(folder) && hasSameMigrations(folder)) return { commit, folder }
    await rm(folder, { recursive: true })
  }
  return undefined
}

/** Whether all that it is made of is there: it comes so far as to find that it was not told what to start. */
function isWhole(folder: string): boolean {
  const { stderr } = spawnSync(process.execPath, ['server/src/main.ts', 'nothing'], { cwd: folder, encoding: 'utf8' })
  return stderr.includes('There is no "nothing" to start.')
}

function hasSameMigrations(folder: string): boolean {
  const read = (place: string, name: string) => readFileSync(path.join(place, migrations, name), 'utf8')
  const names = readdirSync(path.join(folder, migrations))
  return names.every((name) => read(folder, name) === read(root, name))
}

function checkOut(commit: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-previous-'))
  chmodSync(folder, 0o711)
  execFileSync('sh', ['-c', `git -C "$1" archive ${commit} | tar x -C "$2"`, 'sh', root, folder])
  for (const place of ['.', 'server', 'sdk', 'cli']) {
    const installed = path.join(root, place, 'node_modules')
    if (existsSync(installed)) symlinkSync(installed, path.join(folder, place, 'node_modules'))
  }
  return folder
}

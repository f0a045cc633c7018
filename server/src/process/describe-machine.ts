import { statfs } from 'node:fs/promises'
import os from 'node:os'
import { getGitVersion } from '#adapters/codehosts/local/get-git-version.ts'
import type { App } from '#app/app.ts'
import { systemClock } from '#base/clock.ts'
import type { Config } from '#base/config/config.ts'
import { version } from '#base/version.ts'
import { getDatabaseFacts, type DatabaseFacts } from '#db/get-database-facts.ts'
import { foldersOnDisk, lookAtDisk } from '#worker/health/look-at-disk.ts'

const postgresMin = { number: 150_000, words: 'PostgreSQL 15' }
/** Since then there is `git merge-tree --write-tree`. */
const gitMin = [2, 38] as const
/** From this share of the connections on the next process may find none. */
const crowdedShare = 0.8
/** Leases last for seconds, and so do single-use tickets. */
const aheadMsMax = 2_000

/** What was looked at, a line each, and beneath it what is wrong with it. */
export type Described = { lines: string[]; hasProblems: boolean }

/** What runs, on what, and where it keeps its data. */
export const describeProcess = ({ dataDir }: Pick<Config, 'dataDir'>): string[] => [
  `Runwright ${version}, Node ${process.version}, ${os.type()} ${os.release()}`,
  `Data: ${dataDir}`,
]

/** The database, the clock, git and the disks of a machine. */
export async function describeMachine(app: Pick<App, 'pool' | 'config' | 'temporaryFolder'>): Promise<Described> {
  const facts = await getDatabaseFacts(app.pool, systemClock)
  const looked = [
    describeDatabase(facts),
    describeClock(facts),
    describeGit(await getGitVersion().catch(() => null)),
    await describeDisks(app),
  ]
  return {
    lines: looked.flatMap(linesOf),
    hasProblems: looked.some(({ problems }) => problems.length > 0),
  }
}

/** One thing that was looked at. */
export type Looked = { line: string; problems: string[] }

export const linesOf = ({ line, problems }: Looked): string[] => [
  line,
  ...problems.map((problem) => `  problem: ${problem}`),
]

export function describeDatabase(facts: DatabaseFacts): Looked {
  const { version, versionNumber, connections, connectionsMax, migrations, newestMigration } = facts
  const isCrowded = connections >= connectionsMax * crowdedShare
  return {
    line: `Database: PostgreSQL ${version}, ${connections} of ${connectionsMax} connections open, ${migrations} migrations up to ${newestMigration}`,
    problems: [
      ...(versionNumber < postgresMin.number ? [`Runwright needs ${postgresMin.words} or newer.`] : []),
      ...(isCrowded ? ['Processes may soon find no connection. Raise max_connections, or start fewer processes.'] : []),
    ],
  }
}

export function describeClock({ aheadMs, unsureMs }: DatabaseFacts): Looked {
  const seconds = Math.abs(aheadMs / 1_000).toFixed(1)
  if (Math.abs(aheadMs) - unsureMs <= aheadMsMax) return { line: "Clock: agrees with the database's", problems: [] }
  const line = `Clock: ${seconds} s ${aheadMs < 0 ? 'ahead of' : 'behind'} the database's`
  return {
    line,
    problems: [
      'Times in its log lines, and those of commits in its sandboxes, are wrong. Have both machines keep time by NTP.',
    ],
  }
}

export function describeGit(version: string | null): Looked {
  if (version === null) return { line: 'Git: not found', problems: ['Install Git, or put it in the PATH.'] }
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < gitMin[0] || (major === gitMin[0] && minor < gitMin[1])
  return {
    line: `Git: ${version}`,
    problems: isOld ? [`Runwright needs Git ${gitMin.join('.')} or newer to merge pull requests.`] : [],
  }
}

/** The disks that this process writes to. */
export async function describeDisks(app: Pick<App, 'config' | 'temporaryFolder'>): Promise<Looked> {
  const free = new Map<string, string>()
  for (const folder of foldersOnDisk(app)) {
    const found = await statfs(folder).catch(() => undefined)
    // Folders of one disk have as much room.
    if (found) free.set(`${found.type} ${found.blocks} ${found.bavail}`, `${gibibytes(found)} GiB free in ${folder}`)
  }
  const problem = await lookAtDisk(app).catch((error: Error) => error.message)
  return { line: `Disk: ${[...free.values()].join(', ')}`, problems: problem === undefined ? [] : [problem] }
}

const gibibytes = ({ bavail, bsize }: { bavail: number; bsize: number }) => ((bavail * bsize) / 2 ** 30).toFixed(1)

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { findControlGroups } from '#adapters/sandboxes/control-groups.ts'
import type { Cluster } from './cluster.ts'

/** What runs have left: files and folders of sandboxes, mounts, control groups, temporary files, processes, tokens. */
export async function findLeftovers({ folder, apis, workers, machines: remote, postgres }: Cluster): Promise<string[]> {
  const machines = ['shared', 'machine-a', 'machine-b', ...remote.map(({ name }) => name)].map((name) =>
    path.join(folder, name),
  )
  const ours = new Set([process.pid, postgres.pid(), ...[...apis, ...workers, ...remote].map(({ pid }) => pid)])
  const temporary = machines
    .flatMap((machine) => list(path.join(machine, 'temporary')))
    // A process that lives has a folder of its own, which is empty between two things that it does.
    .flatMap((file) => (ours.has(Number(path.basename(file).split('-')[0])) ? list(file) : [file]))
  const files = [...machines.flatMap((machine) => list(path.join(machine, 'sandboxes'))), ...temporary]
  const mounts = read('/proc/mounts')
    .split('\n')
    .filter((line) => line.includes(folder))
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && !ours.has(Number(name)))
    .filter((pid) =>
      [`/proc/${pid}/cmdline`, `/proc/${pid}/mountinfo`].some((file) =>
        machines.some((machine) => read(file).includes(machine)),
      ),
    )
    .map((pid) => `process ${pid}: ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200)}`)
  const groups = machines
    .flatMap((machine) => findControlGroups(path.join(machine, 'sandboxes'))?.list() ?? [])
    .map(({ id }) => `control group of ${id}`)
  return [...files, ...mounts, ...groups, ...processes, ...(await findTokens(postgres.url))]
}

/** The one look at a table of ours: nobody but the service could say which tokens it would still take. */
async function findTokens(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ run_id: number }>(
      `select run_id from credentials where kind = 'git' and revoked_at is null and (expires_at is null or expires_at > now())`,
    )
    return rows.map(({ run_id: runId }) => `a token of run ${runId}`)
  } finally {
    await client.end()
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name))
  } catch {
    return []
  }
}

/** Empty for what has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

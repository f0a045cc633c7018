import { spawn } from 'node:child_process'

/** What a file takes at least, so that files without content fill no disk either: its entry and its inode. */
const FILE_BYTES = 4096
/** A walk that takes longer says nothing. */
const WALK_MS_MAX = 30_000
/** What `du` says of a folder that it may not read, whose files then miss in its sum. */
const UNREADABLE = 'Permission denied'

export type MeasureDisk = {
  folder: string
  /** The program that runs `du` so that it reads folders that their owner has closed to himself, with its arguments. */
  reader: string[]
}

/**
 * What a folder takes on the disk, in blocks: a file with holes takes less than its length. Rejects when that cannot be
 * known. What vanishes during the walk makes `du` complain, at any length, and leaves its sum right.
 */
export async function measureDisk({ folder, reader }: MeasureDisk): Promise<number> {
  const bytes = await sumOf(folder, { reader, unit: '--block-size=1' })
  const files = await sumOf(folder, { reader, unit: '--inodes' })
  return Math.max(bytes, FILE_BYTES * files)
}

async function sumOf(folder: string, { reader, unit }: { reader: string[]; unit: string }): Promise<number> {
  const [program, ...rest] = [...reader, 'du', '-s', unit, '--', folder]
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
    timeout: WALK_MS_MAX,
    killSignal: 'SIGKILL',
  })
  let printed = ''
  let complaint = ''
  let isUnreadable = false
  child.stdout.on('data', (chunk: Buffer) => (printed = (printed + chunk.toString('latin1')).slice(0, 64)))
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString('latin1')
    isUnreadable ||= complaint.includes(UNREADABLE)
    complaint = complaint.slice(-UNREADABLE.length)
  })
  await new Promise<void>((resolve, reject) => child.on('error', reject).on('close', () => resolve()))
  if (isUnreadable) throw new Error('a folder in it cannot be read')
  const sum = /^(\d+)\s/.exec(printed)?.[1]
  if (sum === undefined || child.signalCode !== null) throw new Error('its files cannot be counted')
  return Number(sum)
}

/** What the processes of a sandbox hold, read from outside. Runs in the meter, in pieces, so that no sandbox holds up another. */
import { readdirSync, readFileSync, statSync, type Stats } from 'node:fs'
import { setImmediate as nextPiece } from 'node:timers/promises'

/** More than any sandbox may have: a storm that goes on as we look ends here. */
const PROCESSES_MAX = 8_192

export type ProcessesUse = {
  memoryBytes: number
  /** Descriptors of all processes; counted no further than the limit. */
  openFiles: number
  /** Of files without a name, which no walk through folders finds, as long as somebody holds them open. */
  deletedBytes: number
}

export type MeasureProcesses = {
  /** The root of the tree. */
  firstPid: number
  openFilesMax: number
  wants: { memory: boolean; openFiles: boolean; deleted: boolean }
}

export async function measureProcesses({ firstPid, openFilesMax, wants }: MeasureProcesses): Promise<ProcessesUse> {
  const use = { memoryBytes: 0, openFiles: 0, deletedBytes: 0 }
  const deleted = new Map<string, number>()
  for await (const pid of treeOf(firstPid)) {
    if (wants.memory) use.memoryBytes += memoryOf(pid)
    if (!wants.openFiles || use.openFiles > openFilesMax) continue
    use.openFiles += countDescriptors(pid)
    // Each costs a look: so many are never looked at, as the sandbox ends.
    if (wants.deleted && use.openFiles <= openFilesMax) findDeleted(pid, deleted)
  }
  return { ...use, deletedBytes: deleted.values().reduce((sum, bytes) => sum + bytes, 0) }
}

/** A process and all below it. Orphans are children of the sandbox's first process, so nothing escapes. */
async function* treeOf(firstPid: number): AsyncGenerator<number> {
  const waiting = [firstPid]
  for (let count = 0; waiting.length > 0 && count < PROCESSES_MAX; count++) {
    const pid = waiting.pop()!
    yield pid
    for (const thread of list(`/proc/${pid}/task`))
      for (const child of read(`/proc/${pid}/task/${thread}/children`).split(' '))
        if (child) waiting.push(Number(child))
    await nextPiece()
  }
}

/** What it alone holds in memory, in bytes. */
function memoryOf(pid: number): number {
  const lines = read(`/proc/${pid}/status`).matchAll(/^(?:RssAnon|RssShmem|VmSwap):\s{1,20}(\d{1,20}) kB/gm)
  return lines.reduce((sum, [, kibibytes]) => sum + Number(kibibytes) * 1024, 0)
}

/** Since Linux 6.2 the folder's size says it. */
function countDescriptors(pid: number): number {
  return statOf(`/proc/${pid}/fd`)?.size || list(`/proc/${pid}/fd`).length
}

function findDeleted(pid: number, into: Map<string, number>): void {
  for (const descriptor of list(`/proc/${pid}/fd`)) {
    const stat = statOf(`/proc/${pid}/fd/${descriptor}`)
    if (stat?.isFile() && stat.nlink === 0) into.set(`${stat.dev}:${stat.ino}`, stat.blocks * 512)
  }
}

/** Nothing of a process that ended meanwhile, or that we may not look at. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function statOf(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

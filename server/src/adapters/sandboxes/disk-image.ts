/**
 * A sandbox's files on a file system of its own, in a file of fixed size: the kernel refuses what does not fit, bytes and
 * files alike, wherever they hide. It is mounted in a namespace that only the sandbox's processes are in, so it goes
 * when they do, however they end, and nothing is ever left mounted on the machine.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { bootId } from '#base/temporary-folder.ts'
import type { SandboxFiles, SandboxOwner } from './sandbox-files.ts'

const run = promisify(execFile)

/** One file for so many bytes, at most. */
const BYTES_PER_FILE = 8192
/** What the file system keeps for itself: a 32th for its files' nodes, and its own tables. */
const OVERHEAD = 1.05
const OVERHEAD_BYTES = 4 * 1024 * 1024
const PROGRAMS = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' }

const imagePrefix = 'disk-'

/**
 * The image has no journal and is never flushed, because nothing of it is wanted after the machine went down; so it bears
 * the name of the boot.
 */
const imageOf = ({ folder }: SandboxFiles) => path.join(folder, `${imagePrefix}${bootId().slice(0, 8)}.img`)

/** Makes the image if it is not there. */
export async function prepareDisk(files: SandboxFiles, diskBytes: number): Promise<void> {
  mkdirSync(files.disk, { recursive: true })
  const image = imageOf(files)
  if (existsSync(image)) return
  const blocks = Math.ceil((diskBytes * OVERHEAD + OVERHEAD_BYTES) / 4096)
  const layout = ['-q', '-F', '-b', '4096', '-m', '0', '-i', String(BYTES_PER_FILE), '-O', '^has_journal']
  try {
    await run('mkfs.ext4', [...layout, '-E', 'lazy_itable_init=1,nodiscard', image, String(blocks)], { env: PROGRAMS })
  } catch (error) {
    rmSync(image, { force: true })
    throw error
  }
}

/** The words that run a program where the sandbox's files are mounted. */
export function mounting(files: SandboxFiles, owner: NonNullable<SandboxOwner>): string[] {
  if (files.mountedBy !== null) return ['nsenter', `--mount=/proc/${files.mountedBy}/ns/mnt`, '--']
  const options = 'loop,nosuid,nodev,noatime,nobarrier,noinit_itable'
  const folders = [files.workspace, files.home, files.temporary]
  const script = `mount -t ext4 -o ${options} "$1" "$2" && install -d -m 700 -o ${owner.uid} -g ${owner.gid} "$3" "$4" "$5" && shift 5 && exec "$@"`
  const inNamespace = ['unshare', '--mount', '--propagation', 'private', '--']
  return [...inNamespace, 'sh', '-c', script, 'sh', imageOf(files), files.disk, ...folders]
}

/** Whether the files went with the machine's last boot. */
export async function isLost(files: SandboxFiles): Promise<boolean> {
  const images = await listImages(files)
  return images.length > 0 && !images.includes(path.basename(imageOf(files)))
}

/** Whether the files were made under the other setting, so that they would not be seen. */
export async function isOfOtherKind(files: SandboxFiles, hasDisks: boolean): Promise<boolean> {
  return hasDisks ? existsSync(path.join(files.folder, 'workspace')) : (await listImages(files)).length > 0
}

async function listImages({ folder }: SandboxFiles): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.startsWith(imagePrefix))
}

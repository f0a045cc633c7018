import { statSync } from 'node:fs'
import path from 'node:path'

/** As root, PostgreSQL and sandboxes run as other users, who cannot enter a folder below a private home such as /root. */
export function findDataDir(
  options: string | undefined,
  { root, isRoot }: { root: string; isRoot: boolean },
): { folder: string; note?: string } {
  if (options) return { folder: path.resolve(root, options) }
  const folder = path.join(root, '.data')
  const closed = isRoot ? closedFolderOf(root) : undefined
  if (!closed) return { folder }
  return {
    folder: '/var/lib/runwright',
    note: `Data is kept in /var/lib/runwright, because other users cannot enter ${closed}. Set RUNWRIGHT_DATA_DIR to choose another folder.`,
  }
}

function closedFolderOf(folder: string): string | undefined {
  const above = path.dirname(folder)
  const closed = above === folder ? undefined : closedFolderOf(above)
  if (closed) return closed
  try {
    return statSync(folder).mode & 0o001 ? undefined : folder
  } catch {
    return undefined
  }
}

/** Why a backup cannot be made, is not whole or cannot be restored; a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** What a full disk is to whoever writes to it. */
export function explainDisk(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new BackupError(`The disk of ${folder} is full. Make room, or choose another folder.`, { cause: error })
}

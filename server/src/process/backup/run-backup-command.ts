import type { Config } from '#base/config/config.ts'
import { BackupError } from './backup-error.ts'

const options = { backup: '--without-blobs', restore: '--without-key', verify: undefined }

/** What the operator asks for: one folder, and at most the one option that the command has. */
export async function runBackupCommand(config: Config, command: keyof typeof options, words: string[]): Promise<void> {
  const option = options[command]
  const [folder, ...others] = words.filter((word) => word !== option)
  if (!folder || folder.startsWith('-') || others.length)
    throw new BackupError(
      `Name one folder: "${command} /path/to/backup"${option ? `, with ${option} or without` : ''}.`,
    )
  const isGiven = option !== undefined && words.includes(option)
  const say = (line: string) => process.stdout.write(`${line}\n`)
  if (command === 'backup') say(await (await import('./backup.ts')).backup(config, folder, { withoutBlobs: isGiven }))
  else if (command === 'restore')
    say(await (await import('./restore.ts')).restore(config, folder, { withoutKey: isGiven }))
  else {
    const { problems, notes } = await (await import('./verify.ts')).verify(config, folder)
    for (const line of [...problems, ...notes]) say(line)
    if (problems.length) process.exitCode = 1
  }
}

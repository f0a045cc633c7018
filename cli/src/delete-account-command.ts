import type { Command } from 'commander'
import { printLine } from './print.ts'
import type { Settings } from './settings.ts'

export function addDeleteAccountCommand(program: Command, settings: () => Settings): void {
  program
    .command('delete-account')
    .description('delete your account, in all organizations')
    .requiredOption('--confirm <email>', 'your email address, or your name if you have none')
    .action(async ({ confirm }: { confirm: string }) => {
      await settings().client.users.deleteMe({ confirm })
      printLine('Your account  deleted')
    })
}

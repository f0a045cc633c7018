import type { Command } from 'commander'
import { printLine } from './print.ts'
import type { Settings } from './settings.ts'

export function addDeleteOrganizationCommand(program: Command, settings: () => Settings): void {
  program
    .command('delete-organization')
    .description('delete the organization with all that is in it (ADMIN)')
    .requiredOption('--confirm <name>', 'its exact name')
    .action(async ({ confirm }: { confirm: string }) => {
      const { client, organizationId } = settings()
      await client.organizations.deleteOrganization({ org_id: await organizationId(), confirm })
      printLine(`Organization ${confirm}  deleted`)
    })
}

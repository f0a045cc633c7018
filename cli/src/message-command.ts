import type { Command } from 'commander'
import { printLine } from './print.ts'
import { readId, type Settings } from './settings.ts'

export function addMessageCommand(program: Command, settings: () => Settings): void {
  program
    .command('message')
    .description('send a message to an active run; the agent reads it before its next step')
    .argument('<run>', 'the run ID')
    .argument('<prompt>', 'the message')
    .action(async (text: string, prompt: string) => {
      const { client, organizationId } = settings()
      const runId = readId(text, 'The run')
      const { n } = await client.messages.createMessage({ org_id: await organizationId(), agent_run_id: runId, prompt })
      printLine(`Message ${n} waits for the next step of run ${runId}.`)
    })
}

import type { Command } from 'commander'
import { printLine, visible } from './print.ts'
import { readId, UsageError, type Settings } from './settings.ts'

export function addMergeCommand(program: Command, settings: () => Settings): void {
  program
    .command('merge')
    .description("merge a run's pull request")
    .argument('<run>', 'the run ID')
    .action(async (text: string) => {
      const { client, organizationId } = settings()
      const id = await organizationId()
      const run = await client.runs.getRun({ org_id: id, agent_run_id: readId(text, 'The run') })
      const pull = run.github_pull_requests.at(-1)
      if (!pull) throw new UsageError(`Run ${run.id} has no pull request.`)
      const merged = await client.pullRequests.mergePull({ org_id: id, pr_id: pull.id })
      printLine(`Merged #${merged.number} ${visible(merged.title)} into ${merged.base_branch_name}.`)
    })
}

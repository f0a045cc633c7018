import type { Settings } from './settings.ts'
import { entryLines, printJson, printLine, statusWord, visible } from './print.ts'

export type FollowRun = { organizationId: number; runId: number; skip?: number; json?: boolean | undefined }

/** Prints a run's log as it grows, and how the run ended. A run that did not complete ends the command with 1. */
export async function followRun(
  { client }: Settings,
  { organizationId, runId, skip = 0, json }: FollowRun,
): Promise<void> {
  let shownStatus: string | undefined
  const entries = client.runs.followLog(
    { org_id: organizationId, agent_run_id: runId },
    {
      skip,
      onStatus: ({ status, status_detail: detail }) => {
        if (status === 'paused' && status !== shownStatus && !json) {
          printLine(
            `${statusWord(status)}${detail === 'budget_reached' ? ': cost limit or budget reached; continues automatically when there is money again' : ''}`,
          )
        }
        shownStatus = status
      },
    },
  )
  for await (const entry of entries) {
    if (json) printJson(entry)
    else printLine(entryLines(entry))
  }
  const run = await client.runs.getRun({ org_id: organizationId, agent_run_id: runId })
  if (run.status !== 'completed') process.exitCode = 1
  if (json) return printJson(run)
  printLine()
  printLine(`${statusWord(run.status)}${run.error ? `: ${visible(run.error.message)} (${run.error.code})` : ''}`)
  for (const pull of run.github_pull_requests) printLine(`Pull request #${pull.number}: ${pull.url}`)
  printLine(run.web_url)
}

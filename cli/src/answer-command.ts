import type { Command } from 'commander'
import { printLine, quiet, visible } from './print.ts'
import { readId, UsageError, type Settings } from './settings.ts'

export function addAnswerCommand(program: Command, settings: () => Settings): void {
  program
    .command('answer')
    .description('show the question that a run asks, or answer it ("approve" approves a plan)')
    .argument('<run>', 'the run ID')
    .argument('[answer]', 'the answer; omit it to show the question')
    .action(async (text: string, answer?: string) => {
      const { client, organizationId } = settings()
      const runId = readId(text, 'The run')
      const { items } = await client.questions.listQuestions({
        org_id: await organizationId(),
        agent_run_id: runId,
        limit: 100,
      })
      const open = items.find((question) => question.answer === null)
      if (!open) throw new UsageError(`Run ${runId} asks nothing now.`)
      if (answer === undefined) {
        printLine(visible(open.text))
        for (const option of open.options) printLine(`  ${visible(option)}`)
        printLine(quiet(`Answer it with: runwright answer ${runId} "…"`))
        return
      }
      await client.questions.answerQuestion({ org_id: await organizationId(), agent_run_id: runId, n: open.n, answer })
      printLine(`Run ${runId} goes on with the answer to question ${open.n}.`)
    })
}

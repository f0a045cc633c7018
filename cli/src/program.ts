import { RunwrightError } from '@runwright/sdk'
import { Command } from 'commander'
import { addAnswerCommand } from './answer-command.ts'
import { addArtifactsCommand } from './artifacts-command.ts'
import { addCancelCommand } from './cancel-command.ts'
import { addDeleteAccountCommand } from './delete-account-command.ts'
import { addDeleteCommand } from './delete-command.ts'
import { addDeleteOrganizationCommand } from './delete-organization-command.ts'
import { addContinueCommand } from './continue-command.ts'
import { addDiffCommand } from './diff-command.ts'
import { addExportCommand } from './export-command.ts'
import { addGetCommand } from './get-command.ts'
import { addLeagueCommand } from './league-command.ts'
import { addListCommand } from './list-command.ts'
import { addLogCommand } from './log-command.ts'
import { addMergeCommand } from './merge-command.ts'
import { addMessageCommand } from './message-command.ts'
import { addPauseCommand } from './pause-command.ts'
import { addRecordCommand } from './record-command.ts'
import { addReposCommand } from './repos-command.ts'
import { addResumeCommand } from './resume-command.ts'
import { addRunCommand } from './run-command.ts'
import { addSecretsCommand } from './secrets-command.ts'
import { visible } from './print.ts'
import { environment, readSettings, UsageError } from './settings.ts'

const description =
  'Start runs, follow them, and merge their pull requests. Reads RUNWRIGHT_TOKEN, RUNWRIGHT_URL, and RUNWRIGHT_ORGANIZATION.'

/**
 * Runs the command line with the words of this process, and sets its exit code. `about` is a sentence about commands that stand
 * beside it.
 */
export async function runProgram({ about = '' }: { about?: string } = {}): Promise<void> {
  const program = new Command('runwright').description(`${description} ${about}`.trimEnd()).showHelpAfterError()
  const settings = () => readSettings(environment())
  const commands = [
    addRunCommand,
    addLogCommand,
    addListCommand,
    addGetCommand,
    addResumeCommand,
    addMessageCommand,
    addAnswerCommand,
    addPauseCommand,
    addContinueCommand,
    addCancelCommand,
    addDeleteCommand,
    addDiffCommand,
    addMergeCommand,
    addArtifactsCommand,
    addRecordCommand,
    addExportCommand,
    addReposCommand,
    addSecretsCommand,
    addLeagueCommand,
    addDeleteOrganizationCommand,
    addDeleteAccountCommand,
  ]
  for (const add of commands) add(program, settings)
  try {
    await program.parseAsync()
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exitCode = 1
  }
}

/** What a person can act on in a sentence; anything else is a bug and shows its place. */
function messageOf(error: unknown): string {
  if (error instanceof UsageError) return error.message
  if (error instanceof RunwrightError) return `${visible(error.message)} (${error.code}, request ${error.requestId})`
  const { cause, message, stack } = error as Error
  return message === 'fetch failed' ? `Could not reach the service: ${(cause as Error).message}` : String(stack)
}

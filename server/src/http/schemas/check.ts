import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { checkConclusions, checkStatuses } from '#base/host-facts.ts'
import { Nullable, PageOf, Text, Time, Word } from './fields.ts'

export const CheckName = Text(limits.checkNameCharactersMax)
export const CheckStatus = Word(checkStatuses)
export const CheckConclusion = Word(checkConclusions, { description: 'Goes with `completed`, and with nothing else.' })
export const CheckSummary = Type.String({ maxLength: limits.checkSummaryCharactersMax })

/** What tells by its exit code whether a commit is good. */
export const CheckCommands = Type.Array(
  Type.Object({ name: CheckName, command: Text(limits.checkCommandCharactersMax, { description: 'For bash.' }) }),
  {
    maxItems: limits.checkCommandsMax,
    description:
      'What workers run on the built-in host at the head of each open pull request, and of the default branch, after the setup commands.',
  },
)

const CheckBody = Type.Object(
  {
    key: Type.String({ description: 'One of a commit’s checks, and the same at the next look.' }),
    name: Type.String(),
    app: Type.String({ description: 'Who runs it: on the built-in host `local`, `ci` or `runwright`.' }),
    status: CheckStatus,
    conclusion: Nullable(CheckConclusion),
    url: Nullable(Type.String()),
    summary: Nullable(Type.String()),
    has_log: Type.Boolean(),
    started_at: Nullable(Time),
    completed_at: Nullable(Time),
  },
  { $id: 'Check', title: 'Check' },
)

export const checkComponents = [CheckBody, PageOf('Check')]

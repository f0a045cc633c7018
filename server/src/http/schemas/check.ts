import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { workPathCharactersMax } from '#domain/repos/work-paths.ts'
import { checkConclusions, checkStatuses } from '#base/hosts/host-facts.ts'
import { Component, Nullable, PageOf, Text, Time, Word } from './fields.ts'

export const CheckName = Text(limits.checkNameCharactersMax)
export const CheckStatus = Word(checkStatuses)
export const CheckConclusion = Word(checkConclusions, {
  description: 'Required if `status` is `completed`; not allowed otherwise.',
})
export const CheckSummary = Type.String({ maxLength: limits.checkSummaryCharactersMax })

/** What tells by its exit code whether a commit is good. */
export const CheckCommands = Type.Array(
  Type.Object({
    name: CheckName,
    command: Text(limits.checkCommandCharactersMax, { description: 'A bash command.' }),
    path: Type.Optional(
      Text(workPathCharactersMax, {
        description:
          'A folder. The command runs in it, and only if something in it has changed; otherwise the check is skipped.',
      }),
    ),
  }),
  {
    maxItems: limits.checkCommandsMax,
    description:
      'Checks that workers run on the built-in host, after the setup commands, at the head of the default branch and of each open pull request.',
  },
)

const CheckBody = Component('Check', {
  key: Type.String({ description: 'Stable key of the check among the checks of a commit.' }),
  name: Type.String(),
  app: Type.String({ description: 'Who runs the check. On the built-in host: `local`, `ci`, or `runwright`.' }),
  status: CheckStatus,
  conclusion: Nullable(CheckConclusion),
  url: Nullable(Type.String()),
  summary: Nullable(Type.String()),
  has_log: Type.Boolean(),
  started_at: Nullable(Time),
  completed_at: Nullable(Time),
})

export const checkComponents = [CheckBody, PageOf(CheckBody)]

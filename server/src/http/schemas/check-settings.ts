import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { Component, Nullable, Text } from './fields.ts'

const Name = Text(limits.checkNameCharactersMax)
const Names = (description: string) => Type.Array(Name, { maxItems: limits.checkSettingsNamesMax, description })
const Count = (description: string) => Type.Integer({ minimum: 0, maximum: 10, description })
const byName = <Value extends Parameters<typeof Type.Record>[1]>(value: Value, description: string) =>
  Type.Record(Type.String({ pattern: '^[\\s\\S]{1,200}$' }), value, {
    maxProperties: limits.checkSettingsNamesMax,
    description,
  })

const fields = {
  check_retry_count: Count('How many times agents try to fix the same failing check, per pull request. 0: never.'),
  ignored_checks: Names('Names of checks, or of apps that run checks, that agents ignore.'),
  check_retry_counts: byName(
    Count('Retry count for this check or app.'),
    'Retry counts for individual checks, or for all checks of an app.',
  ),
  custom_prompts: byName(
    Text(limits.checkPromptCharactersMax),
    'Additional instructions for fixing this check, or any check of this app.',
  ),
  high_priority_apps: Names(
    'If one of these checks, or a check of one of these apps, fails, agents do not wait for the other checks.',
  ),
  settle_seconds: Type.Integer({
    minimum: 0,
    maximum: 3_600,
    description: 'How long to wait for the checks of a commit to appear.',
  }),
}

const CheckSuiteSettings = Component('CheckSuiteSettings', {
  ...fields,
  available_check_suite_names: Type.Array(Type.String(), {
    description: 'Checks seen on commits of the repository, and the apps that run them.',
  }),
})

/** What is left out, or null, stays as it is. */
export const CheckSuiteChanges = Type.Object({
  check_retry_count: Type.Optional(Nullable(fields.check_retry_count)),
  ignored_checks: Type.Optional(Nullable(fields.ignored_checks)),
  check_retry_counts: Type.Optional(Nullable(fields.check_retry_counts)),
  custom_prompts: Type.Optional(Nullable(fields.custom_prompts)),
  high_priority_apps: Type.Optional(Nullable(fields.high_priority_apps)),
  settle_seconds: Type.Optional(Nullable(fields.settle_seconds)),
})

export const checkSettingsComponents = [CheckSuiteSettings]

import type { CheckSuiteSettings, Repository } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, type RepoIds } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Select } from '#ui/select.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useEdited } from '#ui/use-edited.ts'
import { BranchRulesForm } from './branch-rules-form.tsx'
import { toItems, toText } from '#base/lines.ts'
import { PullSettingsForm } from './pull-settings-form.tsx'
import { checkSettingsQuery, useSaveRepo } from './queries.ts'
import { Section } from './section.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SuiteRules, type SuiteRule } from './suite-rules.tsx'

type Props = { ids: RepoIds; repo: Repository; canManage: boolean | undefined }

export function ChecksSection(props: Props): ReactElement {
  const { ids, repo, canManage } = props
  const { data, error, isPending, refetch } = useQuery(checkSettingsQuery(ids))
  return (
    <>
      {repo.host === 'local' && (
        <Section
          id="checks"
          title="Checks"
          about="Commands that run on every commit of a pull request and on the default branch, after setup."
        >
          <CommandsForm {...props} />
        </Section>
      )}
      <Section
        id="check-fixes"
        title="Auto-fix"
        about="When a check of the agent's pull request fails, the agent fixes it, up to this many times."
      >
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {isPending && <Skeleton rows={4} height={60} />}
        {data && <FixesForm ids={ids} settings={data} canManage={canManage} />}
      </Section>
      <Section id="pull-settings" title="Pull requests" about="How agents handle the pull requests that they open.">
        <PullSettingsForm {...props} />
      </Section>
      {repo.host === 'local' && (
        <Section
          id="branch-rules"
          title="Branch rules"
          about="The first rule that matches a branch applies. A protected branch can't be deleted."
        >
          <BranchRulesForm {...props} />
        </Section>
      )}
      <Section id="reviews" title="Reviews" about="When agents review pull requests and pushes on their own.">
        <ReviewsForm {...props} />
      </Section>
    </>
  )
}

function CommandsForm({ ids, repo, canManage }: Props): ReactElement {
  const { form, change: setForm, drop, ...edited } = useEdited({ checks: repo.check_commands })
  const { checks } = form
  const setChecks = (next: typeof checks) => setForm({ checks: next })
  const save = useSaveRepo(ids)
  const change = (at: number, changed: Partial<(typeof checks)[number]>) =>
    setChecks(checks.map((check, n) => (n === at ? { ...check, ...changed } : check)))
  return (
    <SettingsForm
      label="Checks"
      canEdit={canManage}
      {...edited}
      onDrop={drop}
      isWrong={checks.some(({ name, command }) => !name.trim() || !command.trim())}
      saving={save}
      onSave={() => {
        const check_commands = checks.map(({ path, ...check }) =>
          path?.trim() ? { ...check, path: path.trim() } : check,
        )
        save.mutate({ check_commands }, { onSuccess: () => drop(form) })
      }}
    >
      {checks.length === 0 && <p className="muted">No checks yet. Checks in .runwright.yml take precedence.</p>}
      {checks.map(({ name, command, path = '' }, n) => (
        <div key={n} className="setting-row of-three">
          <input
            className="input"
            aria-label={`Name of check ${n + 1}`}
            placeholder="test"
            value={name}
            onChange={({ target }) => change(n, { name: target.value })}
          />
          <input
            className="input code"
            aria-label={`Folder of check ${n + 1}`}
            placeholder="any folder"
            title="Runs in this folder, and only if something in it has changed."
            value={path}
            onChange={({ target }) => change(n, { path: target.value })}
          />
          <input
            className="input code"
            aria-label={`Command of check ${n + 1}`}
            placeholder="npm test"
            value={command}
            onChange={({ target }) => change(n, { command: target.value })}
          />
          <Button
            look="ghost square"
            aria-label={`Remove check ${n + 1}`}
            onClick={() => setChecks(checks.toSpliced(n, 1))}
          >
            <Icon name="x" size={14} />
          </Button>
        </div>
      ))}
      <div>
        <Button look="sm" onClick={() => setChecks([...checks, { name: '', command: '' }])}>
          <Icon name="plus" size={12} />
          Add a check
        </Button>
      </div>
    </SettingsForm>
  )
}

function FixesForm({
  ids,
  settings,
  canManage,
}: {
  ids: RepoIds
  settings: CheckSuiteSettings
  canManage: boolean | undefined
}): ReactElement {
  const { form, change, drop, ...edited } = useEdited(toForm(settings))
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      client.repositories.saveCheckSettings({ org_id: ids.organizationId, repo_id: ids.repoId, ...toBody(form) }),
    onSuccess: (saved) => queries.setQueryData(checkSettingsQuery(ids).queryKey, saved),
  })
  const wrong = (text: string) => (isCount(text) ? undefined : 'Enter a whole number.')
  return (
    <SettingsForm
      label="Auto-fix"
      canEdit={canManage}
      {...edited}
      onDrop={drop}
      isWrong={!isCount(form.retries) || !isCount(form.settles) || form.rules.some(({ name }) => !name.trim())}
      saving={save}
      onSave={() => save.mutate(undefined, { onSuccess: () => drop(form) })}
    >
      <div className="setting-columns">
        <TextField
          label="Attempts per check"
          hint="0 turns auto-fix off."
          value={form.retries}
          error={wrong(form.retries)}
          onChange={(retries) => change({ retries })}
        />
        <TextField
          label="Seconds to wait for checks to appear"
          value={form.settles}
          error={wrong(form.settles)}
          onChange={(settles) => change({ settles })}
        />
      </div>
      <SuiteRules
        rules={form.rules}
        names={settings.available_check_suite_names}
        onChange={(rules) => change({ rules })}
      />
      <div className="setting-columns">
        <TextField
          label="Ignored checks"
          hint="Checks or apps, one per line."
          isLong
          value={form.ignored}
          onChange={(ignored) => change({ ignored })}
        />
        <TextField
          label="Apps to act on first"
          hint="If one of their checks fails, the agent doesn't wait for the others. One per line."
          isLong
          value={form.first}
          onChange={(first) => change({ first })}
        />
      </div>
    </SettingsForm>
  )
}

const isCount = (text: string): boolean => text.trim() !== '' && Number.isInteger(Number(text)) && Number(text) >= 0

type FixesState = { retries: string; settles: string; ignored: string; first: string; rules: SuiteRule[] }

function toForm(settings: CheckSuiteSettings): FixesState {
  const { check_retry_counts: counts, custom_prompts: prompts } = settings
  const names = [...new Set([...Object.keys(counts), ...Object.keys(prompts)])]
  return {
    retries: String(settings.check_retry_count),
    settles: String(settings.settle_seconds),
    ignored: toText(settings.ignored_checks),
    first: toText(settings.high_priority_apps),
    rules: names.map((name) => ({
      name,
      attempts: typeof counts[name] === 'number' ? String(counts[name]) : '',
      prompt: typeof prompts[name] === 'string' ? prompts[name] : '',
    })),
  }
}

function toBody({ retries, settles, ignored, first, rules }: FixesState) {
  const counts = rules.filter(({ attempts }) => isCount(attempts)).map(({ name, attempts }) => [name, Number(attempts)])
  const prompts = rules.filter(({ prompt }) => prompt.trim()).map(({ name, prompt }) => [name, prompt.trim()])
  return {
    check_retry_count: Number(retries),
    settle_seconds: Number(settles),
    ignored_checks: toItems(ignored),
    high_priority_apps: toItems(first),
    check_retry_counts: Object.fromEntries(counts) as Record<string, number>,
    custom_prompts: Object.fromEntries(prompts) as Record<string, string>,
  }
}

const reviewChoices = [
  ['', "Use the organization's setting"],
  ['off', 'Never'],
  ['opened', 'Once, when a pull request is ready'],
  ['each_head', 'After every push to a pull request'],
] as const

function ReviewsForm({ ids, repo, canManage }: Props): ReactElement {
  const saved: { when: string; branches: string } = {
    when: repo.review_pulls ?? '',
    branches: toText(repo.watched_branches),
  }
  const { form, change, drop, ...edited } = useEdited(saved)
  const save = useSaveRepo(ids)
  const reviews = (['off', 'opened', 'each_head'] as const).find((word) => word === form.when) ?? null
  return (
    <SettingsForm
      label="Reviews"
      canEdit={canManage}
      {...edited}
      onDrop={drop}
      saving={save}
      onSave={() => {
        const body = { review_pulls: reviews, watched_branches: toItems(form.branches) }
        save.mutate(body, { onSuccess: () => drop(form) })
      }}
    >
      <Select
        label="Review pull requests"
        value={form.when}
        choices={reviewChoices}
        onChange={(when) => change({ when })}
      />
      <TextField
        label="Watched branches"
        hint="Agents review what people push to these branches. One per line."
        isLong
        value={form.branches}
        onChange={(branches) => change({ branches })}
      />
    </SettingsForm>
  )
}

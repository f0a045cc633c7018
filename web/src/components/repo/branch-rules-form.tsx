import type { Repository } from '@runwright/sdk'
import type { ReactElement } from 'react'
import type { RepoIds } from '#base/api.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Select } from '#ui/select.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useEdited } from '#ui/use-edited.ts'
import { toItems, toText } from '#base/lines.ts'
import { useSaveRepo } from './queries.ts'
import { SettingsForm } from './settings-form.tsx'

type Props = { ids: RepoIds; repo: Repository; canManage: boolean | undefined }
type Rule = { pattern: string; pushes: string; checks: string; approvals: string }

const pushes = [
  ['none', 'Only by pull requests'],
  ['forward', 'Allowed'],
  ['force', 'Allowed, also force pushes'],
] as const

/** What the branches of a repository on the built-in host are protected by. */
export function BranchRulesForm({ ids, repo, canManage }: Props): ReactElement {
  const { form, change: setForm, drop, ...edited } = useEdited({ rules: repo.branch_rules.map(toRule) })
  const save = useSaveRepo(ids)
  const { rules } = form
  const setRules = (next: Rule[]) => setForm({ rules: next })
  const isWrong = rules.some(({ pattern, approvals }) => !pattern.trim() || !isCount(approvals))
  return (
    <SettingsForm
      label="Branch rules"
      canEdit={canManage}
      {...edited}
      onDrop={drop}
      isWrong={isWrong}
      saving={save}
      onSave={() => save.mutate({ branch_rules: rules.map(toBody) }, { onSuccess: () => drop(form) })}
    >
      {rules.length === 0 && <p className="muted">No rules. Force pushes to the default branch are refused.</p>}
      {rules.map((rule, n) => (
        <RuleFields
          key={n}
          name={`rule ${n + 1}`}
          rule={rule}
          onChange={(changed) => setRules(rules.with(n, { ...rule, ...changed }))}
          onRemove={() => setRules(rules.toSpliced(n, 1))}
        />
      ))}
      <div>
        <Button
          look="sm"
          onClick={() => setRules([...rules, { pattern: '', pushes: 'none', checks: '', approvals: '0' }])}
        >
          <Icon name="plus" size={12} />
          Add a rule
        </Button>
      </div>
    </SettingsForm>
  )
}

type FieldsProps = { name: string; rule: Rule; onChange: (changed: Partial<Rule>) => void; onRemove: () => void }

function RuleFields({ name, rule, onChange, onRemove }: FieldsProps): ReactElement {
  return (
    <div className="setting-columns branch-rule" role="group" aria-label={`Branch ${name}`}>
      <TextField
        label="Branches"
        hint="A name, or a pattern such as release/*."
        value={rule.pattern}
        onChange={(pattern) => onChange({ pattern })}
      />
      <Select label="Pushes" value={rule.pushes} choices={pushes} onChange={(next) => onChange({ pushes: next })} />
      <TextField
        label="Required checks"
        hint="They must pass before a merge. One per line."
        isLong
        value={rule.checks}
        onChange={(checks) => onChange({ checks })}
      />
      <div>
        <TextField
          label="Required approvals"
          value={rule.approvals}
          error={isCount(rule.approvals) ? undefined : 'Enter a whole number from 0 to 10.'}
          onChange={(approvals) => onChange({ approvals })}
        />
        <Button look="ghost sm" onClick={onRemove} aria-label={`Remove ${name}`}>
          <Icon name="x" size={12} />
          Remove
        </Button>
      </div>
    </div>
  )
}

const isCount = (text: string): boolean => /^([0-9]|10)$/.test(text.trim())

type BranchRule = Repository['branch_rules'][number]

const toRule = (rule: BranchRule): Rule => ({
  pattern: rule.pattern,
  pushes: rule.require_pull ? 'none' : rule.allow_force_push ? 'force' : 'forward',
  checks: toText(rule.required_checks),
  approvals: String(rule.required_approvals),
})

const toBody = ({ pattern, pushes: allowed, checks, approvals }: Rule): BranchRule => ({
  pattern: pattern.trim(),
  require_pull: allowed === 'none',
  allow_force_push: allowed === 'force',
  required_checks: toItems(checks),
  required_approvals: Number(approvals),
})

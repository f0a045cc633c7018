import type { Organization } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, dayMs, organizationQuery } from '#base/api.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { SettingsForm } from '#components/repo/settings-form.tsx'
import { formatCount } from '#ui/format.ts'
import { Select } from '#ui/select.tsx'
import { useEdited } from '#ui/use-edited.ts'

type Part = keyof Organization['settings']['retention']
type Days = Record<Part | 'archive', string>

const parts: readonly (readonly [part: Part, title: string, hint: string])[] = [
  ['runs', 'Runs', 'Everything of a run is deleted. What it cost stays in the usage.'],
  ['logs', 'Logs', 'The log, what sandboxes printed, and long outputs. Without its log a run cannot continue.'],
  ['artifacts', 'Files', 'Files that runs left.'],
  ['egress', 'Network requests', 'What sandboxes asked for. How often they did is kept.'],
  ['model_calls', 'Model calls', 'Single calls. Usage and budgets are kept.'],
  [
    'repositories',
    'Repositories of runs',
    'Of runs that have no repository. Without it a run has no changes and cannot continue.',
  ],
]

type Choice = readonly [days: string, word: string]

const choices: readonly Choice[] = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['180', '180 days'],
  ['365', '1 year'],
  ['730', '2 years'],
]

const wordOf = (days: string) => choices.find(([each]) => each === days)?.[1] ?? `${days} days`
/** With what is saved, which another program may have chosen. */
function choicesWith(saved: string, none: string): Choice[] {
  const isOther = saved !== '' && !choices.some(([days]) => days === saved)
  return [['', none], ...choices, ...(isOther ? [[saved, wordOf(saved)] as const] : [])]
}

const savedOf = ({ retention, archive_logs_after_days: archive }: Organization['settings']) =>
  Object.fromEntries([
    ...parts.map(([part]) => [part, String(retention[part] ?? '')]),
    ['archive', String(archive ?? '')],
  ]) as Days

/** For how long parts of runs are kept. Who shortens it is asked first: what is older is deleted. */
export function RetentionSection({ organization }: { organization: Organization }): ReactElement {
  const saved = savedOf(organization.settings)
  const { form, drop, change, ...edited } = useEdited(saved)
  const [isAsking, setAsking] = useState(false)
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () => {
      const retention = Object.fromEntries(parts.map(([part]) => [part, form[part] === '' ? null : Number(form[part])]))
      const archive_logs_after_days = form.archive === '' ? null : Number(form.archive)
      const settings = { retention, archive_logs_after_days }
      return client.organizations.updateOrganization({ org_id: organization.id, settings })
    },
    onSuccess: (changed) => {
      queries.setQueryData(organizationQuery(organization.id).queryKey, changed)
      drop(form)
      setAsking(false)
    },
  })
  const shortened = parts.filter(
    ([part]) => form[part] !== '' && (saved[part] === '' || Number(form[part]) < Number(saved[part])),
  )
  return (
    <section className="section">
      <h2>Retention</h2>
      <p className="faint small">How long each part of a run is kept after the run ended.</p>
      <SettingsForm
        label="Retention"
        canEdit
        {...edited}
        onDrop={() => drop()}
        saving={save}
        onSave={() => (shortened.length ? setAsking(true) : save.mutate())}
      >
        <RetentionFields form={form} saved={saved} onChange={change} />
      </SettingsForm>
      {isAsking && (
        <FormDialog
          title="Delete what is older?"
          action="Save and delete"
          look="destroy"
          isQuestion
          mutation={save}
          onSubmit={() => save.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>From now on this is deleted, and nobody can bring it back:</p>
          <ul>
            {shortened.map(([part, title]) => (
              <li key={part}>
                <b>{title}</b> {part === 'runs' ? 'that' : 'of runs that'} ended more than {wordOf(form[part])} ago
                <Affected organizationId={organization.id} days={Number(form[part])} />
              </li>
            ))}
          </ul>
          <p>Deletion begins within a few minutes.</p>
        </FormDialog>
      )}
    </section>
  )
}

type FieldsProps = { form: Days; saved: Days; onChange: (changed: Partial<Days>) => void }

function RetentionFields({ form, saved, onChange }: FieldsProps): ReactElement {
  return (
    <>
      {parts.map(([part, title, hint]) => (
        <Select
          key={part}
          label={title}
          hint={hint}
          value={form[part]}
          choices={choicesWith(saved[part], 'Keep forever')}
          onChange={(days) => onChange({ [part]: days })}
        />
      ))}
      <Select
        label="Archive logs"
        hint="Logs of runs that ended longer ago take less space in the blob store. They read the same, and their runs can continue."
        value={form.archive}
        choices={choicesWith(saved.archive, 'Never')}
        onChange={(days) => onChange({ archive: days })}
      />
    </>
  )
}

/** How many runs there are for which it is time now. The API knows when runs began, so it may be a few less. */
function Affected({ organizationId, days }: { organizationId: number; days: number }): ReactElement | null {
  const { data } = useQuery({
    queryKey: ['runs', organizationId, 'older-than', days],
    queryFn: () =>
      client.runs.listRuns({
        org_id: organizationId,
        status: ['completed', 'failed', 'cancelled'],
        created_before: new Date(Date.now() - days * dayMs).toISOString(),
        limit: 1,
      }),
  })
  if (!data) return null
  return <>: {data.total === 0 ? 'none now' : `now up to ${formatCount(data.total)}`}</>
}

import type { AgentRun, Operations } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, modelsQuery, putRun } from '#base/api.ts'
import { efforts, toEffort } from '#base/efforts.ts'
import { readObject } from '#components/start-run/options.ts'
import { offered } from '#components/start-run/picks.tsx'
import { FormDialog } from '#components/form-dialog.tsx'
import { Select } from '#ui/select.tsx'
import { TextField } from '#ui/text-field.tsx'
import { titleOf } from '#components/run-title.tsx'

/** What can be changed about a run: its title, metadata and place at once, its model and limits from the next step on. */
export function ConfigureDialog({ run, onClose }: { run: AgentRun; onClose: () => void }): ReactElement {
  // As it was when the dialog was opened: what others change meanwhile is not this person's change.
  const [before] = useState(() => toForm(run))
  const [form, setForm] = useState(before)
  const change = (changed: Partial<typeof form>) => setForm({ ...form, ...changed })
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      client.runs.updateRun({ org_id: run.organization_id, agent_run_id: run.id, ...toChanges(form, before) }),
    onSuccess: (changed) => {
      putRun(queries, changed)
      void queries.invalidateQueries({ queryKey: ['runs', run.organization_id] })
      onClose()
    },
  })
  const wrong = whatIsWrong(form)
  return (
    <FormDialog
      title="Configure this run"
      action="Save"
      isReady={form.title.trim() !== '' && !Object.values(wrong).some(Boolean)}
      mutation={save}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <Fields run={run} form={form} wrong={wrong} onChange={change} />
    </FormDialog>
  )
}

type FieldsProps = {
  run: AgentRun
  form: Form
  wrong: ReturnType<typeof whatIsWrong>
  onChange: (changed: Partial<Form>) => void
}

function Fields({ run, form, wrong, onChange: change }: FieldsProps): ReactElement {
  const { data: models = [] } = useQuery(modelsQuery(run.organization_id))
  const own =
    run.model !== null && !models.some(({ name }) => name === run.model) ? [[run.model, run.model] as const] : []
  return (
    <>
      <TextField label="Title" value={form.title} onChange={(title) => change({ title })} />
      <Select
        label="Model"
        hint="Used from the next step on."
        value={form.model}
        choices={[['', 'Default model'], ...own, ...offered(models)]}
        onChange={(model) => change({ model })}
      />
      <Select
        label="Effort"
        hint="How much the model thinks, from the next step on."
        value={form.effort}
        choices={[['', 'Default effort'], ...efforts]}
        onChange={(effort) => change({ effort })}
      />
      <TextField
        label="Budget in dollars"
        hint="The run pauses when it has cost this much. No limit if empty."
        value={form.budget}
        error={wrong.budget}
        onChange={(budget) => change({ budget })}
      />
      <TextField
        label="Minutes per turn"
        value={form.minutes}
        error={wrong.minutes}
        onChange={(minutes) => change({ minutes })}
      />
      <TextField
        label="Model calls per turn"
        hint="As many as the service allows if empty."
        value={form.calls}
        error={wrong.calls}
        onChange={(calls) => change({ calls })}
      />
      <TextField
        label="Metadata"
        hint="A JSON object that is kept with the run."
        isLong
        value={form.metadata}
        error={wrong.metadata}
        onChange={(metadata) => change({ metadata })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={form.archived}
          onChange={({ target }) => change({ archived: target.checked })}
        />
        <span>Archived: hidden from the list of runs</span>
      </label>
    </>
  )
}

type Form = {
  title: string
  model: string
  effort: string
  budget: string
  minutes: string
  calls: string
  metadata: string
  archived: boolean
}

const toForm = (run: AgentRun): Form => ({
  title: titleOf(run),
  model: run.model ?? '',
  effort: run.effort ?? '',
  budget: run.max_cost_usd === null ? '' : String(run.max_cost_usd),
  minutes: String(run.timeout_minutes),
  calls: run.max_model_calls === null ? '' : String(run.max_model_calls),
  metadata: run.metadata === null ? '' : JSON.stringify(run.metadata, null, 2),
  archived: run.archived,
})

/** Only what was changed, so that what somebody else changes meanwhile stays. */
function toChanges(form: Form, before: Form): Omit<Operations['updateRun']['input'], 'org_id' | 'agent_run_id'> {
  return {
    ...(form.title.trim() !== before.title && { title: form.title.trim() }),
    ...(form.model !== before.model && { model: form.model || null }),
    ...(form.effort !== before.effort && { effort: toEffort(form.effort) }),
    ...(form.budget !== before.budget && { max_cost_usd: form.budget.trim() ? Number(form.budget) : null }),
    ...(form.minutes !== before.minutes && { timeout_minutes: Number(form.minutes) }),
    ...(form.calls !== before.calls && { max_model_calls: form.calls.trim() ? Number(form.calls) : null }),
    ...(form.metadata !== before.metadata && { metadata: readObject(form.metadata) }),
    ...(form.archived !== before.archived && { archived: form.archived }),
  }
}

function whatIsWrong({ budget, minutes, calls, metadata }: Form) {
  return {
    budget: budget.trim() && !(Number(budget) >= 0) ? 'Enter an amount in dollars.' : undefined,
    minutes: Number.isInteger(Number(minutes)) && Number(minutes) > 0 ? undefined : 'Enter a number of minutes.',
    calls: !calls.trim() || isCount(calls) ? undefined : 'Enter a number from 1 to 20000.',
    metadata: metadata.trim() && !readObject(metadata) ? 'Enter a JSON object.' : undefined,
  }
}

const isCount = (text: string) => Number.isInteger(Number(text)) && Number(text) >= 1 && Number(text) <= 20_000

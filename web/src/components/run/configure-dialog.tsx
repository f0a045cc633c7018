import type { AgentRun } from '@runwright/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client } from '#api.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { Fault } from '#components/fault.tsx'
import { titleOf } from '#components/run-title.tsx'

/** What can be changed about a run while it is at work: its title at once, its limits from the next step on. */
export function ConfigureDialog({ run, onClose }: { run: AgentRun; onClose: () => void }): ReactElement {
  const [title, setTitle] = useState(titleOf(run))
  const [budget, setBudget] = useState(run.max_cost_usd === null ? '' : String(run.max_cost_usd))
  const [minutes, setMinutes] = useState(String(run.timeout_minutes))
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      client.runs.update(run.organization_id, run.id, {
        ...(title.trim() === titleOf(run) ? {} : { title: title.trim() }),
        max_cost_usd: budget.trim() ? Number(budget) : null,
        timeout_minutes: Number(minutes),
      }),
    onSuccess: (changed) => {
      queries.setQueryData(['run', run.organization_id, run.id], changed)
      void queries.invalidateQueries({ queryKey: ['runs', run.organization_id] })
      onClose()
    },
  })
  const wrongBudget = budget.trim() && !(Number(budget) >= 0) ? 'This is no sum of money.' : undefined
  const wrongMinutes =
    Number.isInteger(Number(minutes)) && Number(minutes) > 0 ? undefined : 'This is no number of minutes.'
  return (
    <Dialog
      title="Configure this run"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Leave as it is</Button>
          <Button
            look="primary"
            disabled={Boolean(wrongBudget || wrongMinutes || !title.trim())}
            isBusy={save.isPending}
            onClick={() => save.mutate()}
          >
            Save
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <TextField label="Title" value={title} onChange={setTitle} />
        <TextField
          label="Budget in dollars"
          hint="No model is asked once the run has cost as much; none when left empty."
          value={budget}
          error={wrongBudget}
          onChange={setBudget}
        />
        <TextField label="Minutes a turn may take" value={minutes} error={wrongMinutes} onChange={setMinutes} />
        {save.error && <Fault error={save.error} />}
      </div>
    </Dialog>
  )
}

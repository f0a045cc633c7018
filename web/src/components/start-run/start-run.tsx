import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent, type ReactElement } from 'react'
import { client, putRun } from '#base/api.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { useDraft } from '#ui/use-draft.ts'
import { Fault } from '#components/fault.tsx'
import { DryRunNote } from './dry-run-note.tsx'
import { MoreOptions } from './more-options.tsx'
import { noOptions, toBody, type RunOptions } from './options.ts'
import { Picks } from './picks.tsx'
import { readImages } from './read-images.ts'
import { TaskField } from './task-field.tsx'

/** Where a run is started: what is to be done, where, by whom, and with how much. */
export function StartRun({ organizationId }: { organizationId: number }): ReactElement {
  const [prompt, setPrompt, dropPrompt] = useDraft(`run in ${organizationId}`)
  const [options, setOptions] = useState<RunOptions>(noOptions)
  const [imageFault, setImageFault] = useState<string | null>(null)
  const [isMoreOpen, setMoreOpen] = useState(false)
  const start = useStart(organizationId, { options, onStarted: dropPrompt })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (prompt.trim() && !start.isPending) start.mutate(prompt)
  }
  const change = (changed: Partial<RunOptions>) => setOptions((before) => ({ ...before, ...changed }))
  const addImages = async (files: File[]) => {
    const { images, fault } = await readImages(files)
    setImageFault(fault)
    setOptions((before) => ({ ...before, images: [...before.images, ...images] }))
  }
  return (
    <>
      <form
        className="composer"
        aria-label="Start a run"
        onSubmit={submit}
        onDragOver={(event) => {
          if (event.dataTransfer.types.includes('Files')) event.preventDefault()
        }}
        onDrop={(event) => {
          if (!event.dataTransfer.files.length) return
          event.preventDefault()
          void addImages([...event.dataTransfer.files])
        }}
      >
        <TaskField
          prompt={prompt}
          images={options.images}
          fault={imageFault}
          onPrompt={setPrompt}
          onFiles={(files) => void addImages(files)}
          onImages={(images) => change({ images })}
        />
        <div className="composer-bar">
          <Picks organizationId={organizationId} options={options} onChange={change} />
          <Button
            look="ghost sm square"
            aria-label="More settings"
            title="More settings"
            onClick={() => setMoreOpen(true)}
          >
            <Icon name="sliders" size={14} />
          </Button>
          <Button type="submit" look="primary sm end" isBusy={start.isPending} disabled={!prompt.trim()}>
            Start <Kbd className="hide-phone">Ctrl ↵</Kbd>
          </Button>
        </div>
        <DryRunNote organizationId={organizationId} options={options} />
      </form>
      {start.error && <Fault error={start.error} />}
      {isMoreOpen && (
        <MoreOptions
          organizationId={organizationId}
          options={options}
          imageFault={imageFault}
          onFiles={(files) => void addImages(files)}
          onChange={change}
          onClose={() => setMoreOpen(false)}
        />
      )}
    </>
  )
}

type Started = { options: RunOptions; onStarted: (prompt: string) => void }

/** Starts the run, and shows it. */
function useStart(organizationId: number, { options, onStarted }: Started) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (prompt: string) => client.runs.createRun({ org_id: organizationId, ...toBody(options), prompt }),
    onSuccess: async (run, prompt) => {
      onStarted(prompt)
      putRun(queries, run)
      void queries.invalidateQueries({ queryKey: ['runs', organizationId] })
      await navigate({ to: '/runs/$organizationId/$runId', params: { organizationId, runId: run.id } })
    },
  })
}

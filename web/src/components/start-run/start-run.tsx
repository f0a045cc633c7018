import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, type FormEvent, type ReactElement } from 'react'
import { client } from '#api.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { useDraft } from '#ui/use-draft.ts'
import { Fault } from '#components/fault.tsx'
import { DryRunNote } from './dry-run-note.tsx'
import { MoreOptions } from './more-options.tsx'
import { noOptions, toBody, type RunOptions } from './options.ts'
import { Picks } from './picks.tsx'

/** Where a run is started: what is to be done, where, by whom, and with how much. */
export function StartRun({ organizationId }: { organizationId: number }): ReactElement {
  const [prompt, setPrompt] = useDraft(`run in ${organizationId}`)
  const [options, setOptions] = useState<RunOptions>(noOptions)
  const [isMoreOpen, setMoreOpen] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === 'start') field.current?.focus()
  }, [hash])
  const start = useMutation({
    mutationFn: () => client.runs.create(organizationId, { ...toBody(options), prompt }),
    onSuccess: async (run) => {
      setPrompt('')
      queries.setQueryData(['run', organizationId, run.id], run)
      void queries.invalidateQueries({ queryKey: ['runs', organizationId] })
      await navigate({ to: '/runs/$organizationId/$runId', params: { organizationId, runId: run.id } })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (prompt.trim() && !start.isPending) start.mutate()
  }
  const change = (changed: Partial<RunOptions>) => setOptions((before) => ({ ...before, ...changed }))
  return (
    <>
      <form className="composer" aria-label="Start a run" onSubmit={submit}>
        <label className="sr-only" htmlFor="prompt">
          What should be done?
        </label>
        <textarea
          id="prompt"
          ref={field}
          data-start
          placeholder="What should be done, and what must hold when it is done?"
          value={prompt}
          onChange={(event) => setPrompt(event.target.value)}
          onKeyDown={(event) => {
            if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') event.currentTarget.form?.requestSubmit()
          }}
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
          onChange={change}
          onClose={() => setMoreOpen(false)}
        />
      )}
    </>
  )
}

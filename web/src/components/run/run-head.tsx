import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { reposQuery } from '#base/api.ts'
import type { Log } from '#log/use-log.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { CopyLink } from '#components/copy-link.tsx'
import { ExportLink } from '#components/export-link.tsx'
import { titleOf } from '#components/run-title.tsx'
import { StatusPill } from '#components/status-pill.tsx'
import { detailWords, hasEnded, statusWords } from '#base/status.ts'
import { ConfigureDialog } from './configure-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { RunFacts } from './run-facts.tsx'
import { RunRibbon } from './run-ribbon.tsx'
import { useSteer } from './use-steer.ts'

type Props = {
  run: AgentRun
  log: Log
  range: [number, number] | null
  onStop: () => void
  onGoTo: (seq: number) => void
}

/** Where the run is, how it stands, and what it has used. */
export function RunHead({ run, log, range, onStop, onGoTo }: Props): ReactElement {
  const { organization_id: organizationId } = run
  const { data: repos } = useQuery(reposQuery(organizationId))
  const repo = repos?.find(({ id }) => id === run.repo_id)
  return (
    <>
      <div className="run-top">
        <Link
          className="btn ghost sm square only-phone"
          to="/runs/$organizationId"
          params={{ organizationId }}
          aria-label="All runs"
        >
          <Icon name="back" size={14} />
        </Link>
        <nav className="crumbs small grow" aria-label="Breadcrumb">
          <Link to="/runs/$organizationId" params={{ organizationId }}>
            Runs
          </Link>
          {repo && (
            <>
              <span aria-hidden="true">/</span>
              <Link
                className="truncate"
                to="/runs/$organizationId"
                params={{ organizationId }}
                search={{ repo: repo.id }}
              >
                {repo.name}
              </Link>
            </>
          )}
          <span aria-hidden="true">/</span>
          <b>#{run.id}</b>
        </nav>
        <Steering run={run} onStop={onStop} />
        <Configure run={run} />
        <ExportLink isIcon path={`/organizations/${organizationId}/agent/run/${run.id}/export`} />
        {hasEnded(run.status) && <Delete run={run} />}
        <CopyLink />
      </div>
      <div className="run-title">
        <StatusPill status={run.status} word={wordOf(run)} />
        <h1 className="truncate" title={titleOf(run)}>
          {titleOf(run)}
        </h1>
      </div>
      <RunFacts run={run} />
      <RunRibbon run={run} log={log} range={range} onGoTo={onGoTo} />
    </>
  )
}

function Configure({ run }: { run: AgentRun }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="ghost sm square" aria-label="Configure" title="Configure" onClick={() => setOpen(true)}>
        <Icon name="sliders" size={14} />
      </Button>
      {isOpen && <ConfigureDialog run={run} onClose={() => setOpen(false)} />}
    </>
  )
}

function Delete({ run }: { run: AgentRun }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="ghost sm square" aria-label="Delete" title="Delete" onClick={() => setOpen(true)}>
        <Icon name="trash" size={14} />
      </Button>
      {isOpen && <DeleteDialog run={run} onClose={() => setOpen(false)} />}
    </>
  )
}

function wordOf({ status, status_detail: detail }: AgentRun): string {
  if (detail === 'stopping') return 'Stopping'
  if (detail === 'pausing') return 'Pausing'
  const isTelling = status === 'in_progress' || status === 'queued'
  if (!detail || detail === 'working' || !isTelling) return statusWords[status]
  return `${statusWords[status]}: ${detailWords[detail] ?? detail.replaceAll('_', ' ')}`
}

function Steering({ run, onStop }: { run: AgentRun; onStop: () => void }): ReactElement | null {
  const { pause, resume } = useSteer(run)
  if (hasEnded(run.status)) return null
  return (
    <>
      {run.status === 'paused' ? (
        <Button look="sm" isBusy={resume.isPending} onClick={() => resume.mutate()}>
          <Icon name="chev" size={14} />
          Continue
        </Button>
      ) : (
        <Button look="sm" isBusy={pause.isPending} onClick={() => pause.mutate()}>
          <Icon name="pause" size={14} />
          Pause
        </Button>
      )}
      <Button look="sm danger" onClick={onStop}>
        <Icon name="stop" size={14} />
        Stop
      </Button>
    </>
  )
}

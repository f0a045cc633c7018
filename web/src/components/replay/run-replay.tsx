import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, type ReactElement } from 'react'
import { client } from '#base/api.ts'
import { changed } from '#base/search.ts'
import { hasEnded } from '#base/status.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Notice } from '#ui/notice.tsx'
import { saveFile } from '#ui/save-file.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { ReplayView } from './replay-view.tsx'
import { useRecord } from './use-record.ts'

/** A run of this service step by step, out of its record, and that record as a file. */
export function RunReplay({ run }: { run: AgentRun }): ReactElement {
  const { step } = useSearch({ from: '/shell/runs/$organizationId/$runId' })
  const navigate = useNavigate({ from: '/runs/$organizationId/$runId' })
  const ids = { org_id: run.organization_id, agent_run_id: run.id }
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['record', run.organization_id, run.id],
    queryFn: ({ signal }) => client.runs.getRunRecord(ids, { signal }),
    staleTime: Infinity,
    // It may be large, and whoever has left does not need it.
    gcTime: 0,
  })
  const file = useMemo(() => (data ? new Blob([data as Uint8Array<ArrayBuffer>]) : null), [data])
  const { record, error: refusal, isReading } = useRecord(file)
  return (
    <div className="pane">
      <p className="faint small">
        The record holds everything that the run did: what people said, what models were told and answered, what tools
        found, and the log. Secrets are redacted. Attach it to a bug report, or replay it with “npm run replay”.
      </p>
      <div className="row wrap">
        {!hasEnded(run.status) && (
          <Button look="sm" isBusy={isFetching} onClick={() => void refetch()}>
            Read it again
          </Button>
        )}
        <Button look="sm" disabled={!file} onClick={() => file && saveFile(`run-${run.id}.jsonl.gz`, file)}>
          <Icon name="download" size={14} />
          Download record
        </Button>
      </div>
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {refusal && (
        <Notice>
          <p>{refusal.message}</p>
        </Notice>
      )}
      {(isReading || (isFetching && !record)) && <Skeleton rows={8} height={34} />}
      {record && (
        <ReplayView
          record={record}
          named={step}
          onStep={(n) => void navigate({ search: (before) => changed(before, { step: n }), hash: true, replace: true })}
        />
      )}
    </div>
  )
}

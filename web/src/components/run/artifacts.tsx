import type { AgentRun, Artifact } from '@runwright/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { artifactsQuery, client } from '#base/api.ts'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { formatBytes, formatTime } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { saveFile } from '#ui/save-file.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { Fault } from '#components/fault.tsx'

/** The files that the agent keeps for people. */
export function Artifacts({ run }: { run: AgentRun }): ReactElement {
  const { data, error, isPending, refetch } = useQuery(
    artifactsQuery({ organizationId: run.organization_id, runId: run.id }),
  )
  if (error) return <Fault error={error} onAgain={() => void refetch()} />
  if (isPending) return <Skeleton rows={3} height={52} />
  if (!data.length) {
    return (
      <Empty icon="file" title="No files">
        Files that the agent saves for you, and output too long for the log, appear here.
      </Empty>
    )
  }
  return (
    <div className="pane">
      <ul className="panel list">
        {data.map((artifact) => (
          <Row key={artifact.name} run={run} artifact={artifact} />
        ))}
      </ul>
    </div>
  )
}

function Row({ run, artifact: { name, bytes, created_at: at } }: { run: AgentRun; artifact: Artifact }): ReactElement {
  const download = useMutation({
    mutationFn: () => client.artifacts.getArtifact({ org_id: run.organization_id, agent_run_id: run.id, name }),
    onSuccess: (content) => saveFile(name, content as Uint8Array<ArrayBuffer>),
  })
  return (
    <li>
      <Icon name="file" />
      <span className="grow">
        <b className="strong">{name}</b>
        <br />
        <span className="faint small">{formatTime(at)}</span>
        {download.error && <Fault error={download.error} />}
      </span>
      <span className="faint num small">{formatBytes(bytes)}</span>
      <Button look="sm" isBusy={download.isPending} onClick={() => download.mutate()}>
        <Icon name="download" size={14} />
        Download
      </Button>
    </li>
  )
}

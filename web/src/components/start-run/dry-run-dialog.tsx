import type { DryRun } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { JsonText } from '#ui/json-text.tsx'

const words: Record<string, string> = {
  agent_type: 'Engine',
  model: 'Model',
  effort: 'Effort',
  max_model_calls: 'Model calls per turn',
  title: 'Title',
  repo_id: 'Repository',
  base_branch: 'Base branch',
  branch: 'Branch',
  pull_request: 'Pull request',
  create_pull_request: 'Opens a pull request',
  max_cost_usd: 'Budget in dollars',
  timeout_minutes: 'Minutes per turn',
  parent_run_id: 'Parent run',
  egress: 'Reachable hosts',
  environment: 'Environment',
  plan_approval: 'Asks about its plan',
  paths: 'Folders',
  metadata: 'Metadata',
}

/** All that the service answers of a run that is not started yet. */
export function DryRunDialog({ answer, onClose }: { answer: DryRun; onClose: () => void }): ReactElement {
  return (
    <Dialog title="What this run would use" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <dl className="kv">
        {Object.entries(answer.configuration).map(([name, value]) => (
          <Row key={name} name={words[name] ?? name} value={value} />
        ))}
        <Row name="Blocked by" value={answer.blocked_by} />
        <Row name="Cost of similar runs" value={answer.cost_range.low_usd === null ? null : answer.cost_range} />
      </dl>
    </Dialog>
  )
}

function Row({ name, value }: { name: string; value: unknown }): ReactElement {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Value name={name} value={value} />
      </dd>
    </>
  )
}

function Value({ name, value }: { name: string; value: unknown }): ReactElement {
  if (value === null || (Array.isArray(value) && value.length === 0)) return <span className="faint">None</span>
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return <>{value.join(', ')}</>
  if (typeof value === 'object') return <JsonText value={value} label={name} />
  return <>{typeof value === 'string' ? value : JSON.stringify(value)}</>
}

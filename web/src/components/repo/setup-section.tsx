import type { Repository } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState, type ReactElement } from 'react'
import { client, type RepoIds } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Select } from '#ui/select.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useEdited } from '#ui/use-edited.ts'
import { toItems, toText } from '#base/lines.ts'
import { proposalsQuery, repoQuery, useSaveRepo } from './queries.ts'
import { Section } from './section.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SetupProposalCard } from './setup-proposal.tsx'
import { TrySetup } from './try-setup.tsx'

const statusNotes: Record<string, string> = {
  generating: 'A run is looking for setup commands now.',
  proposed: 'Commands were found and wait for you to accept them.',
  accepted: 'Accepted.',
  outdated: 'The files that these commands were found in have changed since. Find them again.',
  failed: 'The last run found no commands that work.',
}

type Props = { ids: RepoIds; repo: Repository; canManage: boolean | undefined }

/** What prepares a work tree: written by hand, or found and tried by a run. */
export function SetupSection({ ids, repo, canManage }: Props): ReactElement {
  const queries = useQueryClient()
  const proposals = useQuery(proposalsQuery(ids))
  const [runId, setRunId] = useState<number | null>(null)
  const find = useMutation({
    mutationFn: () => client.repositories.generateSetupCommands({ org_id: ids.organizationId, repo_id: ids.repoId }),
    onSuccess: ({ agent_run_id }) => {
      setRunId(agent_run_id)
      return queries.invalidateQueries({ queryKey: repoQuery(ids).queryKey })
    },
  })
  const isFinding = repo.setup_status === 'generating'
  const readProposals = useEffectEvent(() => queries.invalidateQueries({ queryKey: proposalsQuery(ids).queryKey }))
  useEffect(() => void readProposals(), [repo.setup_status])
  const items = proposals.data?.items ?? []
  return (
    <Section
      id="setup"
      title="Setup commands"
      about="Run once in a fresh sandbox and kept as a snapshot. Later runs start from the snapshot."
      action={
        <Button isBusy={find.isPending || isFinding} disabled={repo.archived} onClick={() => find.mutate()}>
          <Icon name="search" size={14} />
          {items.length ? 'Find again' : 'Find commands'}
        </Button>
      }
    >
      {find.error && <Fault error={find.error} />}
      <div role="status" className="muted small settings-status">
        {statusNotes[repo.setup_status]}{' '}
        {runId !== null && isFinding && (
          <Link
            className="link"
            to="/runs/$organizationId/$runId"
            params={{ organizationId: ids.organizationId, runId }}
          >
            Watch run #{runId}
          </Link>
        )}
      </div>
      <SetupForm ids={ids} repo={repo} canManage={canManage} />
      {proposals.error && <Fault error={proposals.error} onAgain={() => void proposals.refetch()} />}
      {proposals.isPending && <Skeleton rows={3} height={44} />}
      {items.map((proposal) => (
        <SetupProposalCard
          key={proposal.n}
          ids={ids}
          proposal={proposal}
          accepted={repo.setup_commands ?? ''}
          canManage={canManage}
        />
      ))}
    </Section>
  )
}

const choices = [
  ['', "Use the organization's setting"],
  ['true', 'Accept commands that pass without asking'],
  ['false', 'Always ask a manager'],
] as const

function SetupForm({ ids, repo, canManage }: Props): ReactElement {
  const saved = {
    commands: repo.setup_commands ?? '',
    isRequired: repo.setup_required,
    paths: toText(repo.paths),
    accepts: repo.accept_setup_commands === null ? '' : String(repo.accept_setup_commands),
  }
  const { form, change, drop, ...edited } = useEdited(saved)
  const save = useSaveRepo(ids)
  return (
    <SettingsForm
      label="Setup commands"
      canEdit={canManage}
      {...edited}
      onDrop={drop}
      saving={save}
      onSave={() => {
        const body = {
          setup_commands: form.commands.trim() || null,
          setup_required: form.isRequired,
          paths: toItems(form.paths),
          accept_setup_commands: form.accepts === '' ? null : form.accepts === 'true',
        }
        save.mutate(body, { onSuccess: () => drop(form) })
      }}
    >
      <TextField
        label="Commands"
        hint="Bash, run in the root of the work tree. Commands in .runwright.yml take precedence."
        isLong
        value={form.commands}
        onChange={(commands) => change({ commands })}
      />
      {canManage && <TrySetup ids={ids} commands={form.commands} />}
      <label className="check">
        <input
          type="checkbox"
          checked={form.isRequired}
          onChange={({ target }) => change({ isRequired: target.checked })}
        />
        <span>Fail the run if setup fails</span>
      </label>
      <TextField
        label="Folders"
        hint="Work trees hold only these, with the files next to them and above them. One per line; empty for the whole repository."
        isLong
        value={form.paths}
        onChange={(paths) => change({ paths })}
      />
      <Select
        label="When a run finds new commands"
        value={form.accepts}
        choices={choices}
        onChange={(accepts) => change({ accepts })}
      />
    </SettingsForm>
  )
}

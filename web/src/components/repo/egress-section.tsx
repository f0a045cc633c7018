import type { Egress } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { client, roleQuery, type RepoIds } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { formatAgo } from '#ui/format.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useEdited } from '#ui/use-edited.ts'
import { toItems, toText } from '#base/lines.ts'
import { egressQuery, refusedQuery } from './queries.ts'
import { refusalWords } from './refusal-words.ts'
import { Section } from './section.tsx'
import { SettingsForm } from './settings-form.tsx'

const presets = ['npm', 'pypi', 'crates', 'go', 'debian', 'github'] as const

type Form = { allow: string; chosen: (typeof presets)[number][]; fromFile: boolean }

export function EgressSection({ ids }: { ids: RepoIds }): ReactElement {
  const { data, error, isPending, refetch } = useQuery(egressQuery(ids))
  // A refused host that is allowed from its row goes into the form, too.
  const edited = useEdited<Form>({
    allow: toText(data?.allow ?? []),
    chosen: presets.filter((name) => data?.presets.includes(name)),
    fromFile: data?.from_file ?? false,
  })
  const { data: role } = useQuery(roleQuery(ids.organizationId))
  const canEdit = role && role === 'ADMIN'
  const add = (name: string) => edited.change({ allow: toText([...new Set([...toItems(edited.form.allow), name])]) })
  return (
    <Section
      id="network"
      title="Network"
      about="Hosts that sandboxes of this repository can reach. Everything else is refused and recorded."
    >
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {isPending && <Skeleton rows={4} height={44} />}
      {data && <EgressForm ids={ids} names={data.names} edited={edited} canEdit={canEdit} />}
      <RefusedList ids={ids} canEdit={canEdit} onAllow={add} />
    </Section>
  )
}

type FormProps = {
  ids: RepoIds
  /** What can be reached now. */
  names: Egress['names']
  edited: ReturnType<typeof useEdited<Form>>
  canEdit: boolean | undefined
}

function EgressForm({ ids, names, edited, canEdit }: FormProps): ReactElement {
  const { form, change, drop, ...changes } = edited
  const { allow, chosen, fromFile } = form
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      client.egress.saveRepoEgress({
        org_id: ids.organizationId,
        repo_id: ids.repoId,
        allow: toItems(allow),
        presets: chosen,
        from_file: fromFile,
      }),
    onSuccess: (saved) => queries.setQueryData(egressQuery(ids).queryKey, saved),
  })
  return (
    <SettingsForm
      label="Network"
      canEdit={canEdit}
      lockedNote="Only admins can change this."
      {...changes}
      onDrop={drop}
      saving={save}
      onSave={() => save.mutate(undefined, { onSuccess: () => drop(form) })}
    >
      <TextField
        label="Allowed hosts"
        hint="One per line: example.com, *.example.com, example.com:8443. Ports 443 and 80 unless given."
        isLong
        value={allow}
        onChange={(text) => change({ allow: text })}
      />
      <div className="field" role="group" aria-label="Package registries">
        <span className="label">Package registries</span>
        <div className="check-line">
          {presets.map((name) => (
            <label key={name} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={({ target }) =>
                  change({ chosen: presets.filter((one) => (one === name ? target.checked : chosen.includes(one))) })
                }
              />
              <span>{name}</span>
            </label>
          ))}
        </div>
      </div>
      <label className="check">
        <input type="checkbox" checked={fromFile} onChange={({ target }) => change({ fromFile: target.checked })} />
        <span>Let .runwright.yml on the base branch allow more hosts</span>
      </label>
      <p className="hint">
        {names.length
          ? `Reachable now, with the organization's hosts: ${names.join(', ')}.`
          : 'Nothing is reachable now.'}
      </p>
    </SettingsForm>
  )
}

type RefusedProps = { ids: RepoIds; canEdit: boolean | undefined; onAllow: (name: string) => void }

function RefusedList({ ids, canEdit, onAllow }: RefusedProps): ReactElement {
  const { data, error, isPending, refetch } = useQuery(refusedQuery(ids))
  return (
    <div className="panel setting-panel">
      <header>
        <h3>Refused in the latest runs</h3>
      </header>
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {isPending && <Skeleton rows={1} height={44} />}
      {data?.length === 0 && <p className="setup-note muted">Nothing was refused.</p>}
      {data && data.length > 0 && (
        <ul className="list">
          {data.map(({ name, port, reason, count, runId, at }) => (
            <li key={`${name}:${port}`} className="wrap">
              <span className="grow">
                <code className="mono">
                  {name}
                  {port && port !== 443 && port !== 80 ? `:${port}` : ''}
                </code>{' '}
                <span className="faint small">{refusalWords(reason)}</span>
              </span>
              <span className="faint small">
                {count === 1 ? 'once' : `${count} times`}, last in{' '}
                <Link
                  className="link"
                  to="/runs/$organizationId/$runId"
                  params={{ organizationId: ids.organizationId, runId }}
                >
                  run #{runId}
                </Link>{' '}
                {formatAgo(at, Date.now())}
              </span>
              {canEdit && ['not_allowed', 'port_not_allowed'].includes(reason ?? '') && (
                <Button look="sm" onClick={() => onAllow(port === 443 || port === 80 ? name : `${name}:${port}`)}>
                  Allow<span className="sr-only"> {name}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

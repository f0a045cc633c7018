import type { Repository } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { enginesQuery, organizationQuery, roleQuery, type RepoIds } from '#base/api.ts'
import { ExportLink } from '#components/export-link.tsx'
import { Fault } from '#components/fault.tsx'
import { offered } from '#components/start-run/picks.tsx'
import { ActionRow } from '#ui/action-row.tsx'
import { Button } from '#ui/button.tsx'
import { Select } from '#ui/select.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useEdited } from '#ui/use-edited.ts'
import { DefaultModels } from './default-models.tsx'
import { efforts, toEffort } from '#base/efforts.ts'
import { toItems, toText } from '#base/lines.ts'
import { useSaveRepo } from './queries.ts'
import { RemoveRepoDialog } from './remove-repo-dialog.tsx'
import { Section } from './section.tsx'
import { SettingsForm } from './settings-form.tsx'

type Props = { ids: RepoIds; repo: Repository; canManage: boolean | undefined }

export function GeneralSection(props: Props): ReactElement {
  const { ids, repo, canManage } = props
  const { data: role } = useQuery(roleQuery(ids.organizationId))
  return (
    <>
      <Section id="general" title="General" about="Defaults that can be changed for each run.">
        <GeneralForm {...props} />
      </Section>
      {role === 'ADMIN' && (
        <Section
          id="export"
          title="Export"
          about="Saves all that is stored of this repository but its runs, as one archive."
        >
          <ul className="panel list">
            <ActionRow
              title="Export this repository"
              about={
                repo.host === 'local'
                  ? 'Commits, pull requests, issues, checks and settings.'
                  : 'Pull requests, checks and settings. Commits are on its code host.'
              }
            >
              <ExportLink path={`/organizations/${ids.organizationId}/repos/${ids.repoId}/export`} />
            </ActionRow>
          </ul>
        </Section>
      )}
      {canManage && (
        <Section id="lifecycle" title="Archive or remove" about={`The default branch is ${repo.default_branch}.`}>
          <Lifecycle {...props} />
        </Section>
      )}
    </>
  )
}

const savedOf = (repo: Repository) => ({
  description: repo.description ?? '',
  models: repo.default_models,
  effort: repo.default_effort ?? '',
  engine: repo.default_engine ?? '',
  labels: toText(repo.labels),
})

function GeneralForm({ ids, repo, canManage }: Props): ReactElement {
  const saved = savedOf(repo)
  const { form, change, drop, ...edited } = useEdited(saved)
  const save = useSaveRepo(ids)
  const { data: organization } = useQuery(organizationQuery(ids.organizationId))
  const { data: engines } = useQuery(enginesQuery(ids.organizationId))
  const inherited = (items: string[] | undefined) =>
    items?.length ? `If empty, the organization's: ${items.join(', ')}.` : undefined
  const isUnknown = form.engine !== '' && !engines?.some(({ name }) => name === form.engine)
  return (
    <SettingsForm
      label="General"
      canEdit={canManage}
      {...edited}
      onDrop={drop}
      saving={save}
      onSave={() => {
        const body = {
          description: form.description.trim() || null,
          default_models: form.models,
          default_effort: toEffort(form.effort),
          // One that cannot be used any more is kept as long as nobody chooses another.
          ...(form.engine !== saved.engine && { default_engine: form.engine || null }),
          labels: toItems(form.labels),
        }
        save.mutate(body, { onSuccess: () => drop(form) })
      }}
    >
      <TextField label="Description" value={form.description} onChange={(description) => change({ description })} />
      <DefaultModels
        organizationId={ids.organizationId}
        models={form.models}
        hint={
          inherited(organization?.default_models) ??
          'The first is used by runs that name none, and the next one when it cannot be used.'
        }
        onChange={(models) => change({ models })}
      />
      <Select
        label="Default effort"
        hint="How much models think in runs that choose no effort."
        value={form.effort}
        choices={[['', "As the organization's"], ...efforts]}
        onChange={(effort) => change({ effort })}
      />
      <Select
        label="Default engine"
        hint="Used by runs that name none. Without one, the service picks the best that is available."
        value={form.engine}
        choices={[
          ['', 'Chosen by the service'],
          ...offered(engines ?? []),
          ...(isUnknown ? [[form.engine, form.engine] as const] : []),
        ]}
        onChange={(engine) => change({ engine })}
      />
      <TextField
        label="Worker labels"
        hint={`Only workers with all of these labels take its runs. One per line. ${inherited(organization?.labels) ?? ''}`}
        isLong
        value={form.labels}
        onChange={(labels) => change({ labels })}
      />
    </SettingsForm>
  )
}

function Lifecycle({ ids, repo }: Props): ReactElement {
  const save = useSaveRepo(ids)
  const [isRemoving, setRemoving] = useState(false)
  return (
    <>
      <ul className="panel list">
        <ActionRow
          title={repo.archived ? 'This repository is archived' : 'Archive this repository'}
          about="An archived repository takes no new runs. Everything stays readable."
        >
          <Button isBusy={save.isPending} onClick={() => save.mutate({ archived: !repo.archived })}>
            {repo.archived ? 'Unarchive' : 'Archive'}
          </Button>
        </ActionRow>
        <ActionRow
          title="Remove this repository"
          about={
            repo.host === 'local'
              ? 'All that belongs to it is deleted. Its runs can stay.'
              : 'All that is stored of it here is deleted. Its runs can stay. Nothing changes on GitHub.'
          }
        >
          <Button look="danger" onClick={() => setRemoving(true)}>
            Remove
          </Button>
        </ActionRow>
      </ul>
      {save.error && <Fault error={save.error} />}
      {isRemoving && <RemoveRepoDialog ids={ids} repo={repo} onClose={() => setRemoving(false)} />}
    </>
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { client, organizationQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useEdited } from '#ui/use-edited.ts'
import { rulesQuery } from './queries.ts'
import { Section } from './section.tsx'
import { SettingsForm } from './settings-form.tsx'

type Props = { organizationId: number; canManage: boolean | undefined }

export function RulesSection({ organizationId, canManage }: Props): ReactElement {
  const { data, error, isPending, refetch } = useQuery(rulesQuery(organizationId))
  const { data: organization } = useQuery(organizationQuery(organizationId))
  const reads = organization?.settings.enable_rules_detection
  return (
    <Section
      id="rules"
      title="Rules"
      about="Agents get these with every prompt, in every repository of the organization."
    >
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {isPending && <Skeleton rows={4} height={44} />}
      {data && <RulesForm organizationId={organizationId} rules={data.rules ?? ''} canManage={canManage} />}
      {reads !== undefined && (
        <p className="muted small settings-status">
          {reads
            ? 'Agents also follow AGENTS.md, CLAUDE.md and other rule files in this repository. Paths that need a person are listed under push in .runwright.yml.'
            : 'Your organization has turned off reading rule files such as AGENTS.md from repositories.'}
        </p>
      )}
    </Section>
  )
}

function RulesForm({ organizationId, rules, canManage }: Props & { rules: string }): ReactElement {
  const { form, change, drop, ...edited } = useEdited({ text: rules })
  const { text } = form
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () => client.rules.saveRules({ org_id: organizationId, rules: text.trim() || null }),
    onSuccess: (saved) => queries.setQueryData(rulesQuery(organizationId).queryKey, saved),
  })
  return (
    <SettingsForm
      label="Rules"
      canEdit={canManage}
      {...edited}
      onDrop={drop}
      saving={save}
      onSave={() => save.mutate(undefined, { onSuccess: () => drop(form) })}
    >
      <TextField
        label="Rules of the organization"
        hint="Plain text or Markdown."
        isLong="words"
        value={text}
        onChange={(next) => change({ text: next })}
      />
    </SettingsForm>
  )
}

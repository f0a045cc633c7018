import type { ModelProvider, ModelProviderTrial } from '@runwright/sdk'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { client, modelProvidersQuery, roleQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { kinds } from '#components/models/kinds.ts'
import { ModelProviderDialog } from '#components/models/model-provider-dialog.tsx'
import { MyKeyDialog } from '#components/models/my-key-dialog.tsx'
import { RemoveModelProviderDialog } from '#components/models/remove-model-provider-dialog.tsx'
import { PageFrame } from '#components/page-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { formatTime } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** The model providers that an organization has added. */
export function ModelProvidersPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId/model-providers' })
  const { data, error, isPending, refetch } = useInfiniteQuery(modelProvidersQuery(organizationId))
  const { data: role } = useQuery(roleQuery(organizationId))
  const mayManage = role === 'ADMIN'
  const [editing, setEditing] = useState<ModelProvider | 'new' | null>(null)
  const [removing, setRemoving] = useState<ModelProvider | null>(null)
  const [keying, setKeying] = useState<ModelProvider | null>(null)
  const providers = data?.items
  const add = mayManage && (
    <Button look="primary" onClick={() => setEditing('new')}>
      <Icon name="plus" size={14} />
      Add a provider
    </Button>
  )
  return (
    <PageFrame title="Model providers">
      <section className="section">
        <div className="section-head">
          <p className="grow">Runs can use the models of these providers, with the organization’s keys or yours.</p>
          {providers?.length ? <div className="end">{add}</div> : null}
        </div>
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {isPending && <Skeleton rows={3} height={52} />}
        {providers?.length === 0 && (
          <Empty icon="box" title="No model providers yet" action={add || undefined}>
            Runs use the models of the service. An admin can add a provider with the organization’s own key.
          </Empty>
        )}
        {providers && providers.length > 0 && (
          <ul className="panel list">
            {providers.map((provider) => (
              <ProviderRow
                key={provider.id}
                organizationId={organizationId}
                provider={provider}
                mayManage={mayManage}
                onEdit={() => setEditing(provider)}
                onRemove={() => setRemoving(provider)}
                onKey={() => setKeying(provider)}
              />
            ))}
          </ul>
        )}
      </section>
      {editing && (
        <ModelProviderDialog
          organizationId={organizationId}
          provider={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
      {keying && <MyKeyDialog organizationId={organizationId} provider={keying} onClose={() => setKeying(null)} />}
      {removing && (
        <RemoveModelProviderDialog
          organizationId={organizationId}
          provider={removing}
          onClose={() => setRemoving(null)}
        />
      )}
    </PageFrame>
  )
}

type RowProps = {
  organizationId: number
  provider: ModelProvider
  mayManage: boolean
  onEdit: () => void
  onRemove: () => void
  onKey: () => void
}

function ProviderRow({ organizationId, provider, mayManage, onEdit, onRemove, onKey }: RowProps): ReactElement {
  const ids = { org_id: organizationId, model_provider_id: provider.id }
  const trial = useMutation({ mutationFn: () => client.modelProviders.tryModelProvider(ids) })
  const kind = kinds.find(([name]) => name === provider.kind)?.[1]
  return (
    <li className="wrap">
      <div className="grow">
        <div className="strong truncate">{provider.name}</div>
        <div className="faint small truncate">
          {kind}
          {provider.base_url && (
            <>
              {' · '}
              <code>{provider.base_url}</code>
            </>
          )}
          {!provider.has_key && (provider.member_keys_only ? ' · keys of members only' : ' · no key')}
        </div>
        {provider.my_key && (
          <div className="faint small truncate">
            Your key ends with <code>{provider.my_key.last4}</code>, saved {formatTime(provider.my_key.updated_at)}
          </div>
        )}
        {provider.models && <div className="faint small truncate">Only {provider.models.join(', ')}</div>}
        {trial.data && <TrialResult trial={trial.data} />}
        {trial.error && <Fault error={trial.error} />}
      </div>
      <span className="row">
        <Button look="sm" onClick={onKey}>
          Your key
        </Button>
        {mayManage && (
          <>
            <Button look="sm" isBusy={trial.isPending} onClick={() => trial.mutate()}>
              Try
            </Button>
            <Button look="sm" onClick={onEdit}>
              Change
            </Button>
            <Button look="sm danger" onClick={onRemove}>
              Remove
            </Button>
          </>
        )}
      </span>
    </li>
  )
}

const SHOWN_MAX = 8

function TrialResult({ trial }: { trial: ModelProviderTrial }): ReactElement {
  const names = trial.models.slice(0, SHOWN_MAX).join(', ')
  const more = trial.total > SHOWN_MAX ? ` and ${trial.total - SHOWN_MAX} more` : ''
  return (
    <div className="small" role="status">
      {trial.ok ? `Works. Models: ${names || 'none'}${more}` : trial.error}
      {trial.missing.length > 0 && `. It does not list ${trial.missing.join(', ')}`}
    </div>
  )
}

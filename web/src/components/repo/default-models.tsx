import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { modelsQuery } from '#base/api.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Select } from '#ui/select.tsx'

type Props = { organizationId: number; models: string[]; hint: string; onChange: (models: string[]) => void }

/** In their order: the first is used by runs that name none. */
export function DefaultModels({ organizationId, models, hint, onChange }: Props): ReactElement {
  const { data } = useQuery(modelsQuery(organizationId))
  const others = (data ?? []).filter(({ name }) => !models.includes(name))
  return (
    <div className="field">
      {models.map((name, n) => (
        <div key={name} className="row">
          <code className="mono grow truncate">{name}</code>
          {n === 0 && <span className="tag">Default</span>}
          <Button look="ghost sm square" aria-label={`Remove ${name}`} onClick={() => onChange(models.toSpliced(n, 1))}>
            <Icon name="x" size={12} />
          </Button>
        </div>
      ))}
      <Select
        label="Default models"
        hint={data?.length === 0 ? 'No models are set up yet.' : hint}
        value=""
        choices={[
          ['', models.length ? 'Add another model' : 'Choose a model'],
          ...others.map(({ name, available, reason }) =>
            available ? ([name, name] as const) : ([name, name, reason ?? 'unavailable'] as const),
          ),
        ]}
        onChange={(name) => name && onChange([...models, name])}
      />
    </div>
  )
}

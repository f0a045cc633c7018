import type { ReactElement } from 'react'
import { efforts, toEffort } from '#base/efforts.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Select } from '#ui/select.tsx'
import { TextField } from '#ui/text-field.tsx'
import { BranchFields } from './branch-fields.tsx'
import { readObject, type RunOptions } from './options.ts'
import { PicturesField } from './pictures-field.tsx'
import { SchemaField } from './schema-field.tsx'

type Props = {
  organizationId: number
  options: RunOptions
  /** What is wrong with an image that was chosen. */
  imageFault: string | null
  onFiles: (files: File[]) => void
  onChange: (changed: Partial<RunOptions>) => void
  onClose: () => void
}

const pullChoices = [
  ['', "Use the organization's setting"],
  ['true', 'Open one'],
  ['false', "Don't open one"],
] as const

/** What is chosen for few runs. */
export function MoreOptions({ organizationId, options, imageFault, onFiles, onChange, onClose }: Props): ReactElement {
  const wrong = options.metadata && !readObject(options.metadata) ? 'Enter a JSON object.' : undefined
  return (
    <Dialog
      title="More settings"
      onClose={onClose}
      onSubmit={onClose}
      footer={
        <Button type="submit" look="primary">
          Done
        </Button>
      }
    >
      <div className="stack">
        <TextField
          label="Title"
          hint="Taken from the prompt if empty."
          value={options.title}
          onChange={(title) => onChange({ title })}
        />
        <Select
          label="Effort"
          hint="How much the model thinks."
          value={options.effort ?? ''}
          choices={[['', 'Default effort'], ...efforts]}
          onChange={(effort) => onChange({ effort: toEffort(effort) })}
        />
        <BranchFields organizationId={organizationId} options={options} onChange={onChange} />
        <Select
          label="Pull request"
          value={options.opensPull === null ? '' : String(options.opensPull)}
          choices={pullChoices}
          onChange={(value) => onChange({ opensPull: value === '' ? null : value === 'true' })}
        />
        <label className="check">
          <input
            type="checkbox"
            checked={options.approvesPlan}
            onChange={(event) => onChange({ approvesPlan: event.target.checked })}
          />
          <span>Ask me to approve the plan first</span>
        </label>
        <PicturesField
          images={options.images}
          fault={imageFault}
          onFiles={onFiles}
          onChange={(images) => onChange({ images })}
        />
        <SchemaField
          organizationId={organizationId}
          value={options.outputSchema}
          onChange={(outputSchema) => onChange({ outputSchema })}
        />
        <TextField
          label="Metadata"
          hint="A JSON object that is kept with the run."
          isLong
          value={options.metadata}
          error={wrong}
          onChange={(metadata) => onChange({ metadata })}
        />
      </div>
    </Dialog>
  )
}

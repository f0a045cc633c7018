import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { TextField } from '#ui/text-field.tsx'
import { readObject, type RunOptions } from './options.ts'
import { PicturesField } from './pictures-field.tsx'

type Props = {
  organizationId: number
  options: RunOptions
  onChange: (changed: Partial<RunOptions>) => void
  onClose: () => void
}

/** What is chosen for few runs. */
export function MoreOptions({ options, onChange, onClose }: Props): ReactElement {
  const wrong = (text: string) => (text && !readObject(text) ? 'This is no object of JSON.' : undefined)
  return (
    <Dialog title="More settings" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <div className="grid grid-cols-1 gap-3">
        <TextField
          label="Title"
          hint="Taken from the prompt when left empty."
          value={options.title}
          onChange={(title) => onChange({ title })}
        />
        <TextField
          label="Base branch"
          hint="What the work begins at; the default branch when left empty."
          value={options.baseBranch}
          onChange={(baseBranch) => onChange({ baseBranch })}
        />
        <TextField
          label="Go on with a branch"
          hint="One that exists already, and is not the default branch."
          value={options.branch}
          onChange={(branch) => onChange({ branch })}
        />
        <div className="field">
          <label className="label" htmlFor="opens-pull">
            Pull request
          </label>
          <span className="select-wrap">
            <select
              id="opens-pull"
              className="select"
              value={options.opensPull === null ? '' : String(options.opensPull)}
              onChange={({ target: { value } }) => onChange({ opensPull: value === '' ? null : value === 'true' })}
            >
              <option value="">As the organization has it</option>
              <option value="true">Open one</option>
              <option value="false">Open none</option>
            </select>
            <Icon name="down" size={14} />
          </span>
        </div>
        <label className="check">
          <input
            type="checkbox"
            checked={options.approvesPlan}
            onChange={(event) => onChange({ approvesPlan: event.target.checked })}
          />
          <span>Ask me about the plan before any work is done</span>
        </label>
        <PicturesField images={options.images} onChange={(images) => onChange({ images })} />
        <TextField
          label="Schema of the answer"
          hint="JSON Schema; the answer then comes as data too."
          isLong
          value={options.outputSchema}
          error={wrong(options.outputSchema)}
          onChange={(outputSchema) => onChange({ outputSchema })}
        />
        <TextField
          label="Metadata"
          hint="Kept with the run."
          isLong
          value={options.metadata}
          error={wrong(options.metadata)}
          onChange={(metadata) => onChange({ metadata })}
        />
      </div>
    </Dialog>
  )
}

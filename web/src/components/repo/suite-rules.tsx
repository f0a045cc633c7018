import { useId, type ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'

/** What holds for one check, or for all checks of one app; left empty: what holds for all. */
export type SuiteRule = { name: string; attempts: string; prompt: string }

type Props = { rules: SuiteRule[]; names: string[]; onChange: (rules: SuiteRule[]) => void }

export function SuiteRules({ rules, names, onChange }: Props): ReactElement {
  const listId = useId()
  const change = (at: number, changed: Partial<SuiteRule>) =>
    onChange(rules.map((rule, n) => (n === at ? { ...rule, ...changed } : rule)))
  return (
    <div className="field">
      <span className="label">Single checks</span>
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {rules.map(({ name, attempts, prompt }, n) => (
        <div key={n} className="setting-row of-three">
          <input
            className="input"
            list={listId}
            aria-label={`Check ${n + 1}`}
            placeholder="Check or app"
            value={name}
            onChange={({ target }) => change(n, { name: target.value })}
          />
          <input
            className="input"
            type="number"
            min={0}
            aria-label={`Attempts for check ${n + 1}`}
            placeholder="Attempts"
            value={attempts}
            onChange={({ target }) => change(n, { attempts: target.value })}
          />
          <input
            className="input"
            aria-label={`Instructions for check ${n + 1}`}
            placeholder="Extra instructions"
            value={prompt}
            onChange={({ target }) => change(n, { prompt: target.value })}
          />
          <Button
            look="ghost square"
            aria-label={`Remove rule ${n + 1}`}
            onClick={() => onChange(rules.toSpliced(n, 1))}
          >
            <Icon name="x" size={14} />
          </Button>
        </div>
      ))}
      <div>
        <Button look="sm" onClick={() => onChange([...rules, { name: '', attempts: '', prompt: '' }])}>
          <Icon name="plus" size={12} />
          Add a rule for one check
        </Button>
      </div>
      <p className="hint">{names.length ? `Seen so far: ${names.join(', ')}.` : 'No checks seen yet.'}</p>
    </div>
  )
}

import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement } from 'react'
import { Icon } from './icon.tsx'

type Choice = { value: string; note?: string | undefined }

type Props = {
  label: string
  hint: string
  value: string
  /** What is offered for the words that were told by `onSearch`. Another value can be typed. */
  choices: readonly Choice[]
  /** What stands below the choices: that there are none, or more. */
  remark?: string | undefined
  isOff?: boolean
  /** Told what to offer: the words that were typed since the list was opened. */
  onSearch: (words: string) => void
  onChange: (value: string) => void
}

/** A field with a list of choices that gets shorter as one types. */
export function Combobox({ label, hint, value, choices, remark, isOff = false, ...on }: Props): ReactElement {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const open = () => {
    if (isOpen) return
    on.onSearch('')
    setAt(-1)
    setOpen(true)
  }
  const choose = (chosen: string) => {
    on.onChange(chosen)
    setOpen(false)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const picked = isOpen ? choices[at] : undefined
    if (step && isOpen) setAt(nextOf(at, step, choices.length))
    else if (step) open()
    else if (event.key === 'Enter' && picked) choose(picked.value)
    else if (event.key === 'Escape' && isOpen) setOpen(false)
    else return
    // The dialog around it is neither sent nor closed.
    event.preventDefault()
  }
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="combobox" onBlur={() => setOpen(false)}>
        <input
          className="input code"
          id={id}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && choices[at] ? `${id}-${at}` : undefined}
          aria-describedby={`${id}-hint`}
          autoComplete="off"
          spellCheck={false}
          disabled={isOff}
          value={isOff ? '' : value}
          onClick={open}
          onKeyDown={press}
          onChange={({ target }) => {
            const words = target.value.trim()
            on.onChange(words)
            on.onSearch(words)
            setAt(-1)
            setOpen(true)
          }}
        />
        <Icon name="down" size={14} />
        {isOpen && <Choices id={id} label={label} choices={choices} at={at} remark={remark} onChoose={choose} />}
      </div>
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  )
}

/** Up from the field is the last choice; beyond either end is the field again. */
function nextOf(at: number, step: number, count: number): number {
  const next = at + step
  if (next < -1) return count - 1
  return next >= count ? -1 : next
}

type ListProps = Pick<Props, 'label' | 'choices' | 'remark'> & {
  id: string
  at: number
  onChoose: (value: string) => void
}

function Choices({ id, label, choices, at, remark, onChoose }: ListProps): ReactElement {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => show(list.current), [])
  useEffect(() => show(document.getElementById(`${id}-${at}`)), [id, at])
  return (
    // The field keeps the focus while the list is pressed.
    <div className="combobox-list" ref={list} onMouseDown={(event) => event.preventDefault()}>
      <ul id={`${id}-list`} role="listbox" aria-label={label}>
        {choices.map(({ value, note }, n) => (
          <li
            key={value}
            id={`${id}-${n}`}
            role="option"
            aria-selected={n === at}
            title={value}
            onClick={() => onChoose(value)}
          >
            <span className="truncate">{value}</span>
            {note && <span className="tag end">{note}</span>}
          </li>
        ))}
      </ul>
      {remark && <p role="status">{remark}</p>}
    </div>
  )
}

/** Answers nothing: browsers that scroll smoothly answer a promise, which is no clean-up. */
function show(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

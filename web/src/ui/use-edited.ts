import { useState } from 'react'

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

type Edited<Form> = {
  /** What is typed over what is saved. */
  form: Form
  change: (changed: Partial<Form>) => void
  /** Whether anything typed is not as it is saved. */
  isChanged: boolean
  /** What was typed into has been saved otherwise meanwhile. */
  isChangedElsewhere: boolean
  /** Forgets what was sent, unless it was typed on; without it, all. */
  drop: (sent?: Form) => void
}

type Typed<Form> = { [Name in keyof Form]?: { value: Form[Name]; over: Form[Name] } }

/**
 * What somebody types into a form of saved values. A field that nobody has touched shows what is saved, also when that changes;
 * what was typed stays whatever becomes of the saved value.
 */
export function useEdited<Form extends Record<string, unknown>>(saved: Form): Edited<Form> {
  const [typed, setTyped] = useState<Typed<Form>>({})
  const names = (Object.keys(saved) as (keyof Form)[]).filter((name) => typed[name] !== undefined)
  const changed = names.filter((name) => !isSame(typed[name]!.value, saved[name]))
  return {
    form: { ...saved, ...Object.fromEntries(names.map((name) => [name, typed[name]!.value])) },
    change: (values) =>
      setTyped((before) => {
        const next = { ...before }
        for (const name of Object.keys(values) as (keyof Form)[])
          next[name] = { value: values[name]!, over: before[name] ? before[name].over : saved[name] }
        return next
      }),
    isChanged: changed.length > 0,
    isChangedElsewhere: changed.some((name) => !isSame(typed[name]!.over, saved[name])),
    drop: (sent) =>
      setTyped((before) => {
        const next = { ...before }
        for (const name of Object.keys(next) as (keyof Form)[])
          if (!sent || isSame(next[name]!.value, sent[name])) delete next[name]
        return next
      }),
  }
}

import { useRef, type ReactElement } from 'react'
import type { Log } from '#log/use-log.ts'
import { readPlan, type PlanStep } from '#log/read-plan.ts'
import { StatusGlyph } from '#components/status-glyph.tsx'

const glyphs = { pending: 'none', in_progress: 'in_progress', completed: 'completed', dropped: 'cancelled' } as const
const words = { pending: 'To do', in_progress: 'In progress', completed: 'Done', dropped: 'Dropped' }
const classes = { pending: '', in_progress: 'at', completed: 'done', dropped: 'dropped' }

/** The plan as the agent has stated it last. */
export function PlanSteps({ log }: { log: Log }): ReactElement | null {
  const steps = useLastPlan(log)
  if (!steps?.length) return null
  const done = steps.filter(({ status }) => status === 'completed').length
  return (
    <section className="about-plan" aria-labelledby="about-plan">
      <h2 id="about-plan">
        Plan{' '}
        <span className="faint">
          {done} of {steps.length}
        </span>
      </h2>
      <ol className="plan">
        {steps.map(({ text, status }, n) => (
          <li key={n} className={classes[status]}>
            <StatusGlyph status={glyphs[status]} label={words[status]} />
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Each entry is looked at once. */
function useLastPlan({ entries, length }: Log): PlanStep[] | null {
  const state = useRef<{ looked: number; plan: PlanStep[] | null }>({ looked: 0, plan: null })
  const { current } = state
  for (; current.looked < length; current.looked++) current.plan = readPlan(entries[current.looked]!) ?? current.plan
  return current.plan
}

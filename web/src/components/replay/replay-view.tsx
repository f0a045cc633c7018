import { useMemo, type ReactElement } from 'react'
import { readStep } from '#records/read-step.ts'
import type { RunRecord } from '#records/run-record.ts'
import { Empty } from '#ui/empty.tsx'
import { ReplayControls } from './replay-controls.tsx'
import { ReplayList } from './replay-list.tsx'
import { ReplayStep } from './replay-step.tsx'
import { useStep } from './use-step.ts'

type Props = {
  record: RunRecord
  /** The step that the address names. */
  named: number | undefined
  onStep: (n: number) => void
  /** Somebody has just opened it, and the keyboard goes on here. */
  isOpened?: boolean
}

/** A run, step by step: what the model was told and answered, what tools found, what the log says. */
export function ReplayView({ record, named, onStep, isOpened = false }: Props): ReactElement {
  const { steps, startedAt } = record
  const { n, goTo } = useStep(steps.length, named, onStep)
  const step = steps[n - 1]
  const content = useMemo(() => step && readStep(step), [step])
  if (!step || !content)
    return (
      <Empty icon="clock" title="No steps yet">
        The record has no step that could be shown.
      </Empty>
    )
  return (
    <div className="replay">
      <ReplayControls steps={steps} n={n} goTo={goTo} isOpened={isOpened} />
      <ReplayList steps={steps} n={n} goTo={goTo} />
      <ReplayStep key={n} step={step} content={content} startedAt={startedAt} />
    </div>
  )
}

import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, type ReactElement } from 'react'
import type { RecordStep } from '#records/run-record.ts'
import { kindWords } from './kind-words.ts'

const ROW_PIXELS = 32
const OVERSCAN = 8

type Props = { steps: readonly RecordStep[]; n: number; goTo: (n: number) => void }

/** All steps, one line each. Only what is on the screen is in the page, however many there are. */
export function ReplayList({ steps, n, goTo }: Props): ReactElement {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: steps.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: OVERSCAN,
    useFlushSync: false,
  })
  useLayoutEffect(() => list.scrollToIndex(n - 1, { align: 'auto' }), [list, n])
  return (
    <div className="replay-list" ref={scroller} tabIndex={0} role="group" aria-label="All steps">
      <ol style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ key, index, start }) => {
          const step = steps[index]!
          return (
            <li
              key={key}
              aria-setsize={steps.length}
              aria-posinset={step.n}
              style={{ transform: `translateY(${start}px)` }}
            >
              <button type="button" aria-current={step.n === n ? 'step' : undefined} onClick={() => goTo(step.n)}>
                <span className="num faint">{step.n}</span>
                <span className={step.isFailure ? 'tag failed tone' : 'tag'}>{kindWords[step.kind]}</span>
                <span className="truncate">{step.title}</span>
              </button>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

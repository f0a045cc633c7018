import { useEffect, useRef, useState, type ReactElement } from 'react'
import type { RecordStep } from '#records/run-record.ts'
import { Button } from '#ui/button.tsx'
import { formatCount } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { useKeys } from '#ui/use-keys.ts'
import { usePlayback } from './use-playback.ts'
import { kindWords } from './kind-words.ts'

type Props = { steps: readonly RecordStep[]; n: number; goTo: (n: number) => void; isOpened: boolean }

const speeds = [0.5, 1, 2, 5]

/** The way through the steps: by buttons, slider, keys, or by itself. */
export function ReplayControls({ steps, n, goTo, isOpened }: Props): ReactElement {
  const count = steps.length
  const [speed, setSpeed] = useState(1)
  const { isPlaying, play, stop } = usePlayback({ n, count, speed, goTo })
  const slider = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isOpened) slider.current?.focus()
  }, [isOpened])
  const go = (to: number) => {
    stop()
    goTo(to)
  }
  const fail = (by: 1 | -1) => {
    const isLater = (step: RecordStep) => step.isFailure && (by > 0 ? step.n > n : step.n < n)
    const next = by > 0 ? steps.find(isLater) : steps.findLast(isLater)
    if (next) go(next.n)
  }
  useKeys({
    j: () => go(n + 1),
    k: () => go(n - 1),
    g: () => go(count),
    p: isPlaying ? stop : play,
    ']': () => fail(1),
    '[': () => fail(-1),
  })
  const { kind, title } = steps[n - 1]!
  return (
    <div className="replay-controls" role="group" aria-label="Steps of the run">
      <Button look="sm" disabled={n === 1} onClick={() => go(1)}>
        First
      </Button>
      <Button look="sm" disabled={n === 1} onClick={() => go(n - 1)}>
        Previous
      </Button>
      <Button look="sm" disabled={n === count} onClick={() => go(n + 1)}>
        Next
      </Button>
      <Button look="sm" disabled={n === count} onClick={() => go(count)}>
        Last
      </Button>
      <Button look="sm" onClick={isPlaying ? stop : play}>
        {isPlaying ? 'Stop playing' : 'Play'}
      </Button>
      <Speed speed={speed} onChange={setSpeed} />
      <input
        className="replay-slider"
        ref={slider}
        type="range"
        min={1}
        max={count}
        value={n}
        aria-label="Step"
        aria-valuetext={`Step ${n} of ${count}: ${kindWords[kind]}, ${title}`}
        onChange={(event) => go(Number(event.target.value))}
      />
      <span className="num small" role="status">
        Step {formatCount(n)} of {formatCount(count)}
      </span>
    </div>
  )
}

function Speed({ speed, onChange }: { speed: number; onChange: (speed: number) => void }): ReactElement {
  return (
    <span className="select-wrap">
      <select
        className="select"
        aria-label="Speed"
        value={speed}
        onChange={(event) => onChange(Number(event.target.value))}
      >
        {speeds.map((one) => (
          <option key={one} value={one}>
            {one} per second
          </option>
        ))}
      </select>
      <Icon name="down" size={14} />
    </span>
  )
}

import { percentOf } from './money.js'

/** The more one buys, the more is taken off: from this amount in cents, this many percent. */
const steps = [
  { from: 20000, percent: 10 },
  { from: 10000, percent: 5 },
  { from: 0, percent: 0 },
]

export function discountOn(cents) {
  const step = steps.find(({ from }) => cents > from) ?? { percent: 0 }
  return percentOf(cents, step.percent)
}

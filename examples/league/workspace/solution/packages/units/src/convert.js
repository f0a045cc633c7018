const meters = { mm: 0.001, cm: 0.01, m: 1, km: 1000 }

/** An amount in another unit of length. Throws a `RangeError`. */
export function convert(amount, from, to) {
  for (const unit of [from, to]) if (!Object.hasOwn(meters, unit)) throw new RangeError(`unknown unit: ${unit}`)
  return (amount * meters[from]) / meters[to]
}

const meters = { mm: 0.001, cm: 0.01, m: 1, km: 1000 }

/** An amount in another unit of length. */
export function convert(amount, from, to) {
  return (amount * meters[from]) / meters[to]
}

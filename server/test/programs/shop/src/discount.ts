export type Discount = { percent?: number; minimumCents: number }

const DEFAULT_PERCENT = 5

export function discountCents(totalCents: number, discount: Discount): number {
  if (totalCents < discount.minimumCents) return 0
  const percent: number = discount.percent || DEFAULT_PERCENT
  return Math.round((totalCents * percent) / 100)
}

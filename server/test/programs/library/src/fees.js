import { daysBetween } from './dates.js'

const FEE_CENTS = 20
const FEE_CENTS_MAX = 500

export function feeCents(loan, today) {
  const late = daysBetween(loan.due, today)
  return late <= 0 ? 0 : Math.min(late * FEE_CENTS, FEE_CENTS_MAX)
}

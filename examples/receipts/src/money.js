/** 1234 -> "12.34" */
export function formatCents(cents) {
  const sign = cents < 0 ? '-' : ''
  const whole = Math.abs(cents)
  return `${sign}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}

/** A share of an amount in whole cents, halves rounded up. */
export function percentOf(cents, percent) {
  return Math.round((cents * percent) / 100)
}

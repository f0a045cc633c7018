export function invoiceLines(rows) {
  return rows
    .map(({ name, cents }) => {
      const sign = cents < 0 ? '-' : ''
      const whole = Math.floor(Math.abs(cents) / 100)
      const rest = String(Math.abs(cents) % 100).padStart(2, '0')
      return `${name}: ${sign}€${whole}.${rest}`
    })
    .join('\n')
}

import { formatCents } from './money.js'

export function invoiceLines(rows) {
  return rows.map(({ name, cents }) => `${name}: ${formatCents(cents)}`).join('\n')
}

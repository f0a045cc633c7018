import { formatCents } from './money.js'

export function payrollLines(rows) {
  return rows.map(({ name, cents }) => `${name}\t${formatCents(cents)}`).join('\n')
}

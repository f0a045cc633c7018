import { formatCents } from './money.js'

export function budgetLines(rows) {
  return rows.map(({ name, cents }) => `| ${name} | ${formatCents(cents)} |`).join('\n')
}

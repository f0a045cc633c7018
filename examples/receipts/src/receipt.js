import { totalsOf } from './basket.js'
import { formatCents } from './money.js'

const width = 32

function row(left, right) {
  return left.padEnd(width - right.length, ' ') + right
}

export function printReceipt(basket) {
  const { sum, discount, total } = totalsOf(basket)
  const lines = basket.lines.map((line) => row(`${line.count} x ${line.name}`, formatCents(line.cents * line.count)))
  lines.push('-'.repeat(width))
  if (discount) lines.push(row('Sum', formatCents(sum)), row('Discount', formatCents(-discount)))
  lines.push(row('Total', formatCents(total)))
  return lines.join('\n')
}

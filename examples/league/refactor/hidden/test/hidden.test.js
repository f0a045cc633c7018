import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { budgetLines } from '../src/budget.js'
import { invoiceLines } from '../src/invoice.js'
import { formatCents } from '../src/money.js'
import { payrollLines } from '../src/payroll.js'

const amounts = [[0, '€0.00'], [5, '€0.05'], [120_005, '€1200.05'], [-50, '-€0.50'], [-123_456, '-€1234.56']]

test('amounts are written in one place', () => {
  for (const [cents, text] of amounts) assert.equal(formatCents(cents), text)
  for (const name of ['budget', 'invoice', 'payroll']) {
    const code = readFileSync(new URL(`../src/${name}.js`, import.meta.url), 'utf8')
    assert.match(code, /money\.js/)
    assert.doesNotMatch(code, /padStart|Math\.|toFixed|€/)
  }
})

test('every report is as before', () => {
  for (const [cents, text] of amounts) {
    const rows = [{ name: 'A', cents }, { name: 'B', cents }]
    assert.equal(invoiceLines(rows), `A: ${text}\nB: ${text}`)
    assert.equal(payrollLines(rows), `A\t${text}\nB\t${text}`)
    assert.equal(budgetLines(rows), `| A | ${text} |\n| B | ${text} |`)
  }
  assert.equal(invoiceLines([]), '')
})

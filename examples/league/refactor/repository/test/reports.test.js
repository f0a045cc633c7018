import assert from 'node:assert/strict'
import { test } from 'node:test'
import { budgetLines } from '../src/budget.js'
import { invoiceLines } from '../src/invoice.js'
import { payrollLines } from '../src/payroll.js'

const rows = [{ name: 'Rent', cents: 120_005 }, { name: 'Refund', cents: -50 }]

test('reports have their lines', () => {
  assert.equal(invoiceLines(rows), 'Rent: €1200.05\nRefund: -€0.50')
  assert.equal(payrollLines(rows), 'Rent\t€1200.05\nRefund\t-€0.50')
  assert.equal(budgetLines(rows), '| Rent | €1200.05 |\n| Refund | -€0.50 |')
})

#!/usr/bin/env node
import { convert } from '../../units/src/convert.js'

const [amount, from, to] = process.argv.slice(2)
try {
  process.stdout.write(`${convert(Number(amount), from, to)}\n`)
} catch (error) {
  if (!(error instanceof RangeError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}

#!/usr/bin/env node
import { convert } from '../../units/src/convert.js'

const [amount, from, to] = process.argv.slice(2)
process.stdout.write(`${convert(Number(amount), from, to)}\n`)

#!/usr/bin/env node
import { runProgram } from '../src/program.js'

await runProgram()

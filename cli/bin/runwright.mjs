#!/usr/bin/env node
// Starts the command line on Node 24 or newer, which runs TypeScript as it is.
import { fileURLToPath } from 'node:url'

const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url))

process.argv.splice(2, 0, fileOf('../src/main.ts'))
await import(fileOf('../../bin/node24.mjs'))

#!/usr/bin/env node
// Runs what it is given on Node 24 or newer: this Node if it is new enough, else the one that npm installed.
// The package is found by its path, not through node_modules/.bin: npm 10 drops that link when several optional
// packages offer the same name.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const NEEDED = 24

function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED) return process.execPath
  const require = createRequire(import.meta.url)
  try {
    const manifest = require.resolve(`node-${process.platform}-${process.arch}/package.json`)
    return path.join(path.dirname(manifest), require(manifest).bin.node)
  } catch {
    console.error(
      `Runwright needs Node ${NEEDED} or newer; this is ${process.version}, and npm has none for ${process.platform}-${process.arch} here. Install Node ${NEEDED} and try again.`,
    )
    process.exit(1)
  }
}

// Code that was compiled once is not compiled again: every process of ours starts in half the time.
const compiled = path.join(import.meta.dirname, '../node_modules/.cache/runwright-compiled')
// A packed service has no TypeScript to find, and no resolver.
const resolver = new URL('resolve-imports.mjs', import.meta.url)
const flags = ['--disable-warning=ExperimentalWarning', ...(existsSync(resolver) ? [`--import=${resolver.href}`] : [])]
const child = spawn(findNode(), [...flags, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { NODE_COMPILE_CACHE: compiled, ...process.env },
})
// A terminal's Ctrl-C reaches the child by itself; what is sent to this process alone is passed on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  })
}
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})

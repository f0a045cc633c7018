// Calls functions of one file, with another text in its place, and tells what each call gives: `compare.mjs JOB`, one JSON
// line a call, null where it throws.
import { readFileSync, writeSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

const { file, source, calls } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    return url === pathToFileURL(file).href ? { ...loaded, source } : loaded
  },
})
const loaded = await import(pathToFileURL(file).href)
const functions = { ...loaded.default, ...loaded }
console.log = console.error = console.warn = () => {}
for (const { name, argv } of calls) {
  let answer = null
  try {
    // Plain values, as the tests have them; in the project's process.
    // oxlint-disable-next-line typescript/no-implied-eval
    const values = new Function(`return [${argv}]`)()
    const given = await functions[name](...values)
    // What it does to the values that it is given counts as well.
    answer = inspect([given, values], { depth: 20, breakLength: Infinity }).slice(0, 2000)
  } catch {
    // A call that throws tells nothing.
  }
  writeSync(1, `${JSON.stringify(answer)}\n`)
}
process.exit(0)

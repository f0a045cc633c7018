// A reporter for mocha: one JSON line for each test that ended, in a file of this process.
'use strict'
const fs = require('node:fs')
const path = require('node:path')

// This runs in the project's process, not in ours.
// oxlint-disable-next-line node/no-process-env
const folder = process.env.RUNWRIGHT_REPORTS
const TEXT_MAX = 2000

/** Of a test and the groups around it, the outermost first. Mocha before version 5 does not tell them itself. */
function titlesOf(test) {
  const titles = []
  for (let at = test; at && !at.root; at = at.parent) titles.unshift(at.title)
  return titles
}

module.exports = function MochaReporter(runner) {
  const report = path.join(folder, `${process.pid}-${Date.now()}.jsonl`)
  const write = (test, isPassing, isSkipped, error) => {
    const told = {
      file: test.file ?? null,
      names: titlesOf(test),
      isSuite: test.type === 'hook',
      isSkipped,
      isPassing,
      ms: test.duration ?? 0,
    }
    fs.appendFileSync(report, `${JSON.stringify({ ...told, error })}\n`)
  }
  // Subtests do not exist in mocha: each group is told of, so that none of its tests is taken for one.
  runner.on('suite', (suite) => {
    if (suite.root) return
    write({ file: suite.file, title: suite.title, parent: suite.parent, type: 'hook' }, true, false, null)
  })
  runner.on('pass', (test) => write(test, true, false, null))
  runner.on('pending', (test) => write(test, true, true, null))
  runner.on('fail', (test, error) => write(test, false, false, String(error?.stack ?? error).slice(0, TEXT_MAX)))
}

// Started with --import: the clock of this process's machine is off by CLOCK_AHEAD_MS.
const aheadMs = Number(process.env.CLOCK_AHEAD_MS)
const machineNow = Date.now
Date.now = () => machineNow() + aheadMs
globalThis.Date = new Proxy(Date, {
  construct: (made, words, as) => Reflect.construct(made, words.length > 0 ? words : [Date.now()], as),
})

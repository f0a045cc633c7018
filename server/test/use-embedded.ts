// A process that uses the embedded PostgreSQL in the folder it is given: prints the server's process whenever that is another
// one, and leaves as it is told to: on SIGTERM properly, on SIGUSR2 without a word.
import { startEmbedded } from '#db/embedded.ts'

const embedded = await startEmbedded(process.argv[2] ?? '')
let report = 0
const tell = setInterval(() => {
  if (embedded.pid !== report) process.stdout.write(`${(report = embedded.pid)}\n`)
}, 10)
process.on('SIGUSR2', () => process.exit(1))
process.once('SIGTERM', () => {
  clearInterval(tell)
  void embedded.stop()
})

// The control: the LangGraph server of npm, which keeps its runs in memory. Told a folder for its files and how many runs
// it works at at once; says its address.
import { startServer } from '@langchain/langgraph-api/server'

const [, , folder, slots] = process.argv
const graph = new URL('no-op-graph.mjs', import.meta.url).pathname
const { host } = await startServer({
  port: 0,
  host: '127.0.0.1',
  cwd: folder,
  nWorkers: Number(slots),
  graphs: { no_op: `${graph}:graph` },
})
process.stdout.write(`at http://${host}\n`)

/** Milliseconds of processor time that it takes: a machine that is busy with others makes it wait, not work. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** The least of several times; fewer when the first is quick. */
export async function leastCpuMs(
  work: () => unknown,
  { enoughMs, tries = 4 }: { enoughMs: number; tries?: number },
): Promise<number> {
  let least = Infinity
  for (let n = 0; n < tries && least > enoughMs; n++) least = Math.min(least, await cpuMs(work))
  return least
}

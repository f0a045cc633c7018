const red = (text: string) => `\\033[31m${text}\\033[0m`
const green = (text: string) => `\\033[32m${text}\\033[0m`
const dim = (text: string) => `\\033[2m${text}\\033[0m`
/** What the commands of the pictures print, by the name of the file that they run. */
export const checks: Record<string, { lines: string[]; exit?: number; seconds?: number; isEndless?: boolean }> = {
  'routes.sh': { lines: [green('✔ GET /export'), green('✔ GET /export/{month}'), green('✔ POST /export')], seconds: 2 },
  'generate.sh': {
    lines: [
      '> ledger@4.12.0 generate',
      red('npm error code EAI_AGAIN'),
      red('npm error fonts.example: name not known'),
    ],
    exit: 1,
    seconds: 2,
  },
  'search.sh': {
    lines: ['\\033[35msrc/invoice/total.ts\\033[0m', `${green('12')}: export function lineTotal(line: Line): number {`],
    seconds: 1,
  },
  'discount.sh': {
    lines: [
      dim('> ledger@4.12.0 test'),
      red('✖ 15 % of 39.95 leaves 33.96'),
      red('✖ 5 % of 20.30 leaves 19.29'),
      green('✔ no discount leaves the price alone'),
    ],
    exit: 1,
    seconds: 3,
  },
  'invoice.sh': {
    lines: [green('✔ invoice/discount') + dim(' 6 tests (48ms)'), green('✔ invoice/tax') + dim(' 11 tests (92ms)')],
    seconds: 4,
  },
  'all.sh': { lines: [green('✔ invoice/case $n') + dim('  8 tests (51ms)')], isEndless: true },
}

/** Such a file, for sh. */
export function scriptOf({ lines, exit = 0, seconds = 0, isEndless = false }: (typeof checks)[string]): string {
  const print = lines.map((line) => `printf '%b\\n' "${line}"`).join('\n')
  if (isEndless) return `n=0\nwhile true; do\nn=$((n + 1))\n${print}\nsleep 3\ndone\n`
  return `sleep ${seconds}\n${print}\nexit ${exit}\n`
}

/** "0.4 s", "4.6 s", "1 min 48 s", "2 h 5 min". */
export function formatDuration(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`
}

/** "0:48", "10:10", "1:02:03". */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60), seconds % 60]
  const end = String(rest).padStart(2, '0')
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${end}` : `${minutes}:${end}`
}

/** Small amounts keep enough digits to differ from zero. */
export function formatDollars(usd: number): string {
  if (usd > 0 && usd < 0.01) return `$${usd.toFixed(4)}`
  return `$${usd.toFixed(2)}`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`
}

export const formatCount = (count: number): string => count.toLocaleString('en')

/** "1 run", "2,000 runs"; the plural is named where it is not the word with an "s". */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

/** "950 tokens", "12k tokens", "3.4M tokens". */
export function formatTokens(count: number): string {
  if (count < 1_000) return countOf(count, 'token')
  if (count < 1_000_000) return `${Math.round(count / 1_000)}k tokens`
  return `${(count / 1_000_000).toFixed(1)}M tokens`
}

type Usage = { input_tokens: number; output_tokens: number; cost_usd: number | null }

/** What a run cost; the tokens where no price is known, and nothing where none were used. */
export function formatSpent({ input_tokens: input, output_tokens: output, cost_usd: usd }: Usage): string {
  if (usd !== null) return formatDollars(usd)
  return input + output ? formatTokens(input + output) : ''
}

/** "just now", "4 min ago", "3 h ago", and after a day the date and time. */
export function formatAgo(at: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`
  return formatTime(at)
}

/** Date and time as the browser's language writes them; the year only where it is not this one. */
export function formatTime(at: string): string {
  return new Date(at).toLocaleString(undefined, { ...dayParts(at), hour: '2-digit', minute: '2-digit' })
}

export function formatDay(at: string): string {
  return new Date(at).toLocaleDateString(undefined, dayParts(at))
}

/** In full and with the time zone, for tooltips. */
export function formatZoned(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })
}

/** To the millisecond, for the entry that is selected. */
export function formatExactly(at: string): string {
  return new Date(at).toLocaleTimeString(undefined, {
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  })
}

function dayParts(at: string): Intl.DateTimeFormatOptions {
  const isThisYear = new Date(at).getFullYear() === new Date().getFullYear()
  return { day: 'numeric', month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) }
}

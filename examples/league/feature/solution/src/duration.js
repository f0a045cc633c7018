/** Seconds as people write them: `1h 30m`, `45s`, `0s`. */
export function formatDuration(seconds) {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
    [seconds % 60, 's'],
  ]
  return parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`).join(' ') || '0s'
}

/** Seconds of a duration that `formatDuration` has written, or a person. Throws a `RangeError`. */
export function parseDuration(text) {
  const found = /^(?:(\d+)h)? *(?:(\d+)m)? *(?:(\d+)s)?$/.exec(text)
  if (!found || found.slice(1).every((part) => part === undefined)) throw new RangeError(`"${text}" is no duration.`)
  const [hours, minutes, seconds] = found.slice(1).map((part = '0') => Number(part))
  return hours * 3600 + minutes * 60 + seconds
}

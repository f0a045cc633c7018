/** Seconds as people write them: `1h 30m`, `45s`, `0s`. */
export function formatDuration(seconds) {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
    [seconds % 60, 's'],
  ]
  return parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`).join(' ') || '0s'
}

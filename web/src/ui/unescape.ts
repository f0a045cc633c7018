const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** In Markdown the few characters that HTML knows may be written by their names. */
export function unescape(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => characters[name] ?? whole)
}

const key = 'theme'

/** What somebody has chosen here before; else the page is as the system wishes. */
export function applyTheme(): void {
  const chosen = localStorage.getItem(key)
  if (chosen) document.documentElement.dataset.theme = chosen
}

export function switchTheme(): void {
  const { dataset } = document.documentElement
  const isDark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  dataset.theme = isDark ? 'light' : 'dark'
  localStorage.setItem(key, dataset.theme)
}

import type { BrowserContextOptions } from 'playwright-core'

export type Look = 'light' | 'dark' | 'narrow' | 'phone'

/** `narrow`: half of a wide screen, or a tablet. */
export const looks: Record<Look, BrowserContextOptions> = {
  light: { viewport: { width: 1280, height: 860 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
  narrow: { viewport: { width: 900, height: 860 }, colorScheme: 'light' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true, isMobile: true },
}

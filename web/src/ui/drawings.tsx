import type { ReactNode } from 'react'

/** Drawn on a grid of 16, with a stroke of 1.5. */
export const drawings = {
  arrowdown: <path d="M8 2.5v11M3.5 9L8 13.5 12.5 9" />,
  back: <path d="M10 3.5L5.5 8 10 12.5" />,
  box: <path d="M8 1.9l5.25 2.85v6.5L8 14.1l-5.25-2.85v-6.5zM2.9 4.9L8 7.6l5.1-2.7M8 7.6v6.3" />,
  branch: (
    <>
      <circle cx="4.5" cy="3.75" r="1.5" />
      <circle cx="4.5" cy="12.25" r="1.5" />
      <circle cx="11.5" cy="4.75" r="1.5" />
      <path d="M4.5 5.5v5M11.5 6.5c0 2.5-3 2.5-7 3.5" />
    </>
  ),
  check: <path d="M3 8.5l3.25 3.25L13 4.75" />,
  chev: <path d="M6 3.5L10.5 8 6 12.5" />,
  child: <path d="M3.5 2.5v6a3 3 0 0 0 3 3H12M9.5 9l2.5 2.5L9.5 14" />,
  clock: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 4.75V8l2.25 1.5" />
    </>
  ),
  coin: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M9.9 6.2C9.5 5.5 8.8 5.25 8 5.25c-1 0-1.9.45-1.9 1.35 0 2 3.9.8 3.9 2.8 0 .95-.95 1.4-2 1.4-.9 0-1.7-.35-2-1.1M8 4.25v7.5" />
    </>
  ),
  commit: (
    <>
      <circle cx="8" cy="8" r="2.75" />
      <path d="M1.5 8h3.5M11 8h3.5" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5v-1A1.5 1.5 0 0 0 9 3H4A1.5 1.5 0 0 0 2.5 4.5v5A1.5 1.5 0 0 0 4 11h1.5" />
    </>
  ),
  diff: <path d="M8 3v6M5 6h6M5 13h6" />,
  down: <path d="M3.5 6L8 10.5 12.5 6" />,
  download: <path d="M8 2.5v8M4.5 7.5L8 11l3.5-3.5M3 13.5h10" />,
  engine: (
    <>
      <rect x="4.5" y="4.5" width="7" height="7" rx="1.5" />
      <path d="M6.5 2v2.5M9.5 2v2.5M6.5 11.5V14M9.5 11.5V14M2 6.5h2.5M2 9.5h2.5M11.5 6.5H14M11.5 9.5H14" />
    </>
  ),
  error: (
    <>
      <path d="M5.3 2h5.4L14 5.3v5.4L10.7 14H5.3L2 10.7V5.3z" />
      <path d="M8 5v3.5M8 11v.01" />
    </>
  ),
  file: <path d="M4 2h5l3.5 3.5V14H4zM9 2v3.5h3.5" />,
  flag: <path d="M3.5 14V2.5h8.5l-2 3.25 2 3.25H3.5" />,
  help: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M6.4 6.4c.2-1.9 3.3-1.8 3.2.1C9.5 7.65 8 7.7 8 9M8 11.2v.01" />
    </>
  ),
  image: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <circle cx="5.5" cy="6.5" r="1" />
      <path d="M2.5 12l4-3.5 2.5 2 2.25-2L14 11" />
    </>
  ),
  key: (
    <>
      <circle cx="5.25" cy="10.75" r="2.75" />
      <path d="M7.25 8.75L13 3M10.5 5.5l2 2" />
    </>
  ),
  link: (
    <path d="M6.5 9.5l3-3M7 4.5l1.25-1.25a3 3 0 0 1 4.25 4.25L11.25 8.75M9 11.5l-1.25 1.25a3 3 0 0 1-4.25-4.25L4.75 7.25" />
  ),
  list: <path d="M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01" />,
  moon: <path d="M13.5 9.5A5.75 5.75 0 0 1 6.5 2.5a5.75 5.75 0 1 0 7 7z" />,
  offline: (
    <path d="M2.5 2.5l11 11M5.3 8.7A4 4 0 0 1 8 7.75M10 8.2c.4.15.75.35 1 .6M2.75 6.25A8 8 0 0 1 5 4.8M7.25 4.05a8 8 0 0 1 6 2.2M8 12v.01" />
  ),
  pause: <path d="M5.5 3.5v9M10.5 3.5v9" />,
  pen: <path d="M3 13l.6-2.9L10.7 3l2.3 2.3-7.1 7.1z" />,
  plan: <path d="M2.5 4.25l1 1 1.75-2M2.5 8.75l1 1 1.75-2M8 4.5h5.5M8 9h5.5M3 13h10.5" />,
  plus: <path d="M8 3v10M3 8h10" />,
  pr: (
    <>
      <circle cx="4" cy="3.75" r="1.5" />
      <circle cx="4" cy="12.25" r="1.5" />
      <circle cx="12" cy="12.25" r="1.5" />
      <path d="M4 5.5v5M12 10.5V7a2.5 2.5 0 0 0-2.5-2.5H8M9.75 2.5l-2 2 2 2" />
    </>
  ),
  question: (
    <>
      <path d="M8 1.75L14.25 8 8 14.25 1.75 8z" />
      <path d="M6.7 6.7c.2-1.6 2.7-1.5 2.6.1C9.25 7.75 8 7.8 8 8.9M8 10.9v.01" />
    </>
  ),
  repo: <path d="M3 12.5V3.5A1.5 1.5 0 0 1 4.5 2H13v9H4.5A1.5 1.5 0 0 0 3 12.5zm0 0A1.5 1.5 0 0 0 4.5 14H13v-3" />,
  runs: (
    <>
      <path d="M2.5 4h5M2.5 8h8M2.5 12h4" />
      <path d="M11 11.5l2.5 1.5-2.5 1.5z" fill="currentColor" strokeWidth="1" />
      <path d="M10 4h3.5" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="M10.25 10.25L13.75 13.75" />
    </>
  ),
  sliders: <path d="M4.5 2.5v4M4.5 9.5v4M11.5 2.5v2M11.5 7.5v6M3 8h3M10 6h3" />,
  stop: <rect x="4" y="4" width="8" height="8" rx="1" />,
  terminal: <path d="M3 5l3 3-3 3M8 11.5h5" />,
  trash: <path d="M2.5 4.5h11M6 4.5V2.75h4V4.5M4 4.5l.6 9h6.8l.6-9M6.75 7v4M9.25 7v4" />,
  updown: <path d="M5 6l3-3 3 3M5 10l3 3 3-3" />,
  users: (
    <>
      <circle cx="6" cy="5.5" r="2.5" />
      <path d="M1.5 13c.4-2.5 2-3.75 4.5-3.75S10.1 10.5 10.5 13M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12.25 9.7c1.2.6 1.95 1.7 2.25 3.3" />
    </>
  ),
  x: <path d="M4 4l8 8M12 4l-8 8" />,
} satisfies Record<string, ReactNode>

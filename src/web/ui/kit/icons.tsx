/** SVG paths of stroked icons in a box of 24 by 24. */
const PATHS = {
  add: 'M12 5v14M5 12h14',
  chevron: 'M6 9l6 6 6-6',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  download: 'M12 4v11m0 0l-4.5-4.5M12 15l4.5-4.5M5 20h14',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zM10 21.5h4',
  bellOff: 'M6 17V11a6 6 0 0 1 9-5.2M18 10v7l1.5 2H8M10 21.5h4M4 4l16 16',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3.5V7M16 3.5V7',
  at: 'M15.5 12a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zm0 0v1.5a2.5 2.5 0 0 0 5 0V12a8.5 8.5 0 1 0-3.4 6.8',
  unread: 'M20 10.5V16H10l-5 4v-4H4V5h9.5M19 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  friends:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6' +
    'M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3.2 2.7 3.5 5.5',
  gear:
    'M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM19 12a7 7 0 0 0-.1-1.2l2-1.6-2-3.4-2.4 1a7 7 0 0 0-2-1.2L14 3h-4' +
    'l-.5 2.6a7 7 0 0 0-2 1.2l-2.4-1-2 3.4 2 1.6a7 7 0 0 0 0 2.4l-2 1.6 2 3.4 2.4-1a7 7 0 0 0 2 1.2L10 21h4' +
    'l.5-2.6a7 7 0 0 0 2-1.2l2.4 1 2-3.4-2-1.6c.1-.4.1-.8.1-1.2z',
  hash: 'M9.5 4L7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16',
  hide:
    'M3 12c2.5-4.5 5.5-6.5 9-6.5s6.5 2 9 6.5c-2.5 4.5-5.5 6.5-9 6.5S5.5 16.5 3 12z' +
    'M12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM4 4l16 16',
  invite: 'M10 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M19 7v6M16 10h6',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  leave: 'M14 4h5v16h-5M4 12h11m0 0l-4-4m4 4l-4 4',
  members: 'M12 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM5 20c.5-4 3.5-6 7-6s6.5 2 7 6',
  archive: 'M3 4h18v5H3zM5 9v11h14V9M10 13h4',
  lock: 'M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3',
  menu: 'M4 7h16M4 12h16M4 17h16',
  message: 'M4 5h16v11H10l-5 4v-4H4z',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  next: 'M9 5l7 7-7 7',
  open: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  pin: 'M9 4h6l-1 6 4 4H6l4-4zM12 14v6',
  plusCircle: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 8v8M8 12h8',
  previous: 'M15 5l-7 7 7 7',
  react: 'M20.5 10a8.5 8.5 0 1 1-6-6M9 10v.01M15 10v.01M8.5 14c1.8 2.6 5.2 2.6 7 0M18.5 2.5v6M15.5 5.5h6',
  reply: 'M9 7L4 12l5 5M4 12h9c4 0 6.5 2 7 6',
  forward: 'M15 7l5 5-5 5M20 12h-9c-4 0-6.5 2-7 6',
  select: 'M4 5h16v14H4zM8 12l3 3 5-6',
  send: 'M5 12L4 4l17 8-17 8zM5 12h8',
  smile: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 10v.01M15 10v.01M8.5 14c1.8 2.6 5.2 2.6 7 0',
  thread: 'M4 5h16v11H10l-5 4v-4H4zM8 9h8M8 12.5h5',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  zoomIn: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5M11 8v6M8 11h6',
  zoomOut: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5M8 11h6',
  deaf: 'M4 15v-3a8 8 0 0 1 14-5.3M20 12v3M4 15a2 2 0 0 0 4 0v-1a2 2 0 0 0-4 0zM16 15a2 2 0 0 0 4 0v-1M4 4l16 16',
  undeaf: 'M4 15v-3a8 8 0 0 1 16 0v3M4 15a2 2 0 0 0 4 0v-1a2 2 0 0 0-4 0zM16 15a2 2 0 0 0 4 0v-1a2 2 0 0 0-4 0z',
  hangUp: 'M3 14.5c5-4.6 13-4.6 18 0l-2.2 2.7-3.8-1.7v-2.6c-2-.6-4-.6-6 0v2.6l-3.8 1.7z',
  phone:
    'M6.5 4h3l1.5 4-2 1.5a11 11 0 0 0 5.5 5.5l1.5-2 4 1.5v3a2 2 0 0 1-2.2 2C10.5 19 5 13.5 4.5 6.2A2 2 0 0 1 6.5 4z',
  mic: 'M12 14a3 3 0 0 0 3-3V6a3 3 0 0 0-6 0v5a3 3 0 0 0 3 3zM6 11a6 6 0 0 0 12 0M12 17v3.5',
  micOff:
    'M9 9v2a3 3 0 0 0 4.8 2.4M15 10V6a3 3 0 0 0-5.7-1.3M6 11a6 6 0 0 0 9.8 4.6M18 11c0 .8-.1 1.5-.4 2.2M12 17v3.5' +
    'M4 4l16 16',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5',
  screen: 'M4 5h16v11H4zM9 20h6M12 16v4M12 13V8.5m0 0L9.8 10.7M12 8.5l2.2 2.2',
  voice: 'M4 10v4h3l5 4V6L7 10zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
} as const

export type IconName = keyof typeof PATHS

/** An icon, hidden from screen readers: its meaning stands beside it or in the button's label. */
export const Icon = ({ name, size = 20 }: { name: IconName; size?: number }) => (
  <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
)

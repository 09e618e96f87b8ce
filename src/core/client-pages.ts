/** Paths that the client routes. All answer with the same page. */
export const CLIENT_PAGES = [
  '/',
  '/login',
  '/register',
  '/forgot',
  '/reset',
  '/verify',
  '/claim',
  '/invite/:code',
  '/apps/:application_id',
  '/app',
  '/app/*',
  '/c/*',
  '/operator',
  '/operator/:section',
]

const FIRST_SEGMENTS = new Set(CLIENT_PAGES.map((path) => path.split('/')[1]))

/** True if the client shows this path; the server prints public pages of servers itself. */
export const isClientPage = (path: string): boolean => FIRST_SEGMENTS.has(path.split('/')[1])

import { count, digits, inLanguage } from './plural.ts'

/** Words for the search of messages, which is loaded when it is first opened. */
export const searchWords = inLanguage('search', {
  title: 'Search',
  field: 'Search messages',
  hint: 'Words, "phrases", -words, or a filter',
  where: 'Where to search',
  everywhere: 'Everywhere',
  clear: 'Clear the search',
  searching: 'Searching…',
  found: (n: number, more: boolean) =>
    n === 0 ? 'Nothing found.' : more ? `${digits(n)} or more messages` : count(n, '# message', '# messages'),
  nothing: 'No message fits',
  nothingText: 'Try fewer or other words, or search everywhere.',
  start: 'Results show the newest messages first. Only what you can read is searched.',
  suggestions: 'Filters',
  jump: (author: string, place: string) => `Go to the message of ${author} in ${place}`,
  twice: (filter: string) => `“${filter}” can be given only once.`,
  unknown: {
    from: (name: string) => `Nobody is known here as “${name}”.`,
    mentions: (name: string) => `Nobody is known here as “${name}”.`,
    in: (name: string) => `There is no channel “${name}” that you can see.`,
    has: (name: string) => `Messages have a link, file, image or embed, but no “${name}”.`,
    pinned: (name: string) => `Pinned is true or false, but not “${name}”.`,
    before: (name: string) => `“${name}” is no date. Write it as 2026-01-31.`,
    after: (name: string) => `“${name}” is no date. Write it as 2026-01-31.`,
  },
  filters: {
    from: 'written by somebody',
    in: 'in a channel',
    has: 'link, file, image or embed',
    mentions: 'mentioning somebody',
    before: 'before a date',
    after: 'on a date or later',
    pinned: 'true or false',
  },
})

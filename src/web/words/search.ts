// Printed from locales/en/search.json. After a change there: bun run words
import { count, digits, inLanguage } from './plural.ts'

/** Words for the search of messages, which is loaded when it is first opened. */
export const searchWords = inLanguage('search', {
  title: 'Search',
  field: 'Search messages',
  hint: 'Words, "phrases", -words, or a filter',
  where: 'Where to search',
  everywhere: 'Everywhere',
  clear: 'Clear search',
  searching: 'Searching…',
  found: ({ n, hasMore }: { n: number; hasMore: boolean }) =>
    n === 0 ? 'Nothing found.' : hasMore ? `${digits(n)} or more messages` : count(n, '# message', '# messages'),
  nothing: 'No messages found',
  nothingText: 'Try fewer or other words, or search everywhere.',
  start: 'Results show the newest messages first. Only what you can read is searched.',
  suggestions: 'Filters',
  jump: ({ author, place }: { author: string; place: string }) => `Go to the message from ${author} in ${place}`,
  twice: (filter: string) => `“${filter}” can be used only once.`,
  unknown: {
    from: (name: string) => `Nobody here is called “${name}”.`,
    mentions: (name: string) => `Nobody here is called “${name}”.`,
    in: (name: string) => `There is no channel “${name}” that you can see.`,
    has: (name: string) => `Use link, file, image or embed instead of “${name}”.`,
    pinned: (name: string) => `Use true or false instead of “${name}”.`,
    before: (name: string) => `“${name}” is not a date. Write it like 2026-01-31.`,
    after: (name: string) => `“${name}” is not a date. Write it like 2026-01-31.`,
  },
  filters: {
    from: 'sent by someone',
    in: 'in a channel',
    has: 'link, file, image or embed',
    mentions: 'mentions someone',
    before: 'before a date',
    after: 'on or after a date',
    pinned: 'true or false',
  },
})

// Printed from locales/en/threads.json. After a change there: bun run words
import { count, type Words } from './plural.ts'

/** Words for threads. */
export const threadWords = {
  threads: {
    show: (isLively: boolean): string => (isLively ? 'Threads, with new messages' : 'Threads'),
    open: 'Open the thread',
    archived: 'Archived',
    panel: (name: string) => `Thread ${name}`,
    messages: (n: number) => (n === 0 ? 'no messages yet' : count(n, '# message', '# messages')),
    lockedHint: 'This thread is locked.',
  },
} satisfies Words

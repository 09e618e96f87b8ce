// Printed from locales/en/threads.json. After a change there: bun run words
import { count, type Words } from './plural.ts'

/** Words for threads. */
export const threadWords = {
  threads: {
    title: 'Threads',
    show: (isLively: boolean): string => (isLively ? 'Threads, with new messages' : 'Threads'),
    begin: 'Start a thread',
    open: 'Open the thread',
    archived: 'Archived',
    close: 'Close the thread',
    panel: (name: string) => `Thread ${name}`,
    messages: (n: number) => (n === 0 ? 'no messages yet' : count(n, '# message', '# messages')),
    follow: 'Follow',
    unfollow: 'Following',
    followHint: 'Its messages count as unread',
    actions: 'Thread actions',
    rename: 'Rename',
    settings: 'Thread settings',
    link: 'Copy link to thread',
    archive: 'Archive',
    bringBack: 'Unarchive',
    lock: 'Lock',
    unlock: 'Unlock',
    locked: 'locked',
    lockedHint: 'This thread is locked.',
    archivedHint: 'This thread is archived. A new message brings it back.',
    delete: 'Delete thread',
    deleteText: 'This deletes the thread with its messages and files for everyone.',
    answer: 'Mark as the answer',
    noAnswer: 'No longer the answer',
  },
} satisfies Words

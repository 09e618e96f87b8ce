import { count } from './plural.ts'

/** Words for threads. */
export const threadWords = {
  threads: {
    title: 'Threads',
    /** The button of the list, with its quiet sign of life. */
    show: (isLively: boolean): string => (isLively ? 'Threads, with new messages' : 'Threads'),
    begin: 'Begin a thread',
    open: 'Open the thread',
    archived: 'Archived',
    close: 'Close the thread',
    panel: (name: string) => `Thread ${name}`,
    messages: (n: number) => (n === 0 ? 'no messages yet' : count(n, '# message', '# messages')),
    follow: 'Follow',
    unfollow: 'Following',
    followHint: 'Its messages count as unread',
    actions: 'What can be done with the thread',
    rename: 'Rename',
    settings: 'Thread settings',
    link: 'Copy a link to the thread',
    archive: 'Archive',
    bringBack: 'Bring back from the archive',
    lock: 'Lock',
    unlock: 'Unlock',
    locked: 'locked',
    lockedHint: 'This thread is locked.',
    archivedHint: 'This thread is archived. A message brings it back.',
    delete: 'Delete thread',
    deleteText: 'This deletes the thread with its messages and files for everyone.',
  },
}

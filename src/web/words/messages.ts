import { count } from './plural.ts'

const andList = (names: string[]): string =>
  names.length > 3 ? 'Several people' : names.join(', ').replace(/, ([^,]*)$/, ' and $1')

/** Words for messages, files and conversations. */
export const messageWords = {
  messages: {
    list: (place: string) => `Messages in ${place}`,
    beginning: 'This is the beginning of the channel.',
    new: 'New',
    newAbove: 'New messages above',
    toNewest: 'Jump to the newest messages',
    failed: 'These messages could not be loaded. Scroll to try again.',
    edited: '(edited)',
    sending: 'sending…',
    refused: 'Not sent:',
    retry: 'Try again',
    giveUp: 'Delete',
    actions: 'Message actions',
    reply: 'Reply',
    replyTo: 'Replying to',
    gone: 'The original message was deleted',
    edit: 'Edit message',
    editHint: 'Enter saves, Escape cancels',
    delete: 'Delete message',
    discard: 'Discard your changes?',
    discardText: 'The message stays as it was.',
    discardEdit: 'Discard changes',
    deleteText: 'This deletes the message and its files for everyone.',
  },
  composer: {
    to: (place: string) => `Message ${place}`,
    send: 'Send',
    mention: 'People to mention',
    mayNot: 'You can read this channel but not write in it.',
    timedOut: (time: string) => `You are timed out until ${time}. You can read, but not write.`,
    blocked: 'You have blocked this person. Unblock them to write.',
  },
  files: {
    add: 'Add files',
    drop: 'Drop files here',
    tooMany: (n: number) => `A message takes at most 10 files: ${count(n, 'file')} left out.`,
    waiting: 'This message is sent when its files are uploaded.',
    unnamed: 'file',
    interrupted: 'The upload was interrupted.',
    open: (name: string) => `Open ${name}`,
    remove: (name: string) => `Remove ${name}`,
    progress: (name: string) => `Uploading ${name}`,
    download: 'Download',
    count: (n: number) => count(n, 'file'),
  },
  direct: {
    list: 'Direct messages',
    none: 'No conversations yet. Find people under Friends.',
    beginning: 'This is the beginning of your conversation.',
    hide: (name: string) => `Hide the conversation with ${name}`,
    write: (name: string) => `Write to ${name}`,
    read: 'Read',
  },
  typing: (names: string[]) =>
    names.length === 0 ? '' : `${andList(names)} ${names.length === 1 ? 'is' : 'are'} typing…`,
}

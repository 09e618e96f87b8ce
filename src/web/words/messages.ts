import { count, spanOf } from './plural.ts'

const andList = (names: string[]): string =>
  names.length > 3 ? 'Several people' : names.join(', ').replace(/, ([^,]*)$/, ' and $1')

/** Words for messages, files and conversations. */
export const messageWords = {
  messages: {
    list: (place: string) => `Messages in ${place}`,
    beginnings: {
      channel: 'This is the beginning of the channel.',
      dm: 'This is the beginning of your conversation.',
      group: 'This is the beginning of the group.',
      thread: 'This is the beginning of the thread.',
    },
    one: 'message',
    spoiler: 'Spoiler: show it',
    copyCode: 'Copy code',
    codeCopied: 'The code is copied.',
    copyText: 'Copy text',
    textCopied: 'The text is copied.',
    link: 'Copy link to message',
    linked: 'The link is copied.',
    fromBlocked: 'A message of somebody whom you have blocked.',
    show: 'Show it',
    new: 'New',
    newAbove: 'New messages above',
    toNewest: 'Jump to the newest messages',
    failed: 'These messages could not be loaded. Scroll to try again.',
    edited: '(edited)',
    sending: 'sending…',
    refused: 'Not sent:',
    retry: 'Try again',
    giveUp: 'Delete',
    keys: {
      reply: 'Reply',
      react: 'Add a reaction',
      thread: 'Begin a thread',
      edit: 'Edit your message',
      pin: 'Pin or unpin',
      forward: 'Forward',
      delete: 'Delete message',
    } as Record<string, string>,
    actions: 'Message actions',
    more: 'More actions',
    reply: 'Reply',
    replyTo: 'Replying to',
    gone: 'The original message was deleted',
    edit: 'Edit message',
    editHint: 'Enter saves, Escape cancels',
    delete: 'Delete message',
    discard: 'Discard your changes?',
    discardText: 'The message stays as it was.',
    discardEdit: 'Discard changes',
    select: 'Select messages',
    selectThis: 'Select this message',
    selected: (n: number) => `${count(n, 'message')} selected`,
    deleteSelected: (n: number) => `Delete ${count(n, 'message')}`,
    deleteText: 'This deletes the message and its files for everyone.',
    hidePreviews: 'Remove previews',
    hidePreviewsText: 'The links stay. Their previews disappear for everyone.',
    previews: 'Previews of links',
    openPicture: (host: string) => `Picture from ${host}, opens in a new tab`,
    video: 'Video',
  },
  /** What messages of other kinds than `default` tell. */
  notices: {
    call: (who: string, seconds: number) => {
      const length = seconds < 60 ? 'less than a minute' : spanOf(Math.round(seconds / 60) * 60)
      return `${who} started a call that lasted ${length}.`
    },
    missed: (who: string) => `You missed a call from ${who}.`,
    unanswered: 'Nobody answered your call.',
    recipient_added: (who: string, whom: string) => `${who} added ${whom} to the group.`,
    recipient_removed: (who: string, whom: string) => `${who} removed ${whom} from the group.`,
    left: (who: string) => `${who} left the group.`,
    renamed: (who: string, name: string) => `${who} named the group ${name}.`,
    unnamed: (who: string) => `${who} removed the name of the group.`,
    member_joined: (who: string) => `${who} joined the server.`,
    pinned: (who: string) => `${who} pinned a message.`,
    thread_created: (who: string, name: string) => `${who} began the thread ${name}.`,
  },
  retention: {
    pruned: 'Older messages have been deleted.',
    line: (message_days: number | undefined, file_days: number | undefined) =>
      [
        message_days === undefined ? '' : `Messages are deleted after ${count(message_days, 'day')}.`,
        file_days === undefined ? '' : `Files are deleted after ${count(file_days, 'day')}.`,
      ]
        .filter(Boolean)
        .join(' '),
  },
  forward: {
    title: 'Forward',
    forwarded: 'Forwarded',
    original: 'Go to the original',
  },
  composer: {
    wait: (seconds: number) => `Slowmode: you can write again in ${count(seconds, 'second')}.`,
    slowmode: (seconds: number) =>
      `Slowmode is on: one message every ${seconds < 60 ? count(seconds, 'second') : spanOf(seconds)}.`,
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
    downloadOne: (name: string) => `Download ${name}`,
    spoiler: 'Spoiler',
    reveal: 'Spoiler: show the file',
    mark: (name: string) => `Mark ${name} as a spoiler`,
    count: (n: number) => count(n, 'file'),
  },
  viewer: {
    previous: 'Previous picture',
    next: 'Next picture',
    whole: 'Show the whole picture',
    larger: 'Enlarge',
    smaller: 'Make smaller',
  },
  direct: {
    list: 'Direct messages',
    none: 'No conversations yet. Find people under Friends.',
    cannot: 'This person does not take messages from you.',
    hide: (name: string) => `Hide the conversation with ${name}`,
    write: (name: string) => `Write to ${name}`,
    read: 'Read',
  },
  groups: {
    new: 'New conversation',
    add: 'Add people',
    settings: 'Group settings',
    people: (n: number) => count(n, 'person', 'people'),
  },
  typing: (names: string[]) =>
    names.length === 0 ? '' : `${andList(names)} ${names.length === 1 ? 'is' : 'are'} typing…`,
}

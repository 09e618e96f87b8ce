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
    deleteText: 'This deletes the message and its files for everyone.',
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
    field: 'Delete old messages',
    save: 'Save retention',
    confirm: 'Delete old messages',
    warning: (days: number) =>
      `This deletes messages older than ${count(days, 'day')}, with their files, for everyone and for good.`,
    choice: (days: number) => `After ${count(days, 'day')}`,
    never: 'Never',
    noSooner: 'No sooner',
    outer: (days: number) => `In any case, messages are deleted after ${count(days, 'day')}.`,
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
    cannot: 'This person does not take messages from you.',
    hide: (name: string) => `Hide the conversation with ${name}`,
    write: (name: string) => `Write to ${name}`,
    read: 'Read',
  },
  groups: {
    new: 'New conversation',
    newHint: 'Choose one friend for a conversation, or up to nine for a group.',
    open: 'Open',
    create: (people: number) => `Make a group of ${people}`,
    add: 'Add people',
    history: 'Whoever is added sees everything that was written here before.',
    noFriends: 'There are no friends to choose. Find people under Friends.',
    cannot: 'A group takes friends of yours alone, and nobody beside somebody who blocks them.',
    ownerAdds: 'Only the owner adds somebody who has left the group.',
    settings: 'Group settings',
    name: 'Group name',
    nameHint: 'Without a name, the group goes by its people.',
    people: (n: number) => count(n, 'person', 'people'),
    remove: (name: string) => `Remove ${name} from the group`,
    leave: 'Leave the group',
    leaveText: (name: string) => `You leave ${name}. Only its owner can add you again.`,
  },
  typing: (names: string[]) =>
    names.length === 0 ? '' : `${andList(names)} ${names.length === 1 ? 'is' : 'are'} typing…`,
}

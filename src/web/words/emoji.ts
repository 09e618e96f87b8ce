import { count } from './plural.ts'

/** The words for people who reacted: as many names as are known, and how many more. */
const andOthers = (names: string[], more: number): string => {
  const all = more > 0 ? [...names, count(more, 'other')] : names
  return all.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

/** Words for reactions, pins and emoji. */
export const emojiWords = {
  reactions: {
    bar: 'Reactions',
    add: 'Add a reaction',
    react: (emoji: string) => `React with ${emoji}`,
    one: (emoji: string, n: number, mine: boolean) =>
      `${emoji}: ${count(n, 'reaction')}${mine ? ', one of them yours' : ''}`,
    by: (names: string[], more: number, emoji: string) => `${andOthers(names, more)} reacted with ${emoji}`,
    tooMany: 'This message has twenty different reactions already.',
    refused: 'That reaction did not work.',
    all: 'All',
  },
  pins: {
    title: 'Pinned messages',
    pin: 'Pin message',
    unpin: 'Unpin message',
    unpinText: 'The message stays where it is.',
    pinned: 'Pinned',
    show: 'See it',
    showAll: 'See all pinned messages',
  },
  emoji: {
    insert: 'Insert an emoji',
    suggestions: 'Emoji to insert',
    add: 'Add emoji',
  },
}

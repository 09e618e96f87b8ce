// Printed from locales/en/emoji.json. After a change there: bun run words
import { count, listOf, type Words } from './plural.ts'

/** Words for reactions, pins and emoji. */
export const emojiWords = {
  reactions: {
    bar: 'Reactions',
    add: 'Add a reaction',
    react: (emoji: string) => `React with ${emoji}`,
    one: ({ emoji, n, isMine }: { emoji: string; n: number; isMine: boolean }) =>
      `${emoji}: ${count(n, '# reaction', '# reactions')}${isMine ? ', including yours' : ''}`,
    by: ({ names, emoji }: { names: string[]; emoji: string }) => `${listOf(names)} reacted with ${emoji}`,
    others: (n: number) => count(n, '# other', '# others'),
    tooMany: 'This message already has 20 different reactions.',
    refused: 'Your reaction could not be saved.',
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
    suggestions: 'Emoji suggestions',
    add: 'Add emoji',
  },
} satisfies Words

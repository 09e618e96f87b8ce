import { count } from './plural.ts'

/** Names of the groups of emoji, in Unicode's order; that of skin tones is not shown. */
const groups = [
  'Smileys and emotion',
  'People and body',
  'Components',
  'Animals and nature',
  'Food and drink',
  'Travel and places',
  'Activities',
  'Objects',
  'Symbols',
  'Flags',
]

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
    who: (emoji: string) => `Who reacted with ${emoji}`,
    by: (names: string[], more: number, emoji: string) => `${andOthers(names, more)} reacted with ${emoji}`,
    tooMany: 'This message has twenty different reactions already.',
    refused: 'That reaction did not work.',
    clear: 'Remove all reactions',
    clearText: 'This removes everyone’s reactions to the message.',
    all: 'All',
  },
  pins: {
    title: 'Pinned messages',
    none: 'Nothing is pinned here yet.',
    pin: 'Pin message',
    unpin: 'Unpin message',
    unpinText: 'The message stays where it is.',
    jump: 'Show in the channel',
    pinned: 'Pinned',
    show: 'See it',
    showAll: 'See all pinned messages',
  },
  emoji: {
    picker: 'Choose an emoji',
    insert: 'Insert an emoji',
    search: 'Search emoji',
    recent: 'Used lately',
    found: 'Found',
    none: 'No emoji has such a name.',
    tone: 'Skin tone',
    tones: ['No skin tone', 'Light', 'Medium light', 'Medium', 'Medium dark', 'Dark'],
    groups,
    suggestions: 'Emoji to insert',
    tab: 'Emoji',
    hint: 'PNG, WebP, GIF or AVIF of at most 256 KiB. Pictures are made smaller, and stand still.',
    upload: 'Upload a picture',
    name: 'Name of the emoji',
    nameHint: '2 to 32 of a–z, 0–9 and _',
    add: 'Add emoji',
    rename: (name: string) => `Rename ${name}`,
    delete: (name: string) => `Delete ${name}`,
    deleteText: 'Nobody can use it any more. Where it was used it stays visible.',
    counted: (n: number, max: number) => `${n} of ${max}`,
    problems: {
      emoji_name_taken: 'This server has an emoji of that name.',
      too_many_emoji: 'This server has 250 emoji already.',
    },
    empty: 'This server has no emoji of its own yet.',
  },
}

// Printed from locales/en/servers.json. After a change there: bun run words
import { digits, type Words } from './plural.ts'

/** Words for servers, channels and invites. */
export const serverWords = {
  servers: {
    list: 'Servers',
    add: 'Add a server',
    name: 'Server name',
    viewedAs: (role: string | undefined) =>
      role === undefined
        ? 'You are viewing the server as a member without roles.'
        : `You are viewing the server as ${role}.`,
    stopViewing: 'Stop',
    gone: (name: string) => `${name} was deleted.`,
  },
  channels: {
    browse: 'Browse channels',
    list: 'Channels',
    private: ', private',
    text: 'Text',
    voice: 'Voice',
    none: 'Nothing to see here yet',
    noneText: 'Your roles do not let you see any channels. A moderator of the server can change that.',
    noneToMake: 'Conversations happen in channels. Create the first one.',
    addTopic: 'Add a topic',
    outside: 'No category',
    moved: ({ name, place, category }: { name: string; place: number; category: string | undefined }) =>
      `${name} is now number ${place}${category === undefined ? '' : ` in ${category}`}.`,
    moveHint: 'Press Alt and an arrow key to move it.',
    addTo: (name: string) => `New channel in ${name}`,
    make: {
      text: 'New text channel',
      voice: 'New voice channel',
      category: 'New category',
    },
    settings: (name: string) => `Settings of ${name}`,
    taken: ({ n, limit }: { n: number; limit: number }) => `${digits(n)} of ${digits(limit)} people`,
  },
  invite: {
    people: 'Invite people',
  },
} satisfies Words

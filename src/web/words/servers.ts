// Printed from locales/en/servers.json. After a change there: bun run words
import type { Words } from './plural.ts'

/** Words for servers, channels and invites. */
export const serverWords = {
  servers: {
    list: 'Servers',
    add: 'Add a server',
    name: 'Server name',
    settings: 'Server settings',
    leave: 'Leave server',
    viewedAs: (role: string | undefined) =>
      role === undefined
        ? 'You are viewing the server as a member without roles.'
        : `You are viewing the server as ${role}.`,
    stopViewing: 'Stop',
    gone: (name: string) => `${name} was deleted.`,
    leaveText: (name: string) => `You will need a new invite to come back to ${name}.`,
  },
  channels: {
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
  },
  invite: {
    people: 'Invite people',
    join: 'Join server',
    notNow: 'Not now',
    back: 'Back to your conversations',
  },
} satisfies Words

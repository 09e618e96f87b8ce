/** Words for servers, channels and invites. */
export const serverWords = {
  servers: {
    list: 'Servers',
    add: 'Add a server',
    name: 'Server name',
    settings: 'Server settings',
    leave: 'Leave server',
    viewedAs: (role: string | undefined) =>
      role === undefined ? 'You see the server as a member without roles does.' : `You see the server as ${role} does.`,
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
    noneText: 'There is no channel that your roles let you see. Whoever runs the server can change that.',
    noneToMake: 'Conversations happen in channels. Make the first one.',
    addTopic: 'Add a topic',
    outside: 'Outside of categories',
    moved: (name: string, category: string | undefined, place: number) =>
      `${name} is now number ${place}${category === undefined ? '' : ` in ${category}`}.`,
    moveHint: 'Alt and arrow keys move it.',
    addTo: (name: string) => `New channel in ${name}`,
    make: { text: 'New text channel', voice: 'New voice channel', category: 'New category' },
    settings: (name: string) => `Settings of ${name}`,
  },
  invite: {
    people: 'Invite people',
    join: 'Join server',
    notNow: 'Not now',
    back: 'Back to your conversations',
  },
}

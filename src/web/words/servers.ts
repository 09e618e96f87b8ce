/** Words for servers, channels and invites. */
export const serverWords = {
  servers: {
    list: 'Servers',
    add: 'Add a server',
    name: 'Server name',
    settings: 'Server settings',
    leave: 'Leave server',
    gone: (name: string) => `${name} was deleted.`,
    left: (name: string) => `You are no longer a member of ${name}. If you did not leave, a moderator removed you.`,
    leaveText: (name: string) => `You will need a new invite to come back to ${name}.`,
  },
  channels: {
    list: 'Channels',
    text: 'Text',
    voice: 'Voice',
    none: 'There are no channels that you can see.',
    moved: (name: string, category: string | undefined, place: number) =>
      `${name} is now number ${place}${category === undefined ? '' : ` in ${category}`}.`,
    moveHint: 'Alt and arrow keys move it.',
    addTo: (name: string) => `New channel in ${name}`,
    make: { text: 'New text channel', voice: 'New voice channel', category: 'New category' },
    settings: (name: string) => `Settings of ${name}`,
  },
  invite: {
    people: 'Invite people',
    title: 'You are invited',
    join: 'Join server',
    notNow: 'Not now',
    back: 'Back to your conversations',
    needsAccount: 'Create an account or log in to join.',
  },
}

import { count, digits, inLanguage } from './plural.ts'

/** A kind of server, and its first channels besides `general`: their types, names and topics. */
interface Template {
  title: string
  text: string
  example: string
  channels: (readonly ['text' | 'voice', name: string, topic: string])[]
}

const templates = {
  friends: {
    title: 'Friends and family',
    text: 'A few people, plans, pictures, and a room to talk in.',
    example: 'The lake house',
    channels: [
      ['text', 'plans', 'What we do next, and when'],
      ['text', 'pictures', 'Send the good ones'],
      ['voice', 'Living room', ''],
    ],
  },
  community: {
    title: 'Club or community',
    text: 'News for everyone, a place to say hello, and room for many topics.',
    example: 'Birdwatchers',
    channels: [
      ['text', 'news', 'What everyone should know'],
      ['text', 'introductions', 'New here? Say hello'],
      ['text', 'questions', 'Ask anything'],
      ['voice', 'Meeting place', ''],
    ],
  },
  team: {
    title: 'Team or project',
    text: 'Work in threads, decide in writing, and meet without a link.',
    example: 'Weir restoration',
    channels: [
      ['text', 'tasks', 'Who does what until when'],
      ['text', 'decisions', 'What we decided, and why'],
      ['text', 'coffee', 'Everything but work'],
      ['voice', 'Stand-up', ''],
    ],
  },
} satisfies Record<string, Template>

export type TemplateName = keyof typeof templates

/** Words of the first pages: registration, the empty home, a new server, an invite. */
export const firstWords = inLanguage('first-steps', {
  templates: templates as Record<TemplateName, Template>,
  register: {
    title: 'Create your account',
    closed: 'This server takes no new accounts.',
    invited: (server: string) => `You join ${server} next.`,
    name: 'What should people call you?',
    nameHint: 'Everyone sees this. You can change it at any time.',
    usernameHint: 'You log in with it. Nobody else sees it.',
    nameNotKept: 'Your account is ready. Your name could not be saved: choose it again in the settings.',
  },
  home: {
    title: (name: string) => `Welcome, ${name}`,
    text: 'Conversations happen in servers, and between friends. Where would you like to begin?',
    make: 'Make a server',
    makeText: 'A place of your own, for people you choose.',
    join: 'Join with an invite',
    joinText: 'Did somebody send you a link? Paste it here.',
    link: 'Invite link or code',
    open: 'Open invite',
    find: 'Find a friend',
    findText: 'Ask for their username, or search by the name that they go by.',
  },
  setup: {
    steps: { name: 'Name', picture: 'Picture', channels: 'Channels', invite: 'Invite' },
    progress: 'Steps',
    whom: 'Who is it for?',
    next: 'Continue',
    skip: 'Skip for now',
    pictureTitle: 'Give it a face',
    pictureText: 'A picture is found faster than a name. PNG, JPEG, WebP, GIF or AVIF.',
    channelsTitle: 'What will you talk about?',
    channelsText: 'Channels keep topics apart. Choose some to begin with; you can change them at any time.',
    general: 'Is there already, for everything',
    readOnly: (topic: string) => `${topic}. Everyone reads, only moderators write`,
    another: 'Another channel',
    add: 'Add',
    make: (n: number) => (n === 0 ? 'Continue' : count(n, 'Make # channel', 'Make # channels')),
    inviteTitle: 'Bring in the first people',
    inviteText: 'Whoever opens this link can join. It is valid for a week.',
    share: 'Share…',
    open: (name: string) => `Open ${name}`,
  },
  invite: {
    from: 'invites you to join',
    without: 'You are invited to join',
    online: (n: number) => `${digits(n)} online`,
    until: (time: string) => `This invite is valid until ${time}.`,
    isMember: 'You are a member already.',
    over: 'This invite is over',
    overText: 'It has expired, was used up, or was taken back. Ask whoever sent it for a new one.',
    unknown: 'There is no such invite',
    unknownText: 'Perhaps a letter is missing: open the whole link again, as it was sent to you.',
    banned: 'You cannot join this server',
    bannedText: 'Somebody who runs it has banned you.',
  },
})

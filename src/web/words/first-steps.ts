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
    text: 'Make plans, share pictures, and talk with a few people.',
    example: 'The lake house',
    channels: [
      ['text', 'plans', 'Our next plans, and when'],
      ['text', 'pictures', 'Share the good ones'],
      ['voice', 'Living room', ''],
    ],
  },
  community: {
    title: 'Club or community',
    text: 'News for everyone, a place to say hello, and channels for many topics.',
    example: 'Birdwatchers',
    channels: [
      ['text', 'news', 'What everyone should know'],
      ['text', 'introductions', 'New here? Say hello'],
      ['text', 'questions', 'Ask anything'],
      ['voice', 'Meeting place', ''],
    ],
  },
  team: {
    title: 'Team or company',
    text: 'Discuss tasks in threads, record decisions, and meet by voice.',
    example: 'Weir restoration',
    channels: [
      ['text', 'tasks', 'Who does what by when'],
      ['text', 'decisions', 'What we decided, and why'],
      ['text', 'coffee', 'Everything but work'],
      ['voice', 'Stand-up', ''],
    ],
  },
  gaming: {
    title: 'Gaming',
    text: 'Find players, talk during the game, and share the best moments.',
    example: 'Night Raiders',
    channels: [
      ['text', 'news', 'Updates and events'],
      ['text', 'looking-for-players', 'Who plays what, and when'],
      ['text', 'clips', 'Your best moments'],
      ['voice', 'Lobby', ''],
      ['voice', 'Game', ''],
    ],
  },
  study: {
    title: 'Study group',
    text: 'Ask for help, share notes, and study together by voice.',
    example: 'Algebra II',
    channels: [
      ['text', 'news', 'Dates and announcements'],
      ['text', 'homework', 'Ask for help, give help'],
      ['text', 'notes', 'Summaries and links'],
      ['voice', 'Study room', ''],
    ],
  },
  project: {
    title: 'Open source project',
    text: 'Announce releases, help users, and discuss the code.',
    example: 'Heron',
    channels: [
      ['text', 'news', 'Releases and announcements'],
      ['text', 'help', 'Questions of users'],
      ['text', 'development', 'Code, reviews and plans'],
      ['text', 'showcase', 'What you have built with it'],
      ['voice', 'Meeting', ''],
    ],
  },
} satisfies Record<string, Template>

export type TemplateName = keyof typeof templates

/** Words of the first pages: registration, the empty home, a new server, an invite. */
export const firstWords = inLanguage('first-steps', {
  templates: templates as Record<TemplateName, Template>,
  register: {
    title: 'Create your account',
    closed: 'Registration is closed on this server.',
    invited: (server: string) => `Next, you will join ${server}.`,
    name: 'What should people call you?',
    nameHint: 'Everyone sees this. You can change it at any time.',
    usernameHint: 'You log in with this. Nobody else sees it.',
    nameNotKept: 'Your account is ready, but your name could not be saved. Set it again in the settings.',
  },
  home: {
    title: (name: string) => `Welcome, ${name}`,
    text: 'Talk in servers or with friends. Where would you like to start?',
    make: 'Create a server',
    makeText: 'Your own place for the people you choose.',
    join: 'Join with an invite',
    joinText: 'Did someone send you a link? Paste it here.',
    link: 'Invite link or code',
    open: 'Open invite',
    find: 'Find a friend',
    findText: 'Search by username or display name.',
  },
  setup: {
    steps: { name: 'Name', picture: 'Picture', channels: 'Channels', rules: 'Rules', invite: 'Invite' },
    moderators: 'Moderators',
    power: 'Roles that can manage',
    file: 'From a file',
    fileText: 'A template that was saved in the settings of another server.',
    fileWrong: 'This file is not a template.',
    rulesTitle: 'Set some rules',
    rulesText: 'New members accept them before they can write.',
    rulesExample: '1. Be kind.\n2. No spam.',
    progress: 'Steps',
    whom: 'Who is it for?',
    next: 'Continue',
    skip: 'Skip for now',
    pictureTitle: 'Add a picture',
    pictureText: 'A picture is easier to spot than a name. PNG, JPEG, WebP, GIF or AVIF.',
    channelsTitle: 'What will you talk about?',
    channelsText: 'Channels keep topics separate. Choose some to start with; you can change them at any time.',
    general: 'Already there, for everything',
    readOnly: (topic: string) => `${topic}. Everyone can read, only moderators can write`,
    another: 'Another channel',
    add: 'Add',
    make: (n: number) => (n === 0 ? 'Continue' : count(n, 'Create # channel', 'Create # channels')),
    inviteTitle: 'Invite your first members',
    inviteText: 'Anyone with this link can join. It is valid for a week.',
    share: 'Share…',
    open: (name: string) => `Open ${name}`,
  },
  invite: {
    from: 'invites you to join',
    without: 'You are invited to join',
    online: (n: number) => `${digits(n)} online`,
    until: (time: string) => `This invite is valid until ${time}.`,
    isMember: 'You are already a member.',
    over: 'This invite is no longer valid',
    overText: 'It has expired, was used up, or was revoked. Ask the person who sent it for a new one.',
    unknown: 'Invite not found',
    unknownText: 'The link may be incomplete. Open the whole link again, as it was sent to you.',
    banned: 'You cannot join this server',
    bannedText: 'A moderator has banned you.',
  },
})

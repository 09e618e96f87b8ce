// Printed from locales/en/first-steps.json. After a change there: bun run words
import { count, digits, inLanguage } from './plural.ts'

/** Words of the first pages: registration, the empty home, a new server, an invite. */
export const firstWords = inLanguage('first-steps', {
  templates: {
    friends: {
      title: 'Friends and family',
      text: 'Make plans, share pictures, and talk with a few people.',
      example: 'The lake house',
      channels: [
        {
          name: 'plans',
          topic: 'Our next plans, and when',
        },
        {
          name: 'pictures',
          topic: 'Share the good ones',
        },
        {
          name: 'Living room',
        },
      ],
    },
    community: {
      title: 'Club or community',
      text: 'News for everyone, a place to say hello, and channels for many topics.',
      example: 'Birdwatchers',
      channels: [
        {
          name: 'news',
          topic: 'What everyone should know',
        },
        {
          name: 'introductions',
          topic: 'New here? Say hello',
        },
        {
          name: 'questions',
          topic: 'Ask anything',
        },
        {
          name: 'Meeting place',
        },
      ],
    },
    team: {
      title: 'Team or company',
      text: 'Discuss tasks in threads, record decisions, and meet by voice.',
      example: 'Weir restoration',
      channels: [
        {
          name: 'tasks',
          topic: 'Who does what by when',
        },
        {
          name: 'decisions',
          topic: 'What we decided, and why',
        },
        {
          name: 'coffee',
          topic: 'Everything but work',
        },
        {
          name: 'Stand-up',
        },
      ],
    },
    gaming: {
      title: 'Gaming',
      text: 'Find players, talk during the game, and share the best moments.',
      example: 'Night Raiders',
      channels: [
        {
          name: 'news',
          topic: 'Updates and events',
        },
        {
          name: 'looking-for-players',
          topic: 'Who plays what, and when',
        },
        {
          name: 'clips',
          topic: 'Your best moments',
        },
        {
          name: 'Lobby',
        },
        {
          name: 'Game',
        },
      ],
    },
    study: {
      title: 'Study group',
      text: 'Ask for help, share notes, and study together by voice.',
      example: 'Algebra II',
      channels: [
        {
          name: 'news',
          topic: 'Dates and announcements',
        },
        {
          name: 'homework',
          topic: 'Ask for help, give help',
        },
        {
          name: 'notes',
          topic: 'Summaries and links',
        },
        {
          name: 'Study room',
        },
      ],
    },
    project: {
      title: 'Open source project',
      text: 'Announce releases, help users, and discuss the code.',
      example: 'Heron',
      channels: [
        {
          name: 'news',
          topic: 'Releases and announcements',
        },
        {
          name: 'help',
          topic: 'Questions of users',
        },
        {
          name: 'development',
          topic: 'Code, reviews and plans',
        },
        {
          name: 'showcase',
          topic: 'What you have built with it',
        },
        {
          name: 'Meeting',
        },
      ],
    },
  },
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
    steps: {
      name: 'Name',
      picture: 'Picture',
      channels: 'Channels',
      rules: 'Rules',
      invite: 'Invite',
    },
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
    call: 'You will be a member until five minutes after your last call here.',
    day: 'You will be a member for one day.',
    isMember: 'You are already a member.',
    over: 'This invite is no longer valid',
    overText: 'It has expired, was used up, or was revoked. Ask the person who sent it for a new one.',
    unknown: 'Invite not found',
    unknownText: 'The link may be incomplete. Open the whole link again, as it was sent to you.',
    banned: 'You cannot join this server',
    bannedText: 'A moderator has banned you.',
    join: 'Join server',
    notNow: 'Not now',
    back: 'Back to your conversations',
  },
})

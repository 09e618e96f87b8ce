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
      title: 'Team or project',
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
      invite: 'Invite',
    },
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

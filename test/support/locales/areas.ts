/** The words of one file in each language. */
interface Area {
  /** Name of the exported English words. */
  name: string
  /** Comment on them. */
  about: string
  /** The area that contains these words. Without one, they are loaded by themselves, when they are first needed. */
  within?: 'words' | 'settings'
}

/** Areas of words by the name of their files: `locales/<tag>/<area>.json` and `src/web/words/<tag>/<area>.ts`. */
export const AREAS: Record<string, Area> = {
  words: {
    name: 'words',
    about:
      'The English text that the page starts with; settings, dialogs and the search have their own, loaded with them.',
  },
  emoji: { name: 'emojiWords', about: 'Words for reactions, pins and emoji.', within: 'words' },
  messages: { name: 'messageWords', about: 'Words for messages, files and conversations.', within: 'words' },
  notifications: {
    name: 'notificationWords',
    about: 'Words of unread messages, mentions and notifications.',
    within: 'words',
  },
  people: { name: 'peopleWords', about: 'Words for people that the page starts with.', within: 'words' },
  servers: { name: 'serverWords', about: 'Words for servers, channels and invites.', within: 'words' },
  shortcuts: {
    name: 'shortcutWords',
    about: 'Words for keyboard shortcuts and the quick switcher.',
    within: 'words',
  },
  threads: { name: 'threadWords', about: 'Words for threads.', within: 'words' },
  voice: {
    name: 'voiceWords',
    about: 'Words for voice channels and calls that the page starts with.',
    within: 'words',
  },
  account: {
    name: 'accountWords',
    about: 'Words of the login and of changes to the account, loaded on first use.',
  },
  actions: {
    name: 'actionWords',
    about: 'Words of actions on messages and on threads, which are loaded after the messages.',
  },
  applications: {
    name: 'applicationWords',
    about: 'Words of applications and their bots, which are loaded with the pages that show them.',
  },
  arrival: {
    name: 'arrivalWords',
    about: 'Words about new members of a server, and what they may choose.',
  },
  automod: { name: 'automodWords', about: 'Words of the page of automod rules.' },
  call: { name: 'callWords', about: 'Words of a call, loaded with its code.' },
  commands: { name: 'commandWords', about: 'Words of bots’ commands, loaded with the first command.' },
  device: { name: 'deviceWords', about: 'Words of the device’s settings and notices, loaded on first use.' },
  completions: { name: 'completionWords', about: 'Words of the lists that complete what is typed.' },
  dialogs: { name: 'dialogWords', about: 'Words of dialogs that are loaded when they are first opened.' },
  events: { name: 'eventWords', about: 'Words of events, loaded when they are first opened.' },
  files: { name: 'fileWords', about: 'Words of chosen files and of players, loaded with them.' },
  'first-steps': {
    name: 'firstWords',
    about: 'Words of the first pages: registration, the empty home, a new server, an invite.',
  },
  stages: { name: 'stageWords', about: 'Words of stages, loaded with the code of calls.' },
  forums: { name: 'forumWords', about: 'Words of forums and their posts.' },
  friends: {
    name: 'friendWords',
    about: 'Words for friends and relations, which are loaded with the pages that show them.',
  },
  imports: {
    name: 'importWords',
    about: 'Words of the page on which a person claims their imported messages, loaded with it.',
  },
  later: { name: 'laterWords', about: 'Words of messages that an account has saved or scheduled.' },
  guests: { name: 'guestWords', about: 'Words for guests, loaded on the page of an invite and in their settings.' },
  mail: {
    name: 'mailWords',
    about: 'Words of the pages for forgotten passwords and e-mail addresses, which are loaded when they are opened.',
  },
  menus: { name: 'menuWords', about: 'Words of context menus.' },
  moderation: { name: 'moderationWords', about: 'Words of reports and moderation.' },
  notices: { name: 'noticeWords', about: 'Words of notices on a device; the worker has them too.' },
  operator: { name: 'operatorWords', about: 'Words of the operator’s page.' },
  permissions: { name: 'permissionWords', about: 'Words of the permissions of roles and channels.' },
  polls: { name: 'pollWords', about: 'Words of polls, loaded with the first one.' },
  phone: { name: 'phoneWords', about: 'Words of the tabs on a phone, and of calls there.' },
  'public-pages': { name: 'publicWords', about: 'Words of the settings of public pages.' },
  search: {
    name: 'searchWords',
    about: 'Words for the search of messages, which is loaded when it is first opened.',
  },
  security: {
    name: 'securityWords',
    about: 'Words about second factors, passkeys and proofs, which are loaded when they are first needed.',
  },
  settings: {
    name: 'settingsWords',
    about: 'Words of the settings of accounts, servers and channels, which are loaded when they are first opened.',
  },
  audit: { name: 'auditWords', about: 'Words of permissions and of the audit log.', within: 'settings' },
  'sign-on': {
    name: 'signOnWords',
    about: 'Words about single sign-on, which are loaded with the pages that need them.',
  },
  sounds: { name: 'soundWords', about: 'Words of sounds that are recorded and played.' },
  status: { name: 'statusWords', about: 'Words of the dialog in which an account chooses its status.' },
  talk: { name: 'talkWords', about: 'Words of when the microphone is sent.' },
  stickers: { name: 'stickerWords', about: 'Words of stickers and kept pictures, loaded with them.' },
  webhooks: { name: 'webhookWords', about: 'Words of the page of webhooks.' },
}

/** The areas within another one. */
export const areasWithin = (area: string): string[] =>
  Object.entries(AREAS).flatMap(([each, { within }]) => (within === area ? [each] : []))

/** The areas that are loaded by themselves, the first ones of the page among them. */
export const ownAreas = Object.keys(AREAS).filter((area) => AREAS[area]?.within === undefined)

// Printed from the list of areas: bun run words
import type { words } from './words.ts'
import type { accountWords } from './account.ts'
import type { actionWords } from './actions.ts'
import type { applicationWords } from './applications.ts'
import type { arrivalWords } from './arrival.ts'
import type { automodWords } from './automod.ts'
import type { callWords } from './call.ts'
import type { commandWords } from './commands.ts'
import type { deviceWords } from './device.ts'
import type { completionWords } from './completions.ts'
import type { dialogWords } from './dialogs.ts'
import type { eventWords } from './events.ts'
import type { fileWords } from './files.ts'
import type { firstWords } from './first-steps.ts'
import type { stageWords } from './stages.ts'
import type { forumWords } from './forums.ts'
import type { friendWords } from './friends.ts'
import type { importWords } from './imports.ts'
import type { laterWords } from './later.ts'
import type { guestWords } from './guests.ts'
import type { mailWords } from './mail.ts'
import type { menuWords } from './menus.ts'
import type { moderationWords } from './moderation.ts'
import type { noticeWords } from './notices.ts'
import type { operatorWords } from './operator.ts'
import type { permissionWords } from './permissions.ts'
import type { pollWords } from './polls.ts'
import type { phoneWords } from './phone.ts'
import type { publicWords } from './public-pages.ts'
import type { searchWords } from './search.ts'
import type { securityWords } from './security.ts'
import type { settingsWords } from './settings.ts'
import type { signOnWords } from './sign-on.ts'
import type { soundWords } from './sounds.ts'
import type { statusWords } from './status.ts'
import type { talkWords } from './talk.ts'
import type { stickerWords } from './stickers.ts'
import type { webhookWords } from './webhooks.ts'

/** All words of the web client in one language, by area. */
export interface Translation {
  dir: 'ltr' | 'rtl'
  words: typeof words
  account: typeof accountWords
  actions: typeof actionWords
  applications: typeof applicationWords
  arrival: typeof arrivalWords
  automod: typeof automodWords
  call: typeof callWords
  commands: typeof commandWords
  device: typeof deviceWords
  completions: typeof completionWords
  dialogs: typeof dialogWords
  events: typeof eventWords
  files: typeof fileWords
  'first-steps': typeof firstWords
  stages: typeof stageWords
  forums: typeof forumWords
  friends: typeof friendWords
  imports: typeof importWords
  later: typeof laterWords
  guests: typeof guestWords
  mail: typeof mailWords
  menus: typeof menuWords
  moderation: typeof moderationWords
  notices: typeof noticeWords
  operator: typeof operatorWords
  permissions: typeof permissionWords
  polls: typeof pollWords
  phone: typeof phoneWords
  'public-pages': typeof publicWords
  search: typeof searchWords
  security: typeof securityWords
  settings: typeof settingsWords
  'sign-on': typeof signOnWords
  sounds: typeof soundWords
  status: typeof statusWords
  talk: typeof talkWords
  stickers: typeof stickerWords
  webhooks: typeof webhookWords
}

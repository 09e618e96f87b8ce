// Printed from the list of areas: bun run words
import type { Translation } from '../translation.ts'
import words from './words.ts'
import account from './account.ts'
import applications from './applications.ts'
import automod from './automod.ts'
import call from './call.ts'
import commands from './commands.ts'
import device from './device.ts'
import dialogs from './dialogs.ts'
import firstSteps from './first-steps.ts'
import forums from './forums.ts'
import friends from './friends.ts'
import imports from './imports.ts'
import later from './later.ts'
import mail from './mail.ts'
import menus from './menus.ts'
import moderation from './moderation.ts'
import notices from './notices.ts'
import operator from './operator.ts'
import permissions from './permissions.ts'
import phone from './phone.ts'
import publicPages from './public-pages.ts'
import search from './search.ts'
import security from './security.ts'
import settings from './settings.ts'
import signOn from './sign-on.ts'
import sounds from './sounds.ts'
import talk from './talk.ts'
import webhooks from './webhooks.ts'

export default {
  dir: 'ltr',
  words,
  account,
  applications,
  automod,
  call,
  commands,
  device,
  dialogs,
  'first-steps': firstSteps,
  forums,
  friends,
  imports,
  later,
  mail,
  menus,
  moderation,
  notices,
  operator,
  permissions,
  phone,
  'public-pages': publicPages,
  search,
  security,
  settings,
  'sign-on': signOn,
  sounds,
  talk,
  webhooks,
} satisfies Translation

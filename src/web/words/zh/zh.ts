// Printed from the list of areas: bun run words
import type { Translation } from '../translation.ts'
import words from './words.ts'
import account from './account.ts'
import actions from './actions.ts'
import applications from './applications.ts'
import arrival from './arrival.ts'
import automod from './automod.ts'
import call from './call.ts'
import commands from './commands.ts'
import device from './device.ts'
import completions from './completions.ts'
import dialogs from './dialogs.ts'
import events from './events.ts'
import files from './files.ts'
import firstSteps from './first-steps.ts'
import stages from './stages.ts'
import forums from './forums.ts'
import friends from './friends.ts'
import imports from './imports.ts'
import later from './later.ts'
import guests from './guests.ts'
import mail from './mail.ts'
import menus from './menus.ts'
import moderation from './moderation.ts'
import notices from './notices.ts'
import operator from './operator.ts'
import permissions from './permissions.ts'
import polls from './polls.ts'
import phone from './phone.ts'
import publicPages from './public-pages.ts'
import search from './search.ts'
import security from './security.ts'
import settings from './settings.ts'
import signOn from './sign-on.ts'
import sounds from './sounds.ts'
import status from './status.ts'
import talk from './talk.ts'
import stickers from './stickers.ts'
import webhooks from './webhooks.ts'

export default {
  dir: 'ltr',
  words,
  account,
  actions,
  applications,
  arrival,
  automod,
  call,
  commands,
  device,
  completions,
  dialogs,
  events,
  files,
  'first-steps': firstSteps,
  stages,
  forums,
  friends,
  imports,
  later,
  guests,
  mail,
  menus,
  moderation,
  notices,
  operator,
  permissions,
  polls,
  phone,
  'public-pages': publicPages,
  search,
  security,
  settings,
  'sign-on': signOn,
  sounds,
  status,
  talk,
  stickers,
  webhooks,
} satisfies Translation

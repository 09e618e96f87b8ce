import { accountWords } from '../../../src/web/words/account.ts'
import { actionWords } from '../../../src/web/words/actions.ts'
import { applicationWords } from '../../../src/web/words/applications.ts'
import { arrivalWords } from '../../../src/web/words/arrival.ts'
import { automodWords } from '../../../src/web/words/automod.ts'
import { callWords } from '../../../src/web/words/call.ts'
import { commandWords } from '../../../src/web/words/commands.ts'
import { completionWords } from '../../../src/web/words/completions.ts'
import { deviceWords } from '../../../src/web/words/device.ts'
import { dialogWords } from '../../../src/web/words/dialogs.ts'
import { fileWords } from '../../../src/web/words/files.ts'
import { firstWords } from '../../../src/web/words/first-steps.ts'
import { forumWords } from '../../../src/web/words/forums.ts'
import { friendWords } from '../../../src/web/words/friends.ts'
import { importWords } from '../../../src/web/words/imports.ts'
import { laterWords } from '../../../src/web/words/later.ts'
import { guestWords } from '../../../src/web/words/guests.ts'
import { eventWords } from '../../../src/web/words/events.ts'
import { pollWords } from '../../../src/web/words/polls.ts'
import { mailWords } from '../../../src/web/words/mail.ts'
import { menuWords } from '../../../src/web/words/menus.ts'
import { moderationWords } from '../../../src/web/words/moderation.ts'
import { noticeWords } from '../../../src/web/words/notices.ts'
import { operatorWords } from '../../../src/web/words/operator.ts'
import { permissionWords } from '../../../src/web/words/permissions.ts'
import { phoneWords } from '../../../src/web/words/phone.ts'
import { publicWords } from '../../../src/web/words/public-pages.ts'
import { searchWords } from '../../../src/web/words/search.ts'
import { securityWords } from '../../../src/web/words/security.ts'
import { settingsWords } from '../../../src/web/words/settings.ts'
import { signOnWords } from '../../../src/web/words/sign-on.ts'
import { soundWords } from '../../../src/web/words/sounds.ts'
import { stageWords } from '../../../src/web/words/stages.ts'
import { stickerWords } from '../../../src/web/words/stickers.ts'
import { statusWords } from '../../../src/web/words/status.ts'
import { talkWords } from '../../../src/web/words/talk.ts'
import type { Translation } from '../../../src/web/words/translation.ts'
import { webhookWords } from '../../../src/web/words/webhooks.ts'
import { words } from '../../../src/web/words/words.ts'

const PLAIN = 'aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ'
const ACCENTED = 'áÁƀƁçÇðÐéÉƒƑĝĜĥĤíÍĵĴķĶļĻɱṀñÑóÓþÞɋɊŕŔšŠţŢúÚṽṼŵŴẋẊýÝžŽ'
const accented = (text: string): string => [...text].map((letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter).join('')

/** The values of words by themselves: they come singly, in lists, or by name. */
const valuesIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [value]

/** English that is recognised, and a third longer, as German or Russian are: `Save` becomes `Šáṽé··`. */
export const pseudo = (text: string, values: unknown[] = []): string => {
  const names = values.flatMap(valuesIn).filter((value): value is string => typeof value === 'string' && value !== '')
  const parts = names.reduce<string[]>(
    (all, name) => all.flatMap((part) => part.split(name).flatMap((piece, at) => (at === 0 ? [piece] : [name, piece]))),
    [text],
  )
  const pseudoText = parts.map((part) => (names.includes(part) ? part : accented(part))).join('')
  return pseudoText === '' ? '' : pseudoText + '·'.repeat(Math.ceil(text.length / 3))
}

/** The same words, each of them recognisable. */
function disguised<T>(value: T): T {
  if (typeof value === 'string') return pseudo(value) as T
  if (typeof value === 'function') return ((...values: unknown[]) => pseudo(value(...values), values)) as T
  if (Array.isArray(value)) return value.map(disguised) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, disguised(inner)])) as T
}

/** A language of the tests, with every area of words: it shows what is not translated, and what is cut off. */
export default {
  dir: 'ltr',
  ...disguised({
    words,
    account: accountWords,
    actions: actionWords,
    applications: applicationWords,
    arrival: arrivalWords,
    automod: automodWords,
    call: callWords,
    commands: commandWords,
    completions: completionWords,
    device: deviceWords,
    dialogs: dialogWords,
    files: fileWords,
    'first-steps': firstWords,
    forums: forumWords,
    friends: friendWords,
    imports: importWords,
    later: laterWords,
    guests: guestWords,
    polls: pollWords,
    events: eventWords,
    mail: mailWords,
    menus: menuWords,
    moderation: moderationWords,
    notices: noticeWords,
    operator: operatorWords,
    permissions: permissionWords,
    phone: phoneWords,
    'public-pages': publicWords,
    search: searchWords,
    security: securityWords,
    settings: settingsWords,
    'sign-on': signOnWords,
    sounds: soundWords,
    status: statusWords,
    stages: stageWords,
    stickers: stickerWords,
    talk: talkWords,
    webhooks: webhookWords,
  }),
} satisfies Translation

// Printed from locales/hi/words.json. After a change there: bun run words
import type { words } from '../words.ts'
import { badge, digits } from '../plural.ts'
import emoji from './emoji.ts'
import messages from './messages.ts'
import notifications from './notifications.ts'
import people from './people.ts'
import servers from './servers.ts'
import shortcuts from './shortcuts.ts'
import threads from './threads.ts'
import voice from './voice.ts'
import errors from './errors.ts'
import rules from './rules.ts'

export default {
  ...emoji,
  ...messages,
  ...notifications,
  ...people,
  ...servers,
  ...shortcuts,
  ...threads,
  ...voice,
  settings: {
    title: 'सेटिंग',
  },
  conversations: 'बातचीत',
  search: {
    open: 'संदेश खोजें',
  },
  sizes: ['B', 'KB', 'MB', 'GB'],
  loading: 'लोड हो रहा है…',
  unreachable: 'सर्वर तक नहीं पहुँचा जा सका। फिर कोशिश हो रही है…',
  reconnecting: 'कनेक्शन टूट गया। फिर से जुड़ रहे हैं…',
  ended: 'यह विंडो अब जुड़ी नहीं है। जारी रखने के लिए पेज फिर लोड करें।',
  menuUnread: 'चैनल और सर्वर, कुछ अपठित है',
  skip: 'संदेशों पर जाएँ',
  menu: 'चैनल और सर्वर',
  tools: 'इस जगह के बारे में और',
  close: 'बंद करें',
  cancel: 'रद्द करें',
  save: 'सहेजें',
  saved: 'सहेजा गया',
  copy: 'कॉपी करें',
  copied: 'कॉपी हो गया',
  notLoaded: 'पेज का यह हिस्सा लोड नहीं हो सका। फिर कोशिश करें, या पेज फिर लोड करें।',
  notCopied: 'आपके ब्राउज़र ने कॉपी करने की अनुमति नहीं दी।',
  more: 'और दिखाएँ',
  owner: 'मालिक',
  bot: 'बॉट',
  guest: 'मेहमान',
  membersTitle: 'सदस्य',
  members: (n) => `${digits(n)} सदस्य`,
  andMore: (n) => `और ${digits(n)} अन्य`,
  named: ({ n, isAny, name }) => (n === 0 ? (isAny ? `${name}, अपठित संदेश` : name) : `${name}, ${badge(n)} अपठित`),
  draft: 'मसौदा',
  withDraft: ', मसौदा',
  failed: (reason) => `यह नहीं हो सका: ${reason}`,
  problems: {
    ...errors,
    invalid_credentials: 'नाम या पासवर्ड गलत है।',
    rate_limited: 'बहुत अधिक प्रयास हुए।',
    invite_gone: 'यह आमंत्रण समाप्त हो गया या पूरा उपयोग हो चुका है। नया माँगें।',
    not_found: 'यह मौजूद नहीं है, या आपकी इस तक पहुँच नहीं है।',
    banned: 'आप इस सर्वर से प्रतिबंधित हैं।',
    storage_full: 'सर्वर पर नए संदेशों और फ़ाइलों के लिए जगह नहीं बची।',
    offline: 'सर्वर तक नहीं पहुँचा जा सका।',
  },
  rules,
} satisfies typeof words

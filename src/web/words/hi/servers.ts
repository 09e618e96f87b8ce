// Printed from locales/hi/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'
import { digits } from '../plural.ts'

export default {
  servers: {
    list: 'सर्वर',
    add: 'सर्वर जोड़ें',
    name: 'सर्वर का नाम',
    viewedAs: (role) =>
      role === undefined
        ? 'आप सर्वर को बिना भूमिका वाले सदस्य के रूप में देख रहे हैं।'
        : `आप सर्वर को ${role} के रूप में देख रहे हैं।`,
    stopViewing: 'बंद करें',
    gone: (name) => `${name} हटा दिया गया।`,
  },
  channels: {
    browse: 'चैनल देखें',
    list: 'चैनल',
    private: ', निजी',
    text: 'टेक्स्ट',
    voice: 'वॉइस',
    none: 'यहाँ अभी देखने को कुछ नहीं',
    noneText: 'आपकी भूमिकाओं से आपको कोई चैनल नहीं दिखता। सर्वर का कोई मॉडरेटर इसे बदल सकता है।',
    noneToMake: 'बातचीत चैनलों में होती है। पहला चैनल बनाएँ।',
    addTopic: 'विषय जोड़ें',
    outside: 'कोई श्रेणी नहीं',
    moved: ({ name, place, category }) =>
      category === undefined
        ? `${name} अब क्रमांक ${place} पर है।`
        : `${name} अब ${category} में क्रमांक ${place} पर है।`,
    moveHint: 'इसे खिसकाने के लिए Alt और कोई तीर कुंजी दबाएँ।',
    addTo: (name) => `${name} में नया चैनल`,
    make: {
      text: 'नया टेक्स्ट चैनल',
      voice: 'नया वॉइस चैनल',
      category: 'नई श्रेणी',
    },
    settings: (name) => `${name} की सेटिंग`,
    taken: ({ n, limit }) => `${digits(limit)} में से ${digits(n)} लोग`,
  },
  invite: {
    people: 'लोगों को आमंत्रित करें',
  },
} satisfies typeof serverWords

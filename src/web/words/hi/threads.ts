// Printed from locales/hi/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { digits } from '../plural.ts'

export default {
  threads: {
    title: 'थ्रेड',
    show: (isLively) => (isLively ? 'थ्रेड, नए संदेश हैं' : 'थ्रेड'),
    begin: 'थ्रेड शुरू करें',
    open: 'थ्रेड खोलें',
    archived: 'संग्रहीत',
    close: 'थ्रेड बंद करें',
    panel: (name) => `थ्रेड ${name}`,
    messages: (n) => (n === 0 ? 'अभी कोई संदेश नहीं' : `${digits(n)} संदेश`),
    follow: 'फ़ॉलो करें',
    unfollow: 'फ़ॉलो कर रहे हैं',
    followHint: 'इसके संदेश अपठित गिने जाते हैं',
    actions: 'थ्रेड की कार्रवाइयाँ',
    rename: 'नाम बदलें',
    settings: 'थ्रेड की सेटिंग',
    link: 'थ्रेड का लिंक कॉपी करें',
    archive: 'संग्रहीत करें',
    bringBack: 'संग्रह से निकालें',
    lock: 'लॉक करें',
    unlock: 'अनलॉक करें',
    locked: 'लॉक है',
    lockedHint: 'यह थ्रेड लॉक है।',
    archivedHint: 'यह थ्रेड संग्रहीत है। नया संदेश इसे वापस ले आएगा।',
    delete: 'थ्रेड हटाएँ',
    deleteText: 'इससे थ्रेड अपने संदेशों और फ़ाइलों सहित सबके लिए हट जाएगा।',
    answer: 'जवाब के रूप में चुनें',
    noAnswer: 'अब जवाब नहीं',
  },
} satisfies typeof threadWords

// Printed from locales/hi/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { digits } from '../plural.ts'

export default {
  threads: {
    show: (isLively) => (isLively ? 'थ्रेड, नए संदेश हैं' : 'थ्रेड'),
    open: 'थ्रेड खोलें',
    archived: 'संग्रहीत',
    panel: (name) => `थ्रेड ${name}`,
    messages: (n) => (n === 0 ? 'अभी कोई संदेश नहीं' : `${digits(n)} संदेश`),
    lockedHint: 'यह थ्रेड लॉक है।',
  },
} satisfies typeof threadWords

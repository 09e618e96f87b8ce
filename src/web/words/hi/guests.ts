// Printed from locales/hi/guests.json. After a change there: bun run words
import type { guestWords } from '../guests.ts'

export default {
  join: 'मेहमान के रूप में जुड़ें',
  name: 'आपका नाम',
  hint: '24 घंटे के लिए, बिना खाते के। इस दौरान आप इसे स्थायी खाता बना सकते हैं।',
  keep: 'यह खाता रखें',
  keepText: 'आप मेहमान हैं। उपयोगकर्ता नाम और पासवर्ड चुनें, तो यह खाता आपके लिखे सब कुछ के साथ आपका हो जाएगा।',
  ends: (time) => `नहीं तो यह समाप्त होगा: ${time}।`,
} satisfies typeof guestWords

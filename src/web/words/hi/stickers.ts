// Printed from locales/hi/stickers.json. After a change there: bun run words
import type { stickerWords } from '../stickers.ts'

export default {
  stickersTab: 'स्टिकर',
  emojiTab: 'इमोजी',
  picturesTab: 'चित्र',
  kinds: 'प्रकार',
  search: 'स्टिकर खोजें',
  none: 'कोई मेल खाता स्टिकर नहीं।',
  nothing: 'यहाँ ऐसा कोई स्टिकर नहीं जिसे आप भेज सकें।',
  send: ({ name, alt }) => `स्टिकर ${name} भेजें: ${alt}`,
  gone: 'यह स्टिकर अब नहीं है।',
  hint: 'अधिकतम 512 KiB के PNG, APNG, WebP या GIF। 320 पिक्सेल से बड़े चित्र छोटे किए जाते हैं।',
  upload: 'चित्र अपलोड करें',
  name: 'स्टिकर का नाम',
  alt: 'विवरण',
  altHint: 'चित्र में क्या है, उन लोगों के लिए जो उसे देख नहीं पाते',
  space: ({ used, max }) => `इस सर्वर के चित्र और ध्वनियाँ ${max} में से ${used} लेते हैं।`,
  edit: (name) => `${name} बदलें`,
  delete: (name) => `${name} हटाएँ`,
  deleteText: 'अब इसे कोई भेज नहीं सकता। संदेशों में यह दिखता रहेगा।',
  empty: 'अभी कोई स्टिकर नहीं',
  emptyText: 'चित्र अपलोड करें, उसे नाम और विवरण दें। हर सदस्य उसे भेज सकता है।',
  counted: ({ n, max }) => `${max} में से ${n}`,
  problems: {
    too_many_stickers: 'इस सर्वर पर पहले से 60 स्टिकर हैं। पहले एक हटाएँ।',
    too_many_bytes: 'इस सर्वर के चित्र और ध्वनियाँ इसके लिए जगह नहीं छोड़ते। पहले कोई स्टिकर, इमोजी या ध्वनि हटाएँ।',
  },
  pictures: {
    keep: 'चित्र रखें',
    kept: 'चित्र रख लिया गया। वह वहीं मिलेगा जहाँ आप इमोजी चुनते हैं।',
    send: (name) => `${name} भेजें`,
    remove: (name) => `${name} निकालें`,
    none: 'अभी कोई चित्र नहीं',
    noneText: 'किसी संदेश का चित्र खोलें और “चित्र रखें” चुनें। रखे हुए चित्र सिर्फ़ आप देखते हैं।',
    problems: {
      too_many_favourites: 'आपके पास पहले से 50 चित्र रखे हैं। पहले एक हटाएँ।',
      too_many_bytes: 'आपके पास इसके लिए जगह नहीं बची।',
    },
  },
} satisfies typeof stickerWords

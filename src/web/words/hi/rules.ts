// Printed from locales/hi/rules.json. After a change there: bun run words
import type { Rule } from '../rules.ts'

export default {
  'Must be # to # characters long': 'लंबाई # से # वर्ण होनी चाहिए',
  'Must be at least # characters long': 'कम से कम # वर्ण होने चाहिए',
  'Must be at most # characters long': 'अधिक से अधिक # वर्ण हो सकते हैं',
  'Must not be blank': 'केवल खाली जगह नहीं हो सकती',
  'Must not be empty': 'खाली नहीं हो सकता',
  'Must not contain control characters': 'नियंत्रण वर्ण नहीं हो सकते',
  'Must not contain more than # combining marks in a row': 'लगातार # से अधिक संयोजक चिह्न नहीं हो सकते',
  'Must not contain endless combining marks': 'अंतहीन संयोजक चिह्न नहीं हो सकते',
  'Must contain an uppercase letter A-Z': 'एक बड़ा अक्षर A-Z होना चाहिए',
  'Must contain a lowercase letter a-z': 'एक छोटा अक्षर a-z होना चाहिए',
  'Must contain a digit #-#': 'एक अंक #-# होना चाहिए',
  'Must contain a special character of !@#$%^&*': 'इनमें से एक विशेष वर्ण होना चाहिए: !@#$%^&*',
  'Must not be a common password': 'आम पासवर्ड नहीं हो सकता',
  'Must be # to # characters of a-z, #-#, _ . -': '# से # वर्ण, केवल a-z, #-#, _ . -',
  'Must be # to # of a-z, #-# and _': '# से # वर्ण, केवल a-z, #-# और _',
  'Invalid email address': 'ई-मेल पता मान्य नहीं है',
  'Must be # digits': '# अंक होने चाहिए',
  'Must be # letters and digits, as they were shown': '# अक्षर और अंक होने चाहिए, जैसे दिखाए गए थे',
  'Must be an http or https URL': 'http या https पता होना चाहिए',
  'Must be a URL': 'एक पता (URL) होना चाहिए',
  'Must be at most # bytes': 'अधिक से अधिक # बाइट हो सकते हैं',
  'At least one field is required': 'कम से कम एक जानकारी ज़रूरी है',
  'Must be # to # characters long, unless the message carries files or forwards':
    'लंबाई # से # वर्ण होनी चाहिए, जब तक संदेश में फ़ाइलें या आगे भेजे गए संदेश न हों',
  'Too small: expected number to be >=#': 'कम से कम # होना चाहिए',
  'Too big: expected number to be <=#': 'अधिक से अधिक # हो सकता है',
  'At most # words and phrases': 'अधिक से अधिक # शब्द और वाक्यांश',
  'Ask for a word, or narrow the search by a place, an author, a time or another filter':
    'कोई शब्द खोजें, या जगह, लेखक, समय या किसी और फ़िल्टर से खोज को सीमित करें',
  'Must be in the future': 'भविष्य में होना चाहिए',
  'Must be within # days': '# दिनों के भीतर होना चाहिए',
  'Must have at most # KiB': 'अधिक से अधिक # KiB हो सकता है',
  'An undamaged PNG, WebP or GIF of at most # KiB, or AVIF where the system reads it':
    'अधिक से अधिक # KiB का सही PNG, WebP या GIF, या AVIF जहाँ सिस्टम उसे पढ़ता हो',
} satisfies Record<Rule, string>

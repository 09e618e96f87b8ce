// Printed from locales/hi/polls.json. After a change there: bun run words
import type { pollWords } from '../polls.ts'
import { digits, spanOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  poll: 'मतदान',
  question: 'सवाल',
  questionExample: 'आपके लिए कौन-सा दिन ठीक है?',
  answer: (n) => `उत्तर ${digits(n)}`,
  addAnswer: 'उत्तर जोड़ें',
  duration: 'इतने समय बाद समाप्त',
  span: (seconds) => spanOf(seconds),
  multiple: 'कई उत्तरों की अनुमति दें',
  anonymous: 'गुमनाम',
  promise:
    'सर्वर लोगों और उनके वोटों के बीच कोई संबंध नहीं रखता। वोट अंतिम होते हैं, और परिणाम अंत में, कम से कम पाँच मतदाता होने पर दिखते हैं।',
  send: 'मतदान भेजें',
  chooseOne: 'एक उत्तर चुनें',
  chooseSeveral: 'एक या अधिक उत्तर चुनें',
  vote: 'वोट दें',
  change: 'वोट बदलें',
  results: 'परिणाम दिखाएँ',
  back: 'उत्तरों पर वापस जाएँ',
  voters: (n) => count(n, '# व्यक्ति ने वोट दिया', '# लोगों ने वोट दिया'),
  share: ({ n, percent }) => `${`${digits(n)} वोट`}, ${digits(percent)} %`,
  who: 'देखें कि किसने वोट दिया',
  votersOf: (answer) => `${answer} के लिए वोट`,
  yours: 'आपका वोट',
  ends: (time) => `${time} को समाप्त होगा`,
  ended: (time) => `${time} को समाप्त हुआ`,
  end: 'मतदान समाप्त करें',
  endText: 'इसके बाद कोई वोट नहीं दे सकेगा।',
  votedAnonymous: 'आपने वोट दिया। परिणाम अंत में, कम से कम पाँच मतदाता होने पर दिखेंगे।',
  anonymousText:
    'यह मतदान गुमनाम है: सर्वर आपके और आपके वोट के बीच कोई संबंध नहीं रखता, और आपका वोट अंतिम है। परिणाम अंत में, कम से कम पाँच मतदाता होने पर दिखेंगे।',
  tooFew: 'पाँच से कम लोगों ने वोट दिया, इसलिए यह गुमनाम मतदान परिणाम नहीं दिखाता।',
} satisfies typeof pollWords

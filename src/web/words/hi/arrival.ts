import type { arrivalWords } from '../arrival.ts'

export default {
  tab: 'नए सदस्य',
  rules: 'नियम',
  rulesHint:
    'बाद में जुड़ने वाले लोग लिखने से पहले ये नियम स्वीकार करते हैं। बदलाव होने पर सदस्यों को सूचना दिखती है ' +
    'और कोई रोका नहीं जाता।',
  rulesField: 'नियम (Markdown, अधिकतम 16 पंक्तियाँ)',
  saveRules: 'नियम सहेजें',
  waiting: 'बस थोड़ा बाकी है: भाग लेने के लिए नियम स्वीकार करें।',
  changed: 'इस सर्वर के नियम बदल गए हैं।',
  read: 'नियम पढ़ें',
  rulesOf: (server) => `${server} के नियम`,
  accept: 'नियम स्वीकार करें',
  goIn: 'अंदर जाएँ',
  noRules: 'इस सर्वर के कोई नियम नहीं हैं। आप अंदर जा सकते हैं।',
  readAgain: 'नियम अभी-अभी बदले हैं। कृपया उन्हें फिर से पढ़ें।',
  welcome: 'स्वागत है!',
  wave: 'हाथ हिलाएँ',
} satisfies typeof arrivalWords

import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'एकीकरण',
  title: 'वेबहुक',
  hint: 'वेबहुक एक URL है जिससे कोई और प्रोग्राम चैनल में लिखता है: Grafana, GitHub, आपकी कोई स्क्रिप्ट।',
  name: 'वेबहुक का नाम',
  channel: 'चैनल',
  make: 'नया वेबहुक',
  none: 'अभी कोई वेबहुक नहीं',
  noneText: 'एक बनाएँ, और उसका URL दूसरे प्रोग्राम में चिपकाएँ।',
  madeBy: (name) => `${name} का`,
  url: 'वेबहुक का URL',
  shownOnce: 'यह URL एक बार दिखाया जाता है। जिसके पास यह है, वह चैनल में लिख सकता है: इसे पासवर्ड की तरह रखें।',
  suffixes: 'Slack के प्रारूप के लिए इसमें /slack जोड़ें, GitHub के लिए /github।',
  edit: (name) => `${name} बदलें`,
  close: 'बंद करें',
  rotate: 'URL नया करें',
  rotateText: 'पिछला URL तुरंत बेकार हो जाएगा। उसे इस्तेमाल करने वाले प्रोग्रामों को नया चाहिए।',
  delete: (name) => `${name} हटाएँ`,
  deleteText: 'इसका URL इस्तेमाल करने वाले प्रोग्राम अब लिख नहीं सकते। इसका लिखा रहेगा।',
  mentions: 'सबका और हर भूमिका का उल्लेख कर सकता है',
  problems: {
    too_many_webhooks: 'इस चैनल में पहले से 15 वेबहुक हैं।',
  },
} satisfies typeof webhookWords

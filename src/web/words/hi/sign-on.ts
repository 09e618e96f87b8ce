// Printed from locales/hi/sign-on.json. After a change there: bun run words
import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `${name} से लॉग इन करें`,
  problems: {
    login_expired: 'इसमें बहुत समय लगा, या यह दूसरी विंडो में शुरू हुआ। फिर कोशिश करें।',
    oidc_failed: 'दूसरी सेवा में लॉगिन विफल हुआ। फिर कोशिश करें, या इस सर्वर के संचालक से पूछें।',
    email_taken:
      'यहाँ का एक खाता पहले से आपका ई-मेल पता इस्तेमाल करता है। उसमें लॉग इन करें, और सुरक्षा सेटिंग में उसे जोड़ें।',
    forbidden: 'यहाँ आपका कोई खाता नहीं है, और इस तरह नए खाते नहीं बनाए जा सकते।',
    identity_taken: 'इस लॉगिन से पहले से कोई और खाता जुड़ा है।',
    identity_linked: 'आपका खाता पहले से जुड़ा है।',
    token_revoked: 'आपका सत्र समाप्त हो गया है। फिर लॉग इन करें।',
    unavailable: 'लॉगिन सर्वर जवाब नहीं दे रहा। थोड़ी देर में फिर कोशिश करें।',
    last_way_in: 'लॉग इन करने का आपके पास यही एक तरीका है। पहले पासवर्ड सेट करें या पासकी जोड़ें।',
  },
  linked: 'आपका खाता जुड़ गया',
  proven: 'धन्यवाद। जो आप कर रहे थे, उसे जारी रखें। दस मिनट तक आपसे फिर नहीं पूछा जाएगा।',
  title: 'सिंगल साइन-ऑन',
  text: (name) => `${name} से यहाँ बिना पासवर्ड के लॉग इन करें।`,
  link: (name) => `${name} से जोड़ें`,
  since: (time) => `जोड़ा गया ${time}`,
  used: (time) => `आखिरी इस्तेमाल ${time}`,
  unlink: 'अलग करें',
  unlinkOf: (name) => `${name} को अलग करें`,
  unlinkText: (name) => `अब आप ${name} से यहाँ लॉग इन नहीं कर सकेंगे।`,
} satisfies typeof signOnWords

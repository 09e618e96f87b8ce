// Printed from locales/hi/account.json. After a change there: bun run words
import type { accountWords } from '../account.ts'

export default {
  signIn: {
    welcome: 'फिर से स्वागत है',
    ended:
      'आपका सत्र किसी दूसरे डिवाइस के ज़रिए समाप्त किया गया। जारी रखने के लिए लॉग इन करें। आपके न भेजे गए संदेश अब भी यहाँ हैं।',
    name: 'उपयोगकर्ता नाम या ई-मेल',
    username: 'उपयोगकर्ता नाम',
    email: 'ई-मेल',
    password: 'पासवर्ड',
    login: 'लॉग इन करें',
    passkey: 'पासकी से लॉग इन करें',
    register: 'खाता बनाएँ',
    forgot: 'पासवर्ड भूल गए?',
    noAccount: 'अभी खाता नहीं है?',
    haveAccount: 'पहले से खाता है?',
    rulesTitle: 'आवश्यकताएँ',
    rules: {
      length: 'कम से कम 12 अक्षर',
      upper: 'एक बड़ा अंग्रेज़ी अक्षर',
      lower: 'एक छोटा अंग्रेज़ी अक्षर',
      digit: 'एक अंक',
      special: '!@#$%^&* में से एक',
    },
  },
  newLogin: ({ device, ip }) =>
    `आपके खाते में नया लॉगिन: ${device}, ${ip} से। अगर यह आप नहीं थे, तो सेटिंग में वह सत्र समाप्त करें।`,
  securityChanged: {
    totp_on: 'आपके खाते के लिए प्रमाणक ऐप सेट की गई।',
    totp_off: 'आपके खाते की प्रमाणक ऐप बंद कर दी गई।',
    recovery_codes: 'आपके खाते के लिए नए रिकवरी कोड बनाए गए।',
    passkey_added: 'आपके खाते में पासकी जोड़ी गई।',
    passkey_removed: 'आपके खाते से पासकी हटाई गई।',
    identity_linked: 'आपका खाता सिंगल साइन-ऑन से जोड़ा गया।',
    identity_unlinked: 'आपका खाता सिंगल साइन-ऑन से अलग किया गया।',
  },
  unknownDevice: 'अज्ञात डिवाइस',
} satisfies typeof accountWords

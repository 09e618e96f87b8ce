import type { moderationWords } from '../moderation.ts'

export default {
  reportMessage: 'संदेश की रिपोर्ट करें',
  reportProfile: 'प्रोफ़ाइल की रिपोर्ट करें',
  reason: 'कारण',
  note: 'उन्हें क्या पता होना चाहिए? (वैकल्पिक)',
  readers: 'इसे कौन पढ़े?',
  toModerators: (server) => `${server} के मॉडरेटर`,
  toOperator: 'केवल इस इंस्टॉलेशन का संचालक',
  readByModerators: (server) =>
    `इसे ${server} के वे मॉडरेटर पढ़ते हैं जो इस सदस्य से ऊपर हैं और यह चैनल पढ़ सकते हैं। वे ` +
    'देखते हैं कि रिपोर्ट किसने की।',
  readByOperator: 'इसे केवल इस इंस्टॉलेशन का संचालक पढ़ता है, मॉडरेटर नहीं। वह देखता है कि रिपोर्ट किसने की।',
  kept: 'उन्हें पाठ, उससे पहले के पाँच संदेश और फ़ाइलें अभी जैसी हैं वैसी मिलती हैं।',
  keptProfile: 'उन्हें नाम और चित्र अभी जैसे हैं वैसे मिलते हैं।',
  send: 'रिपोर्ट भेजें',
  sent: 'आपकी रिपोर्ट भेज दी गई। धन्यवाद।',
  reasons: {
    spam: 'स्पैम या विज्ञापन',
    harassment: 'उत्पीड़न या धमकाना',
    hate: 'किसी समूह के प्रति नफ़रत',
    violence: 'हिंसा या धमकी',
    sexual: 'अनचाही यौन सामग्री',
    minor_safety: 'नाबालिग को ख़तरा',
    self_harm: 'आत्म-क्षति या आत्महत्या',
    illegal: 'कुछ ग़ैरक़ानूनी',
    impersonation: 'किसी और का रूप धरना',
    other: 'कुछ और',
  },
} satisfies typeof moderationWords

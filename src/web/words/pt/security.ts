// Printed from locales/pt/security.json. After a change there: bun run words
import type { securityWords } from '../security.ts'
import { count } from './plural.ts'

export default {
  methods: {
    password: 'Usar sua senha',
    code: 'Usar seu aplicativo autenticador',
    recovery_code: 'Usar um código de recuperação',
    passkey: 'Usar uma chave de acesso',
  },
  fields: {
    password: 'Senha',
    code: 'Código do seu aplicativo autenticador',
    recovery_code: 'Código de recuperação',
  },
  problems: {
    invalid_code: 'Este código está errado, expirou ou já foi usado. Espere o próximo.',
    login_expired: 'Demorou demais, ou houve tentativas demais. Entre de novo.',
    invalid_credentials: 'Senha incorreta.',
  },
  recoveryHint: 'Um dos dez códigos que você salvou. Cada um funciona uma vez.',
  second: {
    title: 'Mais um passo',
    text: 'Confirme que é você.',
    login: 'Entrar',
    back: 'Voltar',
  },
  proof: {
    title: 'Confirme que é você',
    text: 'Isto muda quem pode entrar na sua conta. Não perguntaremos de novo por dez minutos.',
    go: 'Continuar',
    none: 'Você não tem como confirmar sua identidade aqui. Peça ao operador deste servidor um link de redefinição de senha.',
  },
  notThere: 'Nenhuma chave de acesso foi usada: você cancelou, ou não há nenhuma para este site.',
  app: {
    title: 'Aplicativo autenticador',
    off: 'Para entrar, também será preciso um código de um aplicativo no seu celular.',
    since: (time) => `Ativado desde ${time}. Para entrar, é preciso um código do seu aplicativo.`,
    left: (n) =>
      count(
        n,
        'Resta # código de recuperação',
        'Restam # de códigos de recuperação',
        'Restam # códigos de recuperação',
      ),
    setUp: 'Configurar',
    turnOff: 'Desativar',
    turnOffText: 'Você só precisará da sua senha para entrar. Seus códigos de recuperação deixam de funcionar.',
    isOff: 'O aplicativo autenticador está desativado',
    newCodes: 'Novos códigos de recuperação',
    scan: 'Escaneie isto com seu aplicativo autenticador.',
    picture: 'Código QR para o aplicativo autenticador',
    type: 'Ou digite esta chave nele:',
    confirm: 'Depois digite o código que ele mostra',
    turnOn: 'Ativar',
  },
  codes: {
    title: 'Seus códigos de recuperação',
    text: 'Salve-os agora: eles só são mostrados uma vez. Cada código funciona uma vez, quando você não tem o aplicativo. Os códigos anteriores não funcionam mais.',
    file: 'parley-codigos-de-recuperacao.txt',
    heading: ({ name, host }) => `Códigos de recuperação de ${name} em ${host}`,
    download: 'Baixar',
    saved: 'Já salvei',
  },
  passkeys: {
    title: 'Chaves de acesso',
    text: 'Entre com sua digital, rosto, PIN ou chave de segurança, sem senha.',
    add: 'Adicionar uma chave de acesso',
    added: (time) => `adicionada ${time}`,
    used: (time) => `último uso ${time}`,
    name: 'Nome',
    nameHint: 'Para reconhecê-la depois, como “Celular”.',
    rename: 'Renomear',
    renameOf: (name) => `Renomear ${name}`,
    remove: 'Remover',
    removeOf: (name) => `Remover ${name}`,
    removeText: (name) => `${name} não deixará mais você entrar aqui.`,
  },
  files: {
    title: 'Arquivos deste aplicativo',
    text: 'Este navegador pode guardar os arquivos deste aplicativo e perguntar antes de pegar outros do servidor. Compare o hash deles com o de uma versão publicada.',
    pin: 'Recusar arquivos alterados',
    kept: ({ version, date }) => `Versão ${version}, guardada desde ${date}`,
    hash: 'Hash dos seus arquivos',
    limits:
      'Isso encontra arquivos alterados por engano ou por outra pessoa. O operador do servidor pode contornar isso: os navegadores substituem sem perguntar a parte que verifica os arquivos.',
    noWorker: 'Este navegador não consegue guardar os arquivos desta página.',
    question: 'O servidor tem outros arquivos',
    questionText: ({ version, next }) =>
      `Você usa a versão ${version}. O servidor diz que os arquivos dele são da versão ${next}. Aceite-os somente se o hash for o da versão publicada.`,
    next: 'Hash dos novos arquivos',
    take: 'Aceitar os novos arquivos',
    keep: 'Manter meus arquivos',
    problems: {
      mismatch: 'Um arquivo do servidor não é o que a lista dele indica. Seus arquivos ficam como estão.',
      incomplete: 'Nem todos os arquivos puderam ser carregados. Seus arquivos ficam como estão.',
    },
    refused: 'O servidor enviou um arquivo alterado deste aplicativo. Ele foi recusado.',
    unlisted:
      'O servidor alterou a parte deste aplicativo que verifica os arquivos, mas a lista não mudou. Compare os arquivos com a versão publicada antes de recarregar esta página.',
  },
} satisfies typeof securityWords

/** What telephones, people and mailboxes say in a language. */
interface ScreeningSamples {
  /** Call screening. */
  asks: string;
  /** A person who asks for name and reason. */
  person: string;
  /** Call screening puts the caller through. */
  connects: string;
  mailbox: string;
  /** A mailbox, or a person, promises to call back. */
  calls: string;
}

/** By language, or by tag where a region speaks differently. */
export const SCREENING_SAMPLES: Readonly<Record<string, ScreeningSamples>> = {
  en: {
    asks: 'Please say your name and why you are calling.',
    person: 'Sorry, what was your name again and why are you calling me?',
    connects: 'Please hold while I connect you.',
    mailbox: 'Please leave a message after the tone.',
    calls: 'We will call you back.',
  },
  de: {
    asks: 'Bitte nennen Sie Ihren Namen und den Grund Ihres Anrufs.',
    person: 'Wie war Ihr Name, und warum rufen Sie mich an?',
    connects: 'Bleiben Sie dran, ich verbinde Sie.',
    mailbox: 'Hinterlassen Sie eine Nachricht nach dem Signalton.',
    calls: 'Ich rufe Sie so bald wie möglich zurück.',
  },
  es: {
    asks: 'Diga su nombre y el motivo de su llamada, por favor.',
    person: '¿Cuál era su nombre y por qué me llama?',
    connects: 'No cuelgue, le paso.',
    mailbox: 'Deje su mensaje después de la señal.',
    calls: 'Le llamaremos lo antes posible.',
  },
  fr: {
    asks: 'Veuillez indiquer votre nom et la raison de votre appel.',
    person: 'Quel est votre nom et pourquoi appelez-vous ?',
    connects: 'Ne quittez pas, je vous passe votre correspondant.',
    mailbox: 'Laissez un message après le bip.',
    calls: 'Je vous rappelle dès que possible.',
  },
  it: {
    asks: 'Dica il suo nome e il motivo della chiamata.',
    person: 'Qual è il suo nome e perché mi chiama?',
    connects: 'Attenda in linea, la collego.',
    mailbox: 'Lasci un messaggio dopo il segnale.',
    calls: 'La richiameremo al più presto.',
  },
  pt: {
    asks: 'Diga o seu nome e o motivo da chamada.',
    person: 'Qual é o seu nome e o motivo para me ligar?',
    connects: 'Aguarde na linha, vou transferir.',
    mailbox: 'Deixe a sua mensagem após o sinal.',
    calls: 'Retornaremos a sua ligação.',
  },
  nl: {
    asks: 'Noem uw naam en de reden van uw telefoontje.',
    person: 'Wat was uw naam, en waarom bel je mij?',
    connects: 'Blijf aan de lijn, ik verbind u door.',
    mailbox: 'Spreek een bericht in na de piep.',
    calls: 'Ik bel u zo snel mogelijk terug.',
  },
  pl: {
    asks: 'Proszę podać imię i nazwisko oraz powód rozmowy.',
    person: 'Jak się pan nazywa, jakie imię i powód, kto dzwoni?',
    connects: 'Proszę czekać, łączę rozmowę.',
    mailbox: 'Proszę zostawić wiadomość po sygnale.',
    calls: 'Oddzwonimy jak najszybciej.',
  },
  sv: {
    asks: 'Säg ditt namn och varför du ringer.',
    person: 'Vad var ditt namn, och varför ringer du mig?',
    connects: 'Vänta kvar, jag kopplar dig.',
    mailbox: 'Lämna ett meddelande efter tonen.',
    calls: 'Jag ringer dig tillbaka.',
  },
  da: {
    asks: 'Sig dit navn og hvorfor du ringer.',
    person: 'Hvad var dit navn, og hvorfor ringer du til mig?',
    connects: 'Bliv på linjen, jeg stiller dig om.',
    mailbox: 'Læg en besked efter tonen.',
    calls: 'Jeg ringer dig tilbage.',
  },
  nb: {
    asks: 'Si navnet ditt og hvorfor du ringer.',
    person: 'Hva var navnet ditt, og hvorfor ringer du meg?',
    connects: 'Hold linjen, jeg setter deg over.',
    mailbox: 'Legg igjen en beskjed etter tonen.',
    calls: 'Jeg ringer deg tilbake.',
  },
  fi: {
    asks: 'Sano nimesi ja puhelusi syy.',
    person: 'Mikä nimenne olikaan, ja mitä asianne koskee?',
    connects: 'Odottakaa, yhdistän teidät.',
    mailbox: 'Jättäkää viesti äänimerkin jälkeen.',
    calls: 'Soitan teille takaisin.',
  },
  cs: {
    asks: 'Řekněte své jméno a důvod hovoru.',
    person: 'Jaké je vaše jméno a proč mi voláte?',
    connects: 'Vyčkejte, přepojuji vás.',
    mailbox: 'Zanechte vzkaz po zaznění tónu.',
    calls: 'Zavoláme vám zpět.',
  },
  sk: {
    asks: 'Povedzte svoje meno a dôvod hovoru.',
    person: 'Aké je vaše meno a prečo mi voláte?',
    connects: 'Vyčkajte, prepájam vás.',
    mailbox: 'Zanechajte odkaz po zaznení tónu.',
    calls: 'Zavoláme vám späť.',
  },
  hu: {
    asks: 'Mondja meg a nevét és a hívás okát.',
    person: 'Mi volt a neve, és miért hív engem?',
    connects: 'Kérem, tartsa a vonalat, kapcsolom.',
    mailbox: 'Hagyjon üzenetet a sípszó után.',
    calls: 'Visszahívjuk önt.',
  },
  ro: {
    asks: 'Spuneți numele și motivul apelului.',
    person: 'Care este numele dumneavoastră și de ce mă sunați?',
    connects: 'Vă rog să așteptați, vă fac legătura.',
    mailbox: 'Lăsați un mesaj după semnal.',
    calls: 'Vă vom suna înapoi.',
  },
  bg: {
    asks: 'Кажете името си и причината за обаждането.',
    person: 'Как беше името ви и защо ми звъните?',
    connects: 'Изчакайте, свързвам ви.',
    mailbox: 'Оставете съобщение след сигнала.',
    calls: 'Ще ви се обадим.',
  },
  el: {
    asks: 'Πείτε το όνομά σας και τον λόγο της κλήσης.',
    person: 'Ποιο είναι το όνομά σας και γιατί με καλείτε;',
    connects: 'Παραμείνετε στη γραμμή, σας συνδέω.',
    mailbox: 'Αφήστε μήνυμα μετά τον χαρακτηριστικό ήχο.',
    calls: 'Θα σας καλέσουμε σύντομα.',
  },
  tr: {
    asks: 'Lütfen adınızı ve arama nedeninizi söyleyin.',
    person: 'Adınız neydi, neden beni arıyorsunuz?',
    connects: 'Lütfen hatta kalın, bağlıyorum.',
    mailbox: 'Lütfen sinyal sesinden sonra mesaj bırakın.',
    calls: 'Sizi en kısa sürede arayacağız.',
  },
  uk: {
    asks: "Назвіть своє ім'я та причину дзвінка.",
    person: "Як ваше ім'я і чому ви мені телефонуєте?",
    connects: "Залишайтеся на лінії, я вас з'єдную.",
    mailbox: 'Залиште повідомлення після сигналу.',
    calls: 'Ми вам зателефонуємо.',
  },
  ru: {
    asks: 'Назовите своё имя и причину звонка.',
    person: 'Как ваше имя и почему вы мне звоните?',
    connects: 'Оставайтесь на линии, я вас соединю.',
    mailbox: 'Оставьте сообщение после сигнала.',
    calls: 'Мы вам перезвоним.',
  },
  ar: {
    asks: 'من فضلك اذكر اسمك وسبب الاتصال.',
    person: 'ما اسمك ولماذا تتصل بي؟',
    connects: 'ابق على الخط، سأوصلك.',
    mailbox: 'اترك رسالة بعد الصافرة.',
    calls: 'سنتصل بك لاحقاً.',
  },
  he: {
    asks: 'אמרו את שמכם ואת סיבת השיחה.',
    person: 'מה השם שלך ולמה אתה מתקשר אליי?',
    connects: 'המתינו על הקו, מעביר את השיחה.',
    mailbox: 'השאירו הודעה אחרי הצליל.',
    calls: 'נחזור אליכם בהקדם.',
  },
  hi: {
    asks: 'कृपया अपना नाम और कॉल का कारण बताइए।',
    person: 'आपका नाम क्या है और आप मुझे क्यों कॉल कर रहे हैं?',
    connects: 'लाइन पर बने रहें, मैं जोड़ रहा हूँ।',
    mailbox: 'बीप के बाद संदेश छोड़ें।',
    calls: 'हम आपको जल्द कॉल करेंगे।',
  },
  id: {
    asks: 'Silakan sebutkan nama dan alasan Anda menelepon.',
    person: 'Nama Anda siapa tadi, dan kenapa menelepon saya?',
    connects: 'Mohon tunggu, saya sambungkan.',
    mailbox: 'Tinggalkan pesan setelah bunyi bip.',
    calls: 'Kami akan menghubungi Anda kembali.',
  },
  vi: {
    asks: 'Vui lòng cho biết tên và lý do gọi.',
    person: 'Tên bạn là gì và tại sao bạn gọi cho tôi?',
    connects: 'Xin giữ máy, tôi nối máy cho bạn.',
    mailbox: 'Vui lòng để lại lời nhắn sau tiếng bíp.',
    calls: 'Tôi sẽ gọi lại cho bạn.',
  },
  ja: {
    asks: 'お名前とご用件をお話しください。',
    person: 'お名前は何とおっしゃいましたか、ご用件は？',
    connects: '少々お待ちください、おつなぎします。',
    mailbox: '発信音の後にメッセージをどうぞ。',
    calls: '折り返しご連絡いたします。',
  },
  ko: {
    asks: '이름과 용건을 말씀해 주세요.',
    person: '이름이 뭐라고 하셨죠, 왜 전화하신 이유가 뭐예요?',
    connects: '잠시 기다려 주세요, 연결해 드리겠습니다.',
    mailbox: '삐 소리 후 메시지를 남겨 주세요.',
    calls: '다시 전화드리겠습니다.',
  },
  zh: {
    asks: '请说出您的姓名和来电原因。',
    person: '你叫什么名字，找我什么事？',
    connects: '请稍等，正在为您转接。',
    mailbox: '请在提示音后留言。',
    calls: '我会尽快给您回电。',
  },
  'zh-TW': {
    asks: '請說出您的姓名和來電原因。',
    person: '你叫什麼名字，找我什麼事？',
    connects: '請稍等，正在為您轉接。',
    mailbox: '請在嗶聲後留言。',
    calls: '我會盡快給您回電。',
  },
  ca: {
    asks: 'Digui el seu nom i el motiu de la trucada.',
    person: 'Quin és el seu nom i per què em truca?',
    connects: 'No pengi, el passo.',
    mailbox: 'Deixi un missatge després del senyal.',
    calls: 'Li tornarem la trucada.',
  },
  hr: {
    asks: 'Recite ime i razlog poziva.',
    person: 'Koje je vaše ime i zašto me zovete?',
    connects: 'Pričekajte, spajam vas.',
    mailbox: 'Ostavite poruku nakon zvučnog signala.',
    calls: 'Nazvat ćemo vas.',
  },
  'pt-BR': {
    asks: 'Diga seu nome e o motivo da ligação.',
    person: 'Qual é o seu nome e o motivo de você me ligar?',
    connects: 'Aguarde na linha, vou transferir a ligação.',
    mailbox: 'Deixe seu recado após o sinal.',
    calls: 'Retornaremos a sua ligação.',
  },
};

/** In the order of the names in strings.ts, one a line: the file is loaded by every page. */
export const TEXTS: Record<string, string> = {
  en: `Talk to us
Close
Talk to our assistant
An automated assistant answers. You can speak or write.
Talk
Write
Start again
Your message
Send
Mute
Unmute
Interrupt
End
You
Assistant
Connecting…
Listening
Speaking
Connected
Muted
The conversation has ended.
The connection broke. Trying again…
No microphone was found. You can write instead.
The microphone is blocked. Allow it in your browser, or write instead.
Your browser cannot understand speech here. You can write instead.
You are offline.
The service cannot be reached.
This page may not start conversations.
All lines are busy. Please try again in a moment.
The assistant is not available at the moment.
The connection was lost.`,
  de: `Mit uns sprechen
Schließen
Sprechen Sie mit unserem Assistenten
Es antwortet ein automatischer Assistent. Sie können sprechen oder schreiben.
Sprechen
Schreiben
Neu beginnen
Ihre Nachricht
Senden
Stumm
Stumm aus
Unterbrechen
Beenden
Sie
Assistent
Verbindung wird aufgebaut…
Hört zu
Spricht
Verbunden
Stumm geschaltet
Das Gespräch ist beendet.
Die Verbindung ist abgebrochen. Neuer Versuch…
Es wurde kein Mikrofon gefunden. Sie können schreiben.
Das Mikrofon ist gesperrt. Erlauben Sie es im Browser oder schreiben Sie.
Ihr Browser versteht hier keine Sprache. Sie können schreiben.
Sie sind offline.
Der Dienst ist nicht erreichbar.
Diese Seite darf keine Gespräche beginnen.
Alle Leitungen sind belegt. Bitte versuchen Sie es gleich noch einmal.
Der Assistent ist zurzeit nicht verfügbar.
Die Verbindung ist verloren.`,
  es: `Hable con nosotros
Cerrar
Hable con nuestro asistente
Responde un asistente automático. Puede hablar o escribir.
Hablar
Escribir
Empezar de nuevo
Su mensaje
Enviar
Silenciar
Activar micrófono
Interrumpir
Terminar
Usted
Asistente
Conectando…
Escuchando
Hablando
Conectado
Silenciado
La conversación ha terminado.
Se cortó la conexión. Intentando de nuevo…
No se encontró ningún micrófono. Puede escribir.
El micrófono está bloqueado. Permítalo en su navegador o escriba.
Su navegador no entiende la voz aquí. Puede escribir.
No tiene conexión.
No se puede acceder al servicio.
Esta página no puede iniciar conversaciones.
Todas las líneas están ocupadas. Inténtelo de nuevo en un momento.
El asistente no está disponible en este momento.
Se perdió la conexión.`,
  fr: `Nous parler
Fermer
Parlez à notre assistant
Un assistant automatique répond. Vous pouvez parler ou écrire.
Parler
Écrire
Recommencer
Votre message
Envoyer
Couper le micro
Rétablir le micro
Interrompre
Terminer
Vous
Assistant
Connexion…
À l’écoute
Parle
Connecté
Micro coupé
La conversation est terminée.
La connexion est interrompue. Nouvel essai…
Aucun microphone n’a été trouvé. Vous pouvez écrire.
Le microphone est bloqué. Autorisez-le dans votre navigateur ou écrivez.
Votre navigateur ne comprend pas la parole ici. Vous pouvez écrire.
Vous êtes hors ligne.
Le service est inaccessible.
Cette page ne peut pas commencer de conversations.
Toutes les lignes sont occupées. Veuillez réessayer dans un instant.
L’assistant n’est pas disponible pour le moment.
La connexion est perdue.`,
  it: `Parli con noi
Chiudi
Parli con il nostro assistente
Risponde un assistente automatico. Può parlare o scrivere.
Parla
Scrivi
Ricomincia
Il suo messaggio
Invia
Disattiva microfono
Attiva microfono
Interrompi
Termina
Lei
Assistente
Connessione…
In ascolto
Sta parlando
Connesso
Microfono disattivato
La conversazione è terminata.
La connessione si è interrotta. Nuovo tentativo…
Nessun microfono trovato. Può scrivere.
Il microfono è bloccato. Lo consenta nel browser oppure scriva.
Il suo browser qui non capisce la voce. Può scrivere.
È offline.
Il servizio non è raggiungibile.
Questa pagina non può avviare conversazioni.
Tutte le linee sono occupate. Riprovi tra un momento.
L’assistente al momento non è disponibile.
La connessione è stata persa.`,
  pt: `Fale connosco
Fechar
Fale com o nosso assistente
Responde um assistente automático. Pode falar ou escrever.
Falar
Escrever
Começar de novo
A sua mensagem
Enviar
Silenciar
Ativar microfone
Interromper
Terminar
Você
Assistente
A ligar…
A ouvir
A falar
Ligado
Silenciado
A conversa terminou.
A ligação caiu. A tentar de novo…
Não foi encontrado nenhum microfone. Pode escrever.
O microfone está bloqueado. Permita-o no navegador ou escreva.
O seu navegador não entende voz aqui. Pode escrever.
Está sem ligação à Internet.
Não é possível contactar o serviço.
Esta página não pode iniciar conversas.
Todas as linhas estão ocupadas. Tente de novo dentro de momentos.
O assistente não está disponível neste momento.
A ligação perdeu-se.`,
  nl: `Praat met ons
Sluiten
Praat met onze assistent
Een automatische assistent antwoordt. U kunt praten of schrijven.
Praten
Schrijven
Opnieuw beginnen
Uw bericht
Versturen
Dempen
Dempen uit
Onderbreken
Beëindigen
U
Assistent
Verbinden…
Luistert
Spreekt
Verbonden
Gedempt
Het gesprek is beëindigd.
De verbinding is verbroken. Nieuwe poging…
Er is geen microfoon gevonden. U kunt schrijven.
De microfoon is geblokkeerd. Sta hem toe in uw browser of schrijf.
Uw browser verstaat hier geen spraak. U kunt schrijven.
U bent offline.
De dienst is niet bereikbaar.
Deze pagina mag geen gesprekken beginnen.
Alle lijnen zijn bezet. Probeer het zo nog eens.
De assistent is op dit moment niet beschikbaar.
De verbinding is verloren gegaan.`,
  pl: `Porozmawiaj z nami
Zamknij
Porozmawiaj z naszym asystentem
Odpowiada automatyczny asystent. Można mówić lub pisać.
Mów
Pisz
Zacznij od nowa
Twoja wiadomość
Wyślij
Wycisz
Wyłącz wyciszenie
Przerwij
Zakończ
Ty
Asystent
Łączenie…
Słucha
Mówi
Połączono
Wyciszono
Rozmowa została zakończona.
Połączenie zostało przerwane. Ponowna próba…
Nie znaleziono mikrofonu. Można pisać.
Mikrofon jest zablokowany. Zezwól na niego w przeglądarce albo pisz.
Przeglądarka nie rozumie tu mowy. Można pisać.
Brak połączenia z internetem.
Usługa jest nieosiągalna.
Ta strona nie może rozpoczynać rozmów.
Wszystkie linie są zajęte. Spróbuj ponownie za chwilę.
Asystent jest chwilowo niedostępny.
Połączenie zostało utracone.`,
};

/**
 * Names of time zones that are no identifiers of the IANA database: of Windows with their default zone (facts of CLDR's
 * windowsZones), what Windows and Outlook show for them, and the names of Rails, which many CRMs have. Names that
 * differ in meaning between these lists are left out. EST and MST are identifiers of zones without summer time, but
 * people write them for the zones with it, like CST and PST. Each line: a zone, then its names.
 */
const ALIASES = `
Etc/GMT+12: Dateline Standard Time
Etc/GMT+11: UTC-11; Coordinated Universal Time-11
Pacific/Pago_Pago: American Samoa
America/Adak: Aleutian Standard Time; Aleutian Islands
Pacific/Honolulu: Hawaiian Standard Time; Hawaii
Pacific/Marquesas: Marquesas Standard Time; Marquesas Islands
America/Anchorage: Alaskan Standard Time; Alaska
Etc/GMT+9: UTC-09; Coordinated Universal Time-09
America/Tijuana: Pacific Standard Time (Mexico); Baja California; Tijuana
Etc/GMT+8: UTC-08; Coordinated Universal Time-08
America/Los_Angeles: Pacific Standard Time; Pacific Time (US & Canada)
America/Phoenix: US Mountain Standard Time; Arizona
America/Mazatlan: Mountain Standard Time (Mexico); Chihuahua, La Paz, Mazatlan; La Paz, Mazatlan; Mazatlan
America/Denver: MST; Mountain Standard Time; Mountain Time (US & Canada)
America/Whitehorse: Yukon Standard Time; Yukon
America/Guatemala: Central America Standard Time; Central America
America/Chicago: Central Standard Time; Central Time (US & Canada)
Pacific/Easter: Easter Island Standard Time; Easter Island
America/Mexico_City: Central Standard Time (Mexico); Guadalajara, Mexico City, Monterrey; Guadalajara; Mexico City; Monterrey
America/Regina: Canada Central Standard Time; Saskatchewan
America/Bogota: SA Pacific Standard Time; Bogota, Lima, Quito, Rio Branco; Bogota, Lima, Quito; Bogota
America/Lima: Lima
America/Cancun: Eastern Standard Time (Mexico); Chetumal
America/New_York: EST; Eastern Standard Time; Eastern Time (US & Canada)
America/Port-au-Prince: Haiti Standard Time; Haiti
America/Havana: Cuba Standard Time; Havana
America/Indiana/Indianapolis: US Eastern Standard Time; Indiana (East)
America/Grand_Turk: Turks And Caicos Standard Time; Turks and Caicos
America/Asuncion: Paraguay Standard Time; Asuncion
America/Halifax: Atlantic Standard Time; Atlantic Time (Canada)
America/Caracas: Venezuela Standard Time; Caracas
America/Cuiaba: Central Brazilian Standard Time; Cuiaba
America/La_Paz: SA Western Standard Time; Georgetown, La Paz, Manaus, San Juan
America/Puerto_Rico: Puerto Rico
America/Santiago: Pacific SA Standard Time; Santiago
America/St_Johns: Newfoundland Standard Time; Newfoundland
America/Araguaina: Tocantins Standard Time; Araguaina
America/Sao_Paulo: E. South America Standard Time; Brasilia
America/Cayenne: SA Eastern Standard Time; Cayenne, Fortaleza
America/Argentina/Buenos_Aires: Argentina Standard Time; City of Buenos Aires; Buenos Aires
America/Godthab: Greenland Standard Time; Greenland
America/Montevideo: Montevideo Standard Time; Montevideo
America/Punta_Arenas: Magallanes Standard Time; Punta Arenas
America/Miquelon: Saint Pierre Standard Time; Saint Pierre and Miquelon
America/Bahia: Bahia Standard Time; Salvador
Etc/GMT+2: UTC-02; Coordinated Universal Time-02
Atlantic/Azores: Azores Standard Time; Azores
Atlantic/Cape_Verde: Cape Verde Standard Time; Cabo Verde Is.; Cape Verde Is.
UTC: Coordinated Universal Time
Europe/London: GMT Standard Time; Dublin, Edinburgh, Lisbon, London; London; Edinburgh
Europe/Dublin: Dublin
Europe/Lisbon: Lisbon
Atlantic/Reykjavik: Greenwich Standard Time; Monrovia, Reykjavik
Africa/Sao_Tome: Sao Tome Standard Time; Sao Tome
Africa/Casablanca: Morocco Standard Time; Casablanca
Europe/Berlin: W. Europe Standard Time; Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna; Berlin
Europe/Amsterdam: Amsterdam
Europe/Zurich: Bern; Zurich
Europe/Rome: Rome
Europe/Stockholm: Stockholm
Europe/Vienna: Vienna
Europe/Budapest: Central Europe Standard Time; Belgrade, Bratislava, Budapest, Ljubljana, Prague; Budapest
Europe/Belgrade: Belgrade
Europe/Prague: Prague
Europe/Paris: Romance Standard Time; Brussels, Copenhagen, Madrid, Paris; Paris
Europe/Brussels: Brussels
Europe/Copenhagen: Copenhagen
Europe/Madrid: Madrid
Europe/Warsaw: Central European Standard Time; Sarajevo, Skopje, Warsaw, Zagreb; Warsaw
Africa/Lagos: W. Central Africa Standard Time; West Central Africa
Asia/Amman: Jordan Standard Time; Amman
Europe/Bucharest: GTB Standard Time; Athens, Bucharest; Bucharest
Europe/Athens: Athens
Asia/Beirut: Middle East Standard Time; Beirut
Africa/Cairo: Egypt Standard Time; Cairo
Europe/Chisinau: E. Europe Standard Time; Chisinau
Asia/Damascus: Syria Standard Time; Damascus
Asia/Hebron: West Bank Standard Time; Gaza, Hebron
Africa/Johannesburg: South Africa Standard Time; Harare, Pretoria; Pretoria
Europe/Kyiv: FLE Standard Time; Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius; Kyiv
Europe/Helsinki: Helsinki
Europe/Riga: Riga
Europe/Sofia: Sofia
Europe/Tallinn: Tallinn
Europe/Vilnius: Vilnius
Asia/Jerusalem: Israel Standard Time; Jerusalem
Africa/Juba: South Sudan Standard Time; Juba
Europe/Kaliningrad: Kaliningrad Standard Time; Kaliningrad
Africa/Khartoum: Sudan Standard Time; Khartoum
Africa/Tripoli: Libya Standard Time; Tripoli
Africa/Windhoek: Namibia Standard Time; Windhoek
Asia/Baghdad: Arabic Standard Time; Baghdad
Europe/Istanbul: Turkey Standard Time; Istanbul
Asia/Riyadh: Arab Standard Time; Kuwait, Riyadh; Riyadh
Europe/Minsk: Belarus Standard Time; Minsk
Europe/Moscow: Russian Standard Time; Moscow, St. Petersburg; Moscow; St. Petersburg
Africa/Nairobi: E. Africa Standard Time; Nairobi
Asia/Tehran: Iran Standard Time; Tehran
Asia/Dubai: Arabian Standard Time; Abu Dhabi, Muscat; Abu Dhabi
Europe/Astrakhan: Astrakhan Standard Time; Astrakhan, Ulyanovsk
Asia/Baku: Azerbaijan Standard Time; Baku
Europe/Samara: Russia Time Zone 3; Izhevsk, Samara; Samara
Indian/Mauritius: Mauritius Standard Time; Port Louis
Europe/Saratov: Saratov Standard Time; Saratov
Asia/Tbilisi: Georgian Standard Time; Tbilisi
Europe/Volgograd: Volgograd Standard Time; Volgograd
Asia/Yerevan: Caucasus Standard Time; Yerevan
Asia/Kabul: Afghanistan Standard Time; Kabul
Asia/Tashkent: West Asia Standard Time; Ashgabat, Tashkent; Tashkent
Asia/Yekaterinburg: Ekaterinburg Standard Time; Ekaterinburg
Asia/Karachi: Pakistan Standard Time; Islamabad, Karachi; Islamabad; Karachi
Asia/Qyzylorda: Qyzylorda Standard Time; Qyzylorda
Asia/Kolkata: India Standard Time; Chennai, Kolkata, Mumbai, New Delhi; Chennai; Kolkata; Mumbai; New Delhi
Asia/Colombo: Sri Lanka Standard Time; Sri Jayawardenepura
Asia/Kathmandu: Nepal Standard Time; Kathmandu
Asia/Bishkek: Central Asia Standard Time
Asia/Dhaka: Bangladesh Standard Time; Dhaka
Asia/Omsk: Omsk Standard Time; Omsk
Asia/Yangon: Myanmar Standard Time; Yangon (Rangoon); Rangoon
Asia/Bangkok: SE Asia Standard Time; Bangkok, Hanoi, Jakarta; Bangkok; Hanoi
Asia/Jakarta: Jakarta
Asia/Barnaul: Altai Standard Time; Barnaul, Gorno-Altaysk
Asia/Hovd: W. Mongolia Standard Time; Hovd
Asia/Krasnoyarsk: North Asia Standard Time; Krasnoyarsk
Asia/Novosibirsk: N. Central Asia Standard Time; Novosibirsk
Asia/Tomsk: Tomsk Standard Time; Tomsk
Asia/Shanghai: China Standard Time; Beijing, Chongqing, Hong Kong, Urumqi; Beijing
Asia/Hong_Kong: Hong Kong
Asia/Irkutsk: North Asia East Standard Time; Irkutsk
Asia/Singapore: Singapore Standard Time; Kuala Lumpur, Singapore
Asia/Kuala_Lumpur: Kuala Lumpur
Australia/Perth: W. Australia Standard Time; Perth
Asia/Taipei: Taipei Standard Time; Taipei
Asia/Ulaanbaatar: Ulaanbaatar Standard Time; Ulaanbaatar
Australia/Eucla: Aus Central W. Standard Time; Eucla
Asia/Chita: Transbaikal Standard Time; Chita
Asia/Tokyo: Tokyo Standard Time; Osaka, Sapporo, Tokyo; Tokyo; Osaka; Sapporo
Asia/Pyongyang: North Korea Standard Time; Pyongyang
Asia/Seoul: Korea Standard Time; Seoul
Asia/Yakutsk: Yakutsk Standard Time; Yakutsk
Australia/Adelaide: Cen. Australia Standard Time; Adelaide
Australia/Darwin: AUS Central Standard Time; Darwin
Australia/Brisbane: E. Australia Standard Time; Brisbane
Australia/Sydney: AUS Eastern Standard Time; Canberra, Melbourne, Sydney; Sydney; Melbourne; Canberra
Pacific/Port_Moresby: West Pacific Standard Time; Guam, Port Moresby; Port Moresby
Pacific/Guam: Guam
Australia/Hobart: Tasmania Standard Time; Hobart
Asia/Vladivostok: Vladivostok Standard Time; Vladivostok
Australia/Lord_Howe: Lord Howe Standard Time; Lord Howe Island
Pacific/Bougainville: Bougainville Standard Time; Bougainville Island
Asia/Srednekolymsk: Russia Time Zone 10; Chokurdakh
Asia/Magadan: Magadan Standard Time; Magadan
Pacific/Norfolk: Norfolk Standard Time; Norfolk Island
Asia/Sakhalin: Sakhalin Standard Time; Sakhalin
Pacific/Guadalcanal: Central Pacific Standard Time; Solomon Is., New Caledonia; Solomon Is.
Asia/Kamchatka: Russia Time Zone 11; Anadyr, Petropavlovsk-Kamchatsky; Kamchatka
Pacific/Auckland: New Zealand Standard Time; Auckland, Wellington; Auckland; Wellington
Etc/GMT-12: UTC+12; Coordinated Universal Time+12
Pacific/Fiji: Fiji Standard Time; Fiji
Pacific/Chatham: Chatham Islands Standard Time; Chatham Islands; Chatham Is.
Etc/GMT-13: UTC+13; Coordinated Universal Time+13
Pacific/Tongatapu: Tonga Standard Time; Nuku'alofa
Pacific/Apia: Samoa Standard Time
Pacific/Kiritimati: Line Islands Standard Time; Kiritimati Island
`;

/** IANA identifiers by the lower-cased other name. */
export const ZONE_ALIASES: ReadonlyMap<string, string> = new Map(
  ALIASES.trim()
    .split('\n')
    .flatMap((line) => {
      const [zone = '', names = ''] = line.split(': ');
      return names.split('; ').map((name) => [name.toLowerCase(), zone] as const);
    }),
);

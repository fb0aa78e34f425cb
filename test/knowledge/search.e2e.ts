import { beforeAll, describe, expect, it } from '@jest/globals';
import { addDocuments, aKnowledgeBase } from '../factories/knowledge.js';
import { anAccount, type TestAccount } from '../factories/account.js';

interface Found {
  document_id: number;
  document_name: string;
  score: number;
  coverage: number;
  matched_words: string[];
  text: string;
}

const HELP = {
  Hours: 'The shop is open from nine to six on weekdays. On Saturdays it closes at noon, on Sundays all day.',
  Returns: 'Goods can be sent back within thirty days. The refund is paid to the card that was charged.',
  Shipping:
    'Parcels leave the warehouse on the day of the order. Delivery takes two days within the country.',
  Repairs: 'Mrs Kowalczyk repairs watches in the workshop behind the shop. A repair takes about a week.',
  Vouchers: 'A voucher is valid for three years and can be used in the shop and on the web page.',
  Parking: 'Customers of the shop park for free behind the house.',
};

/** Limits of the fields: test/http/matrix-fields.e2e.ts. */
describe('the search in a knowledge base', () => {
  let user: TestAccount;
  let base: number;

  beforeAll(async () => {
    user = await anAccount({ plan: 'unlimited' });
    base = await aKnowledgeBase(user, HELP);
  });

  const search = async (query: string, fields: object = {}, id = base): Promise<Found[]> => {
    const path = `/user/knowledgebases/${id}/search`;
    const { status, body } = await user.client.post<{ data: Found[] }>(path, { query, ...fields });
    expect(status).toBe(200);
    return body.data;
  };
  const best = async (query: string, id = base) => (await search(query, {}, id))[0]?.document_name;

  it.each([
    ['When do you open on Saturday?', 'Hours'],
    ['Can I get my money refunded to the card?', 'Returns'],
    ['How long does a delivery take?', 'Shipping'],
    ['Who repairs my watch?', 'Repairs'],
    ['How long is a voucher valid?', 'Vouchers'],
    ['Where can I park?', 'Parking'],
  ])('finds the passage for "%s"', async (question, document) => {
    expect(await best(question)).toBe(document);
  });

  it('puts a rare word before a common one', async () => {
    expect(await best('the shop of Kowalczyk')).toBe('Repairs');
  });

  it.each(['Kowalcyzk', 'Kowalczik', 'Kowalc'])('finds a name that is written %s', async (name) => {
    expect(await best(`Is ${name} there?`)).toBe('Repairs');
  });

  it('takes a part in quotes as it stands', async () => {
    expect((await search('"two days"')).map((found) => found.document_name)).toEqual(['Shipping']);
    expect(await search('"days two"')).toEqual([]);
    expect(await search('«days two»')).toEqual([]);
    expect(await search('«two days»')).toHaveLength(1);
  });

  it('tells the source, the words that were found and how much of the question they are', async () => {
    const [found] = await search('free parking for elephants');
    expect(found).toEqual({
      document_id: expect.any(Number),
      document_name: 'Parking',
      seq: 1,
      title: 'Parking',
      headings: [],
      page: null,
      url: null,
      text: HELP.Parking,
      score: expect.any(Number),
      coverage: expect.any(Number),
      matched_words: expect.arrayContaining(['free', 'park']),
    });
    expect(found?.coverage).toBeGreaterThan(0);
    expect(found?.coverage).toBeLessThan(1);
  });

  it('returns the best first, as many as are asked for', async () => {
    const all = await search('shop');
    expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).sort((a, b) => b - a));
    expect(all).toHaveLength(4);
    expect(await search('shop', { limit: 2 })).toEqual(all.slice(0, 2));
  });

  it.each(['elephants', 'the of and', '!?', "'; DROP TABLE x; --", 'a & | ! ( <-> :*'])(
    'finds nothing for %s',
    async (query) => {
      expect(await search(query)).toEqual([]);
    },
  );

  it('reduces words as the language of the base does, and shows nothing of another base', async () => {
    const german = await aKnowledgeBase(
      user,
      {
        Öffnung: 'Samstags haben die Geschäfte bis zwölf Uhr geöffnet.',
        Preise: 'Ein Gutschein gilt drei Jahre.',
      },
      { language: 'de' },
    );
    expect(await best('Wann hat das Geschäft am Samstag offen?', german)).toBe('Öffnung');
    expect(await best('Wie lange gelten Gutscheine?', german)).toBe('Preise');
    expect(await search('shop', {}, german)).toEqual([]);
    expect(await search('Uhr')).toEqual([]);
  });

  it.each([
    ['zh', '我们的商店星期六营业到九点。', '星期六几点关门？', '“营业到九点”'],
    ['ja', '土曜日は午前九時から営業しています。', '営業時間は？', '“午前九時”'],
    ['ko', '가게는 토요일에 아홉 시에 엽니다.', '토요일', '“아홉 시에”'],
    ['fr', 'Le petit déjeuner de l’hôtel est servi à huit heures.', "L'hôtel", "“de l'hôtel”"],
    ['en', 'The customer’s parcel is kept for O’Brien.', "O'Brien", "“customer's parcel”"],
    ['tr', 'İstanbul mağazası pazar günü kapalıdır.', 'istanbul', '“pazar günü”'],
    ['el', 'Οι ώρες λειτουργίας είναι εννέα με πέντε.', 'ΩΡΕΣ', '“ώρες λειτουργίας”'],
    ['ru', 'Магазин открыт по субботам.', 'магазины', '«открыт по субботам»'],
    ['ar', 'مواعيد العمل يوم السبت', 'السبت', '"يوم السبت"'],
    ['hi', 'दुकान शनिवार को खुलती है।', 'शनिवार', '"शनिवार को"'],
    ['es', 'El café abre «siempre»… ¿Cuándo? De nueve a seis.', '¿siempre?', '“nueve a seis”'],
    [
      'de',
      'A\u0308pfel \u2013 frische \u201eBirnen\u201c\u00a0\u2013 gibt es im O\ufb03ce.',
      'äpfel',
      '„Office“',
    ],
  ])('finds words and quotations of %s', async (language, text, question, quotation) => {
    const own = await aKnowledgeBase(user, { Own: text }, { language });
    expect(await best(question, own)).toBe('Own');
    expect(await best(quotation, own)).toBe('Own');
  });

  it.each(['"', '""', '" "', '«»', '😀', '🏳️‍🌈 ☎️', "''''", ':*&|!()<->', 'x'.repeat(1_000)])(
    'finds nothing for %s',
    async (query) => {
      expect(await search(query)).toEqual([]);
    },
  );

  it("shows nothing of another account's", async () => {
    const other = await anAccount();
    const missing = 'Knowledgebase not found.';
    const { status, body } = await other.client.post(`/user/knowledgebases/${base}/search`, {
      query: 'shop',
    });
    expect([status, body]).toEqual([404, { message: missing, error: missing }]);
  });

  it('finds what several documents say in the same words once', async () => {
    const text = 'The lift is out of order.';
    const own = await aKnowledgeBase(user, {
      Lift: text,
      Notice: text,
      Stairs: 'Beside the lift are stairs.',
    });
    const found = (await search('lift', { limit: 2 }, own)).map((one) => one.text);
    expect(found.toSorted()).toEqual(['Beside the lift are stairs.', text]);
  });

  it('finds a document that is added after a search for its words', async () => {
    const own = await aKnowledgeBase(user, { Short: 'The pool opens in May.' });
    expect(await search('sauna', {}, own)).toEqual([]);
    await addDocuments(user, own, { Sauna: 'The sauna is hot.' });
    expect(await best('sauna', own)).toBe('Sauna');
  });

  it('finds nothing of a document that is deleted', async () => {
    const own = await aKnowledgeBase(user, { Short: 'The pool opens in May.' });
    const [found] = await search('pool', {}, own);
    await user.client.delete(`/user/knowledgebases/${own}/documents/${found?.document_id}`);
    expect(await search('pool', {}, own)).toEqual([]);
  });
});

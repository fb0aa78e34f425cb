import { Button, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { $api, type Schemas } from '#console/api/client';
import { confirm } from '#console/components/confirm';
import { LinkAnchor } from '#console/components/links';
import { ListPage, type Column } from '#console/components/list-page';
import { NeedsScope } from '#console/components/needs-scope';
import { notifyDone, notifyFailed } from '#console/components/notify';
import { FilterSelect, FilterText } from '#console/components/search-filters';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { countryOptions, nameOfCountry } from './countries';

type Offer = Schemas['AvailableNumberResponse'];

const SHORTEST = 2;
const STALE_MS = 60_000;
const ABOVE = [
  <LinkAnchor key="numbers" to="/numbers" size="sm">
    {t.numbers.title}
  </LinkAnchor>,
];

export function BuyNumberPage() {
  const { country_code, contains } = useSearch({ from: '/shell/numbers/buy' });
  const { facts } = useSession();
  // The API refuses a single digit, which is what one types first.
  const isLongEnough = contains !== undefined && contains.length >= SHORTEST;
  const query = $api.useQuery(
    'get',
    '/user/phone-numbers/search',
    { params: { query: { country_code, contains: isLongEnough ? contains : undefined } } },
    { placeholderData: keepPreviousData, staleTime: STALE_MS },
  );
  const texts = t.numbers.search;
  return (
    <ListPage
      title={t.numbers.buy}
      above={ABOVE}
      query={query}
      columns={useColumns()}
      rowKey={({ phone_number: number }) => number}
      filters={
        <>
          <FilterSelect
            name="country_code"
            label={texts.country}
            placeholder={nameOfCountry(facts.country)}
            data={countryOptions()}
            w={220}
          />
          <FilterText
            name="contains"
            label={texts.contains}
            placeholder={texts.containsHint}
            maxLength={16}
          />
        </>
      }
      hasFilters
      empty={texts.none}
    />
  );
}

function useColumns(): Column<Offer>[] {
  const { money } = useSession();
  const texts = t.numbers.search;
  return [
    {
      key: 'number',
      header: texts.columns.number,
      cell: ({ phone_number_formatted: number }) => <span style={{ whiteSpace: 'nowrap' }}>{number}</span>,
    },
    {
      key: 'sms',
      header: texts.columns.sms,
      isSecondary: true,
      cell: ({ sms_capable: isAble }) => (isAble ? t.numbers.yes : t.numbers.no),
    },
    {
      key: 'address',
      header: texts.columns.address,
      isSecondary: true,
      cell: ({ address_requirements: needed }) => texts.addresses[needed] ?? needed,
    },
    { key: 'price', header: texts.columns.price, align: 'right', cell: ({ price }) => money(price) },
    {
      key: 'buy',
      header: <VisuallyHidden>{t.list.actions}</VisuallyHidden>,
      align: 'right',
      cell: (offer) => <Buy offer={offer} />,
    },
  ];
}

function Buy({ offer }: { offer: Offer }) {
  const { money } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { phone_number, phone_number_formatted: number, price } = offer;
  const buy = $api.useMutation('post', '/user/phone-numbers/purchase', {
    onSuccess: async () => {
      notifyDone(t.numbers.bought(number));
      void client.invalidateQueries();
      await navigate({ to: '/numbers' });
    },
    onError: (error) => notifyFailed(t.numbers.buyFailed, error),
  });
  const ask = async (): Promise<void> => {
    if (await confirm(t.numbers.buyQuestion(number, money(price)))) buy.mutate({ body: { phone_number } });
  };
  return (
    <NeedsScope scope="admin">
      {(refusal) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t.numbers.search.buyOf(number)}
          loading={buy.isPending}
          onClick={ask}
          {...refusal}
        >
          {t.numbers.search.buy}
        </Button>
      )}
    </NeedsScope>
  );
}

/** The knowledge base of the demonstration, which the console makes too. */
export const DEMO_KNOWLEDGE = {
  name: 'Demonstration practice',
  description: 'Parking, opening hours and payment of the practice of Dr. Lee.',
};

/** Its document. */
export const DEMO_DOCUMENT = {
  name: 'Patient information',
  type: 'txt',
  text: [
    '# Parking',
    'You can park your car free of charge in the yard behind the practice. The entrance is in Mill Lane.',
    '# Opening hours',
    'The practice is open from eight to six on weekdays. It closes at noon on Fridays.',
    '# Payment',
    'You can pay by card or by invoice within thirty days. Cash is not accepted.',
    '',
  ].join('\n\n'),
};

import type { FastifyInstance, FastifyReply } from 'fastify';
import { readLineTraits, TraitError } from './line-traits.js';
import type { TraitBook } from './trait-book.js';

const PATH = '/lines/:number/traits';
const NUMBER = /^\+[1-9]\d{6,14}$/;

interface Numbered {
  Params: { number: string };
}

/** The traits of a customer's telephone, for the streams that open afterwards. */
export function traitRoutes(app: FastifyInstance, traits: TraitBook): void {
  app.get<Numbered>(PATH, async ({ params }) => traits.of(params.number));

  app.put<Numbered>(PATH, async ({ params, body }, reply) => {
    if (!NUMBER.test(params.number))
      return refuse(reply, `${params.number} is no number in the form of E.164`);
    try {
      traits.set(params.number, readLineTraits(body));
    } catch (error) {
      if (error instanceof TraitError) return refuse(reply, error.message);
      throw error;
    }
    return traits.of(params.number);
  });

  app.delete<Numbered>(PATH, async ({ params }, reply) => {
    traits.remove(params.number);
    return reply.code(204).send();
  });
}

const refuse = (reply: FastifyReply, message: string) => reply.code(400).send({ message });

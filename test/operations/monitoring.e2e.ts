import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { baseUrl } from '../support/client.js';

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

const read = (name: string): string => readFileSync(`docs/public/monitoring/${name}`, 'utf8');
const { groups } = load(read('alerts.yaml')) as Rules;
const rules = groups.flatMap(({ rules: all }) => all);
const { panels } = JSON.parse(read('dashboard.json')) as Dashboard;

/** Functions, and what Prometheus itself records. */
const OF_PROMETHEUS = new Set(['histogram_quantile', 'up']);

/** Names of metrics in a query; those of histograms without their suffix. */
function metricsIn(query: string, histograms: ReadonlySet<string>): string[] {
  const withoutLabels = query.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, ' ');
  const names = withoutLabels.match(/[a-z][a-z0-9]*(_[a-z0-9]+)+|\bup\b/g) ?? [];
  return names
    .filter((name) => !OF_PROMETHEUS.has(name))
    .map((name) => {
      const [, base = ''] = /^(.+)_(?:bucket|count|sum)$/.exec(name) ?? [];
      return histograms.has(base) ? base : name;
    });
}

describe('the alert rules and the dashboard', () => {
  it('name only metrics that /metrics exports', async () => {
    const text = await (await fetch(`${baseUrl()}/metrics`)).text();
    const types = new Map(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
    );
    const histograms = new Set([...types].filter(([, type]) => type === 'histogram').map(([name]) => name));
    const queries = [
      ...rules.map(({ alert, expr }) => ({ of: alert, expr })),
      ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ of: title, expr }))),
    ];
    const named = queries.flatMap(({ of, expr }) =>
      metricsIn(expr, histograms).map((metric) => ({ of, metric })),
    );
    expect(named.length).toBeGreaterThan(queries.length - 2);
    expect(named.filter(({ metric }) => !types.has(metric))).toEqual([]);
  });

  it('report of each alert what happened and what to do, and are all in the page', () => {
    expect(rules.filter(({ annotations: { summary, action } }) => !summary || !action)).toEqual([]);
    const page = readFileSync('docs/run/monitoring.md', 'utf8');
    expect(rules.filter(({ alert }) => !page.includes(`\`${alert}\``))).toEqual([]);
    expect(panels.filter(({ title }) => !page.includes(title))).toEqual([]);
  });
});

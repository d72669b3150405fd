import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { escaped } from '../../core/html.ts';
import { BASE, type Guide, type GuideTexts } from '../../lambdas/api/runtime/guide.ts';
import { type Receiver, readReceivers } from '../../packages/console/serving/receivers.ts';
import { highlighted } from './highlighted-code.ts';
import { tarOf } from './tar.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = 'docs/integrators';
const INDEX = `${FOLDER}/README.md`;
const RECEIVERS_INDEX = 'receivers/README.md';
const VECTORS = 'receivers/vectors.json';
const FIRST_RECEIVER = `${FOLDER}/answer-fast.md`;

/** Where the API serves a file of the repository; undefined if it does not. */
const addressOf = (file: string): string | undefined => {
  if (file === INDEX) return '/guides';
  if (dirname(file) === FOLDER) return `/guides/${basename(file, '.md')}`;
  if (file === RECEIVERS_INDEX) return '/guides/receivers';
  if (file === VECTORS) return '/guides/receivers/vectors';
  const [, name, path] = /^receivers\/([^/]+)\/(.+)$/.exec(file) ?? [];
  if (path === undefined) return undefined;
  return `/guides/receivers/${name}${path === 'README.md' ? '' : `#${path}`}`;
};

/** As GitHub names headings in addresses. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s/g, '-');

/** The HTML of a file's Markdown, without its title and its comments. */
const htmlOf = (file: string, markdown: string): string => {
  const targetOf = (href: string): string | undefined => {
    if (/^https?:/.test(href)) return href;
    const [path = '', anchor] = href.split('#');
    if (path === '') return href;
    const address = addressOf(relative(ROOT, resolve(ROOT, dirname(file), path)));
    return address && `${BASE}${address}${anchor === undefined ? '' : `#${anchor}`}`;
  };
  const outputs = new Set<Token>();
  const marked = new Marked({
    walkTokens: outputMarker(outputs),
    renderer: {
      heading({ depth, text, tokens }: Tokens.Heading) {
        if (depth === 1) return '';
        const anchor = escaped(anchorOf(text));
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // A page that is not served is named without a link.
      link({ href, tokens }: Tokens.Link) {
        const target = targetOf(href);
        const words = this.parser.parseInline(tokens);
        return target === undefined ? words : `<a href="${escaped(target)}">${words}</a>`;
      },
      code: (code: Tokens.Code) => codeBlock(code.text, code.lang ?? '', outputs.has(code)),
      checkbox: () => '☐ ',
      html: () => '',
    },
    hooks: { postprocess: (html) => html.replaceAll(/<table>.*?<\/table>/gs, wide) },
  });
  return marked.parse(markdown, { async: false });
};

/** Reachable by keyboard, since it may be wider than the window. */
const wide = (table: string): string => `<div class="scroll" tabindex="0">${table}</div>`;

const isCode = (token: Token): token is Tokens.Code => token.type === 'code';

/** Takes the tokens of a page in order, and adds the blocks that show what commands print. */
const outputMarker = (outputs: Set<Token>) => {
  let follows = false;
  return (token: Token): void => {
    if (token.type === 'space') return;
    const language = isCode(token) ? token.lang : undefined;
    const isOutput = follows && (language === 'text' || language === 'json');
    if (isOutput) outputs.add(token);
    follows = isOutput || language === 'sh';
  };
};

const codeBlock = (text: string, language: string, isOutput = false): string =>
  `<pre${isOutput ? ' class="output"' : ''}><code>${highlighted(text, language)}</code></pre>\n`;

const titleIn = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? '';

const pageOf = (file: string, { before = '', after = '' } = {}): Guide => {
  const markdown = readFileSync(join(ROOT, file), 'utf8');
  const path = addressOf(file) ?? '';
  return { path, title: titleIn(markdown), html: before + htmlOf(file, markdown) + after };
};

/** The texts of a receiver's files, the sample first. */
const textsOf = ({ sample, files, folder }: Receiver): ReadonlyMap<string, string> =>
  new Map([sample, ...files].map((file) => [file, readFileSync(join(folder, file), 'utf8')]));

/** Where the API serves a file of a receiver: in one segment of a path. */
const fileAddress = (name: string, file: string): string =>
  `/guides/receivers/${name}/${file.replaceAll('/', '-')}`;

/** Written by a package manager. */
const isLockFile = (file: string): boolean => /^(package-lock\.json|go\.sum|.*\.lock)$/.test(file);

const languageOf = ({ sample, language }: Receiver, file: string): string =>
  file === sample ? language : extname(file).slice(1);

const receiverPage = (receiver: Receiver): Guide => {
  const { name } = receiver;
  const archive = `${name}.tar`;
  const link = (file: string, words: string): string =>
    `<a href="${BASE}${escaped(fileAddress(name, file))}">${words}</a>`;
  const download = `<p>${link(archive, archive)} has the files below. Run the commands that follow in its folder:</p>
${codeBlock(`tar xf ${archive} && cd ${name}`, 'sh')}`;
  const sources = [...textsOf(receiver)].map(
    ([file, text]) => `<h2 id="${escaped(file)}">${link(file, escaped(file))}</h2>
${isLockFile(file) ? '' : codeBlock(text, languageOf(receiver, file))}`,
  );
  const after = `<h2 id="files">Files</h2>\n${sources.join('')}`;
  return pageOf(`receivers/${name}/README.md`, { before: download, after });
};

/** The files of a receiver and their archive, by the paths at which the API serves them. */
const filesOf = (receiver: Receiver): readonly [string, string][] => {
  const { name } = receiver;
  const texts = textsOf(receiver);
  const archived = new Map([...texts].map(([file, text]) => [`${name}/${file}`, text]));
  return [...texts, [`${name}.tar`, tarOf(archived)] as const].map(([file, text]) => [
    fileAddress(name, file),
    text,
  ]);
};

/** The first program of a page. */
const programOf = (file: string): string => {
  const tokens = new Marked().lexer(readFileSync(join(ROOT, file), 'utf8'));
  const program = tokens.filter(isCode).find(({ lang }) => lang === 'js');
  if (program === undefined) throw new Error(`${file} has no program.`);
  return `${program.text}\n`;
};

type Link = Pick<Guide, 'path' | 'title'>;

/** Pages that are no guides. */
const GENERATED: readonly Link[] = [
  { path: '/docs', title: 'API reference' },
  { path: '/problems', title: 'Problems' },
  { path: '/reasons', title: 'Results of attempts' },
];

type Group = readonly [heading: string, links: readonly Link[]];

const groupOf = ([heading, links]: Group): string => {
  const items = links.map(
    ({ path, title }) => `<li><a href="${BASE}${path}">${escaped(title)}</a></li>`,
  );
  return `<h2>${escaped(heading)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
};

/** The pages for integrators and the receivers, as the API serves them. */
export const renderGuides = (): GuideTexts => {
  const index = readFileSync(join(ROOT, INDEX), 'utf8');
  const orderOf = (file: string): number => index.indexOf(`](${basename(file)})`);
  /** The heading of the index below which the file is first named. */
  const headingOf = (file: string): string =>
    index
      .slice(0, orderOf(file))
      .match(/(?<=^## ).+$/gm)
      ?.at(-1) ?? '';
  const files = globSync(`${FOLDER}/*.md`, { cwd: ROOT })
    .filter((file) => file !== INDEX)
    .toSorted((one, other) => orderOf(one) - orderOf(other));
  const vectors = {
    path: addressOf(VECTORS) ?? '',
    title: 'Test vectors',
    html: codeBlock(readFileSync(join(ROOT, VECTORS), 'utf8'), 'json'),
  };
  const receivers = readReceivers();
  const overview = pageOf(RECEIVERS_INDEX);
  const toCopy = receivers.map(({ name, title }) => ({ path: `${overview.path}/${name}`, title }));
  const groups: readonly Group[] = [
    ...[...Map.groupBy(files, headingOf)].map(
      ([heading, named]): Group => [heading, named.map((file) => pageOf(file))],
    ),
    ['Calls and answers', GENERATED],
    [overview.title, [{ ...overview, title: 'All receivers' }, ...toCopy, vectors]],
  ];
  return {
    pages: [
      ...[INDEX, ...files].map((file) => pageOf(file)),
      overview,
      ...receivers.map(receiverPage),
      vectors,
    ],
    navigation: groups.map(groupOf).join('\n'),
    files: Object.fromEntries([
      ...receivers.flatMap(filesOf),
      [fileAddress('node', 'receiver.mjs'), programOf(FIRST_RECEIVER)],
    ]),
  };
};

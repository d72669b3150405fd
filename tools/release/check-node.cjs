// Any Node can run this, from 0.12 on: it says that the Node of npm is too old. npm runs it once the
// packages are there, which are then those of the old Node.
var floor = require('../../package.json').engines.node;
var version = process.version.slice(1).split('.').map(Number);
var isEnough = floor.split(' || ').some((range) => {
  var least = range.replace(/^\D+/, '').split('.').map(Number);
  if (version[0] !== least[0]) return range[0] === '>' && version[0] > least[0];
  return version[1] >= least[1];
});
if (!isEnough) {
  console.error(
    'error: this needs Node ' +
      floor
        .replace(/[\^]|>=/g, '')
        .replace(/\.0\b/g, '')
        .replace(' || ', ', ') +
      ' or later; you have ' +
      process.version.slice(1) +
      '. Install it, delete node_modules, and run npm ci again.',
  );
  process.exit(1);
}

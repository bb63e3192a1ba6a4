// Must pass every test: halves the ships, and merges by height.
const numbers = require("fs").readFileSync(0, "utf8").split(/\s+/).map(Number);
const ships = [];
for (let i = 0; i < numbers[0]; i++) ships.push([numbers[2 * i + 1], numbers[2 * i + 2]]);
ships.sort((a, b) => a[0] - b[0]);

function closest(from, to) {
  if (to - from < 2) return Infinity;
  const middle = (from + to) >> 1;
  const line = ships[middle][0];
  let best = Math.min(closest(from, middle), closest(middle, to));
  const half = ships.slice(from, to).sort((a, b) => a[1] - b[1]);
  const strip = half.filter((ship) => Math.abs(ship[0] - line) < best);
  for (let i = 0; i < strip.length; i++)
    for (let j = i + 1; j < strip.length && strip[j][1] - strip[i][1] < best; j++)
      best = Math.min(best, Math.hypot(strip[i][0] - strip[j][0], strip[i][1] - strip[j][1]));
  return best;
}

console.log(closest(0, ships.length).toFixed(7));

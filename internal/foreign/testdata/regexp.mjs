// Matches texts with regular expressions as JavaScript does: it takes a file with
// [{pattern, texts}], and writes for each whether it matches them, or null if it is
// no regular expression.
import fs from "node:fs";

const matched = JSON.parse(fs.readFileSync(process.argv[2], "utf8")).map(({ pattern, texts }) => {
  try {
    const expression = new RegExp(pattern);
    return texts.map((text) => expression.test(text));
  } catch {
    return null;
  }
});
fs.writeFileSync(1, JSON.stringify(matched));

// What Hugging Face's own library takes for a text, by the processor: for standing beside `et-inspect tokenize`.
//   npm install tokenizers && node tokenizers.mjs TOKENIZER.json TEXT
import { createRequire } from 'node:module';
import fs from 'node:fs';

const { Tokenizer } = createRequire(`${process.cwd()}/`)('tokenizers');
const [file, text] = process.argv.slice(2);
const tokenizer = Tokenizer.fromFile(file);
const content = fs.readFileSync(text, 'utf8');
const before = process.cpuUsage();
const encoding = await tokenizer.encode(content, null, { addSpecialTokens: false });
const used = process.cpuUsage(before);
console.log(`${encoding.getLength()} tokens, ${((used.user + used.system) / 1000).toFixed(0)} ms`);

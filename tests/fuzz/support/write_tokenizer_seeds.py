#!/usr/bin/env python3
"""Writes the seeds of corpus/tokenizer_* anew: write_tokenizer_seeds.py CORPUS."""
import base64
import json
import struct
import sys
from pathlib import Path

TEXT = "Hello  wörld, don't 1234\n\t \u8d85\u7d1a \U0001f917 <s>\u00e9e\u0301 [MASK]x\u2581y \ufb01 \u0130"


def byte_alphabet():
    """GPT-2's character for each byte."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    moved = iter(range(0x100, 0x200))
    return [chr(b) if b in printable else chr(next(moved)) for b in range(256)]


def charsmap(outside=False):
    """A precompiled map of SentencePiece's: U+FB01 becomes "fi", "A" becomes "a". `outside`: its root is a value."""
    entries = [(b"A", b"a\0"), ("\ufb01".encode(), b"fi\0")]
    values = b"".join(value for _, value in entries)
    offsets = [0, len(entries[0][1])]
    units = [0] * 1536
    nodes = {b"": 0}
    bases = iter(range(256, 1536, 256))
    children = {}
    for key, _ in entries:
        for i in range(len(key)):
            children.setdefault(key[:i], set()).add(key[i])
    pending = [b""]
    while pending:
        prefix = pending.pop(0)
        at = nodes[prefix]
        base = next(bases)
        value = next((n for n, (key, _) in enumerate(entries) if key == prefix), None)
        label = units[at] & 0xFF
        units[at] = label | ((at ^ base) << 10) | ((1 << 8) if value is not None else 0)
        if value is not None:
            units[base] = (1 << 31) | offsets[value]
        for byte in sorted(children.get(prefix, ())):
            child = base ^ byte
            units[child] = byte
            nodes[prefix + bytes([byte])] = child
            pending.append(prefix + bytes([byte]))
    if outside:
        units = [0xFFFFFE00] + [0] * 255
    trie = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(trie)) + trie + values


def hugging_face():
    special = {"id": 0, "content": "<s>", "special": True, "normalized": False}
    mask = {"id": 90, "content": "[MASK]", "single_word": True, "lstrip": True, "rstrip": True, "normalized": True}
    unknown = {"id": 1, "content": "<unk>", "special": True}
    config = {"bos_token": "<s>", "eos_token": {"content": "</s>"}}

    def file(model, normalizer=None, pre=None, decoder=None, post=None, added=(special, mask, unknown), beside=None):
        return {"version": "1.0", "added_tokens": list(added), "normalizer": normalizer, "pre_tokenizer": pre,
                "post_processor": post, "decoder": decoder, "model": model,
                "fuzz": {"text": TEXT, **({"config": beside} if beside else {})}}

    letters = ["<s>", "<unk>", *"abcdehlorwtn'123. \u2581\u0120", "he", "ll", "llo", "hello", "\u2581h", "or", "\u2581hello"]
    vocabulary = {token: i for i, token in enumerate(letters)}
    merges = ["h e", "l l", "ll o", "he llo", "o r", "\u2581 h", "\u2581 hello"]
    alphabet = byte_alphabet()
    all_bytes = {character: i for i, character in enumerate(alphabet)} | {"he": 256, "\u0120w": 257}
    llama3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
              r"|\s*[\r\n]+|\s+(?!\S)|\s+")
    yield "bpe_bytes", file(
        {"type": "BPE", "vocab": all_bytes, "merges": [["h", "e"], ["\u0120", "w"]], "ignore_merges": True},
        pre={"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": llama3}, "behavior": "Isolated", "invert": False},
            {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}]},
        decoder={"type": "ByteLevel"},
        post={"type": "Sequence", "processors": [
            {"type": "ByteLevel"},
            {"type": "TemplateProcessing",
             "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                        {"SpecialToken": {"id": "<s>", "type_id": 0}}],
             "special_tokens": {"<s>": {"id": "<s>", "ids": [0, 1], "tokens": ["<s>"]}}}]},
        beside=config)
    fallback = {f"<0x{byte:02X}>": 100 + byte for byte in range(256)}
    yield "bpe_fallback", file(
        {"type": "BPE", "vocab": vocabulary | fallback, "merges": merges, "unk_token": "<unk>", "fuse_unk": True,
         "byte_fallback": True, "dropout": None, "continuing_subword_prefix": None},
        normalizer={"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "\u2581"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}]},
        decoder={"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}, {"type": "ByteFallback"},
            {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})
    yield "bpe_words", file(
        {"type": "BPE", "vocab": {"a": 0, "b</w>": 1, "##b": 2, "##b</w>": 3, "a##b": 4, "ab</w>": 5, "<unk>": 6, "ab": 7},
         "merges": ["#version: 0.2", "a ##b", "a ##b</w>"], "unk_token": "<unk>", "continuing_subword_prefix": "##",
         "end_of_word_suffix": "</w>", "fuse_unk": False},
        pre={"type": "Whitespace"}, decoder={"type": "BPEDecoder", "suffix": "</w>"})
    yield "wordpiece", file(
        {"type": "WordPiece", "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "he": 3, "##l": 4, "##lo": 5, "don": 6, "'": 7,
                                        "t": 8, "1": 9, "##2": 10}, "unk_token": "[UNK]", "max_input_chars_per_word": 100},
        normalizer={"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                    "lowercase": True},
        pre={"type": "BertPreTokenizer"}, decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
        post={"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]})
    yield "unigram", file(
        {"type": "Unigram", "unk_id": 0, "byte_fallback": False,
         "vocab": [["<unk>", 0.0], ["\u2581", -2.0], ["h", -3.5], ["he", -3.0], ["l", -4], ["\u2581he", -2.5], ["fi", -6.0]]},
        normalizer={"type": "Sequence", "normalizers": [
            {"type": "Nmt"}, {"type": "NFKC"}, {"type": "Lowercase"}, {"type": "StripAccents"},
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}, {"type": "Strip"}]},
        pre={"type": "Sequence", "pretokenizers": [
            {"type": "WhitespaceSplit"},
            {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "first", "split": True}]},
        decoder={"type": "Metaspace", "replacement": "\u2581", "add_prefix_space": True},
        post={"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0]})
    yield "unigram_fallback", file(
        {"type": "Unigram", "unk_id": None, "byte_fallback": True,
         "vocab": [["a", -1.0], ["aa", -1.5]] + [[f"<0x{byte:02X}>", -9.0] for byte in range(0xC0, 0x100)]},
        decoder={"type": "Replace", "pattern": {"Regex": "a+"}, "content": "b"})
    yield "charsmap", file(
        {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -1.0], ["fi", -2.0]]},
        normalizer={"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap()).decode()})
    yield "wordlevel", file(
        {"type": "WordLevel", "vocab": {"hello": 0, "<unk>": 1, ",": 2, "1": 3}, "unk_token": "<unk>"},
        normalizer={"type": "Sequence", "normalizers": [
            {"type": "NFC"}, {"type": "NFD"}, {"type": "NFKD"}, {"type": "ByteLevel"}, {"type": "Precompiled"},
            {"type": "Strip", "strip_left": True, "strip_right": False}]},
        pre={"type": "Sequence", "pretokenizers": [
            {"type": "Digits", "individual_digits": True}, {"type": "Punctuation", "behavior": "Contiguous"},
            {"type": "CharDelimiterSplit", "delimiter": "o"},
            {"type": "Split", "pattern": {"String": "l"}, "behavior": "MergedWithNext", "invert": True},
            {"type": "Split", "pattern": {"Regex": r"[\w&&[^\d]]+|\h|[[:alpha:]\S]|(?m:.)\p{Script=Han}|\u0041\x{42}|\p{^Lu}"},
             "behavior": "MergedWithPrevious"}, {"type": "ByteLevel"}]})
    tenfold = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 10}
    letter = {"type": "WordLevel", "vocab": {"a": 0, "<unk>": 1}, "unk_token": "<unk>"}
    yield "long_text", file(letter, normalizer={"type": "Sequence", "normalizers": [tenfold] * 12},
                            decoder={"type": "Sequence", "decoders": [tenfold] * 12})
    yield "doubled", file(letter, pre={"type": "Sequence", "pretokenizers": [{"type": "ByteLevel", "use_regex": False}] * 40})
    yield "slow_pattern", file(letter, pre={"type": "Split", "pattern": {"Regex": "(a|aa)+$b|(.*)*(.*)*x"}}) | {
        "fuzz": {"text": "a" * 1500}}
    yield "nothing_shown", file(letter, decoder={"type": "Replace", "pattern": {"Regex": ".*"}, "content": ""})
    yield "old", {"model": {"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}, "fuzz": {"text": "abab"}}
    yield "no_type", {"model": {"vocab": {"a": 0, "<unk>": 1}}, "added_tokens": [
        {"id": 5, "content": "begin_of"}, {"id": 6, "content": "end"}], "fuzz": {"text": "a b begin_of"}}


def tekken():
    tokens = [bytes([byte]) for byte in range(256)] + [b"he", b"ll", b" w", b"hell"]

    def file(version, specials, listed):
        return {"config": {"pattern": r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s+(?!\S)|\s+",
                           "num_vocab_tokens": len(tokens), "default_vocab_size": len(tokens) + specials - 1,
                           "default_num_special_tokens": specials, "version": version},
                "vocab": [{"rank": i, "token_bytes": base64.b64encode(token).decode()} for i, token in enumerate(tokens)],
                "fuzz": TEXT, **({"special_tokens": [
                    {"rank": i, "token_str": token, "is_control": True}
                    for i, token in enumerate(["<unk>", "<s>", "</s>", "[INST]"])]} if listed else {})}
    yield "v7", file("v7", 6, True)
    yield "v3", file("v3", 22, False)
    small = file("v7", 4, True)
    small["vocab"] = small["vocab"][:70]
    small["fuzz"] = "<s>012345 ABC"
    yield "small", small


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    return varint(number << 3) + varint(value)


def sentencepiece():
    normal, unknown, control, user, unused, byte = range(1, 7)

    def model(kind, pieces, trainer=b"", normalizer=b"", more=b""):
        out = b""
        for text, score, of in pieces:
            out += field(1, field(1, text.encode()) + field(2, score) + (field(3, of) if of != normal else b""))
        return out + field(2, field(3, kind) + trainer) + field(3, normalizer) + more

    base = [("<unk>", 0.0, unknown), ("<s>", 0.0, control), ("</s>", 0.0, control)]
    words = [("\u2581", -2.0, normal), ("h", -3.0, normal), ("e", -3.5, normal), ("he", -2.5, normal), ("\u2581he", -2.2, normal),
             ("l", -4.0, normal), ("ll", -3.1, normal), ("o", -4.5, normal), ("<mask>", 0.0, user), ("zz", -9.0, unused)]
    settings = field(1, b"identity") + field(3, 1) + field(4, 1) + field(5, 1)
    for name, kind in (("unigram", 1), ("bpe", 2), ("word", 3), ("char", 4)):
        yield name, model(kind, base + words, normalizer=settings)
    fallback = [(f"<0x{n:02X}>", 0.0, byte) for n in range(256)]
    yield "fallback", model(2, base + fallback + words, trainer=field(35, 1),
                            normalizer=field(3, 0) + field(4, 0))
    yield "mapped", model(1, base + words, trainer=field(44, b" ? "),
                          normalizer=field(1, b"nmt_nfkc") + field(2, charsmap()))
    yield "outside_trie", model(1, base + words, normalizer=field(2, charsmap(outside=True)))
    yield "no_text", model(1, base + words, trainer=field(44, b"\xff\xfe"))
    yield "tested", model(2, base + words, normalizer=settings,
                          more=field(4, field(1, field(1, b"hello") + field(2, b"\xe2\x96\x81he ll o"))))


def tiktoken():
    def lines(tokens):
        return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))
    yield "bytes", lines([bytes([n]) for n in range(256)] + [b"he", b"ll", b"llo", b"hello", b" w"])
    yield "few", lines([b"a", b"b", b"ab", b"\xf0\x9f", b"\xa4\x97", b" "])


def llama2c():
    def file(tokens, pad=0):
        longest = max(len(text) for text, _ in tokens)
        return struct.pack("<4i", len(tokens) + pad, 1, 2, longest) + b"".join(
            struct.pack("<fI", score, len(text)) + text for text, score in tokens)
    base = [(b"<unk>", 0.0), (b"\n<s>\n", 0.0), (b"\n</s>\n", 0.0)]
    words = [(b" ", -1.0), (b"h", -2.0), (b"e", -3.0), (b"he", -1.5), (b" he", -1.2), (b"l", -4.0), ("é".encode(), -5.0)]
    yield "bytes", file(base + [(b"<0x%02X>" % n, 0.0) for n in range(256)] + words)
    yield "few", file(base + words, pad=5)
    yield "no_tokens", struct.pack("<4i", 4_000_000, 1, 2, 5)


def main():
    corpus = Path(sys.argv[1])
    for name, seeds in (("hf", hugging_face), ("tekken", tekken), ("sentencepiece", sentencepiece), ("tiktoken", tiktoken),
                        ("llama2c", llama2c)):
        folder = corpus / f"tokenizer_{name}"
        folder.mkdir(parents=True, exist_ok=True)
        for stem, content in seeds():
            if not isinstance(content, bytes):
                content = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
            (folder / stem).write_bytes(content)


main()

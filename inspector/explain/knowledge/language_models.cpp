#include "inspector/explain/knowledge/tables.h"

namespace et::inspector::knowledge {
namespace {

// Runners of language models and tokenizers.
constexpr Message languageModelRows[] = {
    {"prompt-too-long", "num_prompt_tokens {tokens:d} >= {limitName:n} {limit:d}", Reason,
     "The prompt has {tokens} tokens, and {limitName} is {limit}", 0x12},
    {"prompt-too-long", "pos_ {position:d} + num_prompt_tokens {tokens:d} >= {limitName:n} {limit:d}",
     Reason},
    {"prompt-too-long", "Max seq length exceeded", Reason},
    {"prompt-too-long", "please increase the seq_len value passed to generate()", Reason},
    {"no-prompt", "num_prompt_tokens {tokens:d} < 1", Reason, "The prompt has no tokens", 0x12},
    {"no-prompt", "Expected at least 1 prompt token", Reason},
    {"default-metadata", "Method {metadata:n} not found, using the default value {default:d}", Detail,
     "The program has no {metadata}; the runner uses {default}"},
    {"no-metadata", "Required metadata method {metadata:n} not found in model", Reason,
     "The program lacks the metadata {metadata}", 0x12},
    {"no-methods", "Missing required methods ({methods}) in the model", Reason,
     "The program lacks methods that this runner calls: {methods}", 0x12},
    {"load-method", "Failed to load method '{method}'. Check available methods", Outcome,
     "Method {method} cannot be loaded"},
    {"runner-inputs", "Expected {inputs:d} inputs for {phase:n} method, got {given:d}", Reason,
     "The {phase} method has {given} inputs, and this runner passes {inputs}", 0x12},
    {"cache-full", "must be less than max seq length supported by", Reason,
     "The position is beyond the end of the KV cache", 0x12},
    {"cache-full", "must be less than key cache at dim 1", Reason},
    {"cache-full", "must be less than value cache at dim 1", Reason},
    {"cache-full", "must be less than cache size at dim 1", Reason},
    {"index-out", "Index out of bounds: {value:d} not in [0, {limit:d})", Reason,
     "Index {value} is outside of [0, {limit})", 0x12},
    {"model-load", "Model could not load", Outcome, "The app could not load the model"},
    {"runner-files", "Creating LLaMa runner: model_path={path}, tokenizer_path={tokenizer}", Context,
     "Files of the runner"},

    {"tokenizer-json", "Error parsing json file: {reason}", Reason,
     "The tokenizer is not valid JSON: {reason}"},
    {"tokenizer-lookahead", "invalid perl operator: (?!", Reason,
     "The tokenizer's pattern contains a lookahead, which RE2 cannot compile"},
    {"tokenizer-lookahead", "invalid perl operator: (?", Reason},
    {"tokenizer-lookahead", "RE2 doesn't support lookahead patterns", Reason},
    {"tokenizer-regex", "PCRE2 compilation failed at offset {offset:d}: {reason}", Reason,
     "The tokenizer's pattern cannot be compiled: {reason}"},
    {"tokenizer-regex", "Failed to compile regex: {reason}", Reason},
    {"tokenizer-kind", "as a Tiktoken, Sentencepiece or Llama2.c tokenizer", Reason,
     "The tokenizer file is of no known kind"},
    {"tokenizer-kind", "the tokenizer file is not valid", Reason},
    {"tokenizer-kind", "Failed to setup pretokenizer", General},
    {"tokenizer-file", "no tokenizer.json found in {path}", Reason, "{path} contains no tokenizer.json"},
    {"tokenizer-special", "token {token} not in special tokens", Reason,
     "Special token {token} is not in the tokenizer"},
    {"tokenizer-outcome", "Tokenizers error code {tokenizerCode:d}", Outcome,
     "The tokenizer failed with its error {tokenizerCode}"},
    {"tokenizer-outcome", "Failed to load tokenizer", Outcome},
    {"tokenizer-outcome", "Tokenizer not loaded", Outcome},
};

constexpr Cause languageModelCauseRows[] = {
    {"prompt-too-long", Likely, "seen=default-metadata",
     "The program lacks the metadata {metadata}, which newer runners read (since 0.6), so the runner falls "
     "back to {default} tokens and stops when prompt and answer exceed them.",
     "{metadata} is not in the program: it has {program.methods} || {metadata} is not found and {default} is "
     "used",
     "Export the model again with a current release (or download the new export), so that it contains "
     "get_max_context_len and get_max_seq_len; until then pass a larger seq_len.",
     "seen=default-metadata"},
    {"prompt-too-long", Likely, "",
     "Prompt and requested answer exceed the context length[[ ({limitName} {limit})]] that the model was "
     "exported with, or the seq_len passed to generate().",
     "[[{tokens} tokens, limit {limit}]][[; the program states {program.contextLength}]]",
     "Shorten the prompt, pass a larger seq_len, or export with larger max_seq_length and "
     "max_context_length.",
     "program.contextLength=*"},
    {"prompt-too-long", Possible, "position=*", "Earlier turns of the conversation fill the context.",
     "position {position}", "Reset the runner between conversations, or shorten the history."},
    {"no-prompt", Likely, "", "The prompt is empty, or the tokenizer returned no tokens for it.", "",
     "Check the prompt and `et-inspect tokenize --tokenizer T --text PROMPT`."},
    {"no-metadata", Likely, "",
     "The model was exported without the metadata of language models, or with an older exporter.",
     "[[methods of the program: {program.methods}]]",
     "Export with the language model exporter (export_llm), or add the constant method {metadata}.",
     "program.methods=*"},
    {"no-methods", Likely, "",
     "The program was exported for another runner (text only, or other method names).",
     "[[methods of the program: {program.methods}]]",
     "Export with the flow of this runner, or use the runner that fits.", "program.methods=*"},
    {"load-method", Likely, "program.method=no",
     "The program has no method {method}. It has: {program.methods}.", "", "Use one of its names."},
    {"load-method", Possible, "",
     "An operator, a backend or memory is missing; the lines before this one name it.", "",
     "Look at the first error in the log."},
    {"runner-inputs", Likely, "",
     "The model was exported without a KV cache, or with other inputs than the runner passes.",
     "[[inputs of the program: {program.inputs}]]",
     "Export with use_kv_cache for this runner, or use a runner for models without a cache."},
    {"cache-full", Likely, "",
     "More tokens were generated than the KV cache holds: the context length of the export is reached.",
     "[[the program states {program.contextLength}]]",
     "Stop at the context length, reset the runner, or export with a larger max_context_length."},
    {"index-out", Likely, "",
     "A position or token id exceeds the exported size: the context is full, or the tokenizer does not "
     "belong to the model.",
     "[[the program states {program.contextLength}]]",
     "Use the tokenizer of this model; stop at the context length or export a larger one."},
    {"model-load", Possible, "code=0x22", "The model file cannot be read.", "",
     "Check the path and permissions."},
    {"model-load", Possible, "code=0x12", "Another file kind or an incompatible version is loaded.", "",
     "Check the file with `et-inspect info MODEL`."},

    {"tokenizer-json", Likely, "",
     "The tokenizer file is damaged, or a file of another kind (SentencePiece, tiktoken) was passed; the "
     "parser for JSON is only one of several that are tried.",
     "",
     "Check it with `et-inspect tokenize --tokenizer FILE --text Hello`; download it again (not a Git LFS "
     "pointer or an HTML page)."},
    {"tokenizer-lookahead", Likely, "",
     "The fallback to PCRE2 is missing: its code is in the library, but it registers itself from a static "
     "initializer that the linker dropped.",
     "the pattern of the tokenizer needs a lookahead",
     "Update to frameworks built from a fixed revision of the tokenizers, or link regex_lookahead with "
     "--whole-archive (Apple: -force_load)."},
    {"tokenizer-regex", Likely, "",
     "The pattern in tokenizer.json is damaged or uses a feature that the library does not support.", "",
     "Compare the file with the original; update the tokenizers library."},
    {"tokenizer-kind", Likely, "",
     "The file is of another kind than the runner tries (tokenizer.json needs the Hugging Face support), "
     "damaged, or a Git LFS pointer.",
     "",
     "Check it with `et-inspect tokenize --tokenizer FILE --text Hello`; convert tokenizer.model to "
     "tokenizer.bin for old runners."},
    {"tokenizer-file", Certain, "", "The folder does not contain the tokenizer.", "",
     "Pass the file, or download tokenizer.json into the folder."},
    {"tokenizer-special", Likely, "", "tokenizer_config.json and tokenizer.json belong to different models.",
     "", "Download both from the same model."},
    {"tokenizer-outcome", Possible, "tokenizerCode=2", "The tokenizer was not loaded (Uninitialized).", "",
     "Check the result of load()."},
    {"tokenizer-outcome", Possible, "tokenizerCode=4", "The tokenizer file cannot be loaded (LoadFailure).",
     "", "Check path and kind of the file with `et-inspect tokenize`."},
    {"tokenizer-outcome", Possible, "tokenizerCode=7", "The tokenizer file cannot be parsed (ParseFailure).",
     "", "Download it again; check it with `et-inspect tokenize`."},
    {"tokenizer-outcome", Possible, "tokenizerCode=9",
     "The pattern of the tokenizer cannot be compiled (RegexFailure); often a lookahead without the PCRE2 "
     "fallback.",
     "", "Link regex_lookahead with --whole-archive, or update."},
    {"tokenizer-outcome", Possible, "!tokenizerCode=2|4|7|9",
     "The tokenizer file is missing, damaged, or of another kind.", "",
     "Check it with `et-inspect tokenize --tokenizer FILE --text Hello`."},
};

}  // namespace

const std::span<const Message> languageModelMessages = languageModelRows;
const std::span<const Cause> languageModelCauses = languageModelCauseRows;

}  // namespace et::inspector::knowledge

#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/cli/standard_input.h"
#include "app/output/tokenize/token_text.h"
#include "app/tasks/tokenize/text_tokenizer.h"
#include "runtime/core/mapped_file.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::SpecialTokens;
using inspector::TokenId;

constexpr std::array specialChoices{Choice{"recognized", SpecialTokens::Recognised},
                                    Choice{"plain", SpecialTokens::PlainText}};

/// Converts texts to token ids and back.
class TokenizeCommand final : public Command {
  public:
    TokenizeCommand()
        : Command("tokenize", "Convert text to token ids and back with the tokenizer of a language model") {}

    [[nodiscard]] std::string details() const override {
        return "T is a Hugging Face tokenizer.json or its folder, a SentencePiece model, tiktoken ranks "
               "(with Llama 3's pattern and special tokens), a Mistral tekken.json, or a tokenizer.bin of "
               "llama2.c, distinguished by content as in ExecuTorch's runner. Ids match those of the "
               "format's own library. No tokens are added unless requested. Text is read unchanged, "
               "including the line break at the end of a file.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect tokenize --tokenizer tokenizer.json --text 'Hello world' --pieces",
             "Show each token of a text"},
            {"et-inspect tokenize prompt.txt --tokenizer tokenizer.model --count",
             "Count the tokens of a file"},
            {"echo 759 39 68 | et-inspect tokenize --tokenizer tokenizer.json --decode",
             "Print the text of token ids"},
            {"et-inspect tokenize texts.jsonl --tokenizer tokenizer.json --jsonl",
             "Convert each line {\"text\": ...} to {\"ids\": ...}, and {\"ids\": ...} to {\"text\": ...}"},
        };
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<std::string> readInput() const;
    [[nodiscard]] Result<std::string> answer(const tasks::TextTokenizer& tokenizer) const;
    [[nodiscard]] Result<> answerEachLine(Console& console, const tasks::TextTokenizer& tokenizer) const;
    [[nodiscard]] output::TokenDetail detail() const {
        return count    ? output::TokenDetail::Count
               : pieces ? output::TokenDetail::Pieces
                        : output::TokenDetail::Ids;
    }
    [[nodiscard]] Result<std::string> answerTo(const tasks::TextTokenizer& tokenizer,
                                               const std::string& input) const;
    [[nodiscard]] bool fromStdin() const { return file.empty() || file == "-"; }
    [[nodiscard]] std::string inputName() const { return fromStdin() ? "stdin" : file; }

    std::string file;
    std::vector<std::string> texts;  ///< at most one; a list because the text may be empty
    tasks::TokenizeSettings settings;
    bool pieces = false;
    bool count = false;
    bool decode = false;
    bool jsonLines = false;
    OutputFormat format = OutputFormat::Text;
    OutputOptions output;
};

void TokenizeCommand::addOptions(OptionList& options) {
    options.group("Input");
    options.text("FILE", file, "Text to tokenize, or token ids with --decode; '-', the default, is stdin")
        .takes(fileValue);
    options.text("--text TEXT", texts, "Tokenize this text (or decode these ids) instead of a file");
    options.path("--tokenizer T", settings.tokenizer, "Tokenizer file, or folder with a tokenizer.json")
        .mustBeGiven();
    options.flag("--jsonl", jsonLines,
                 "Read one JSON object per line, {\"text\": ...} or {\"ids\": [...]}, and print each result "
                 "immediately");
    options.group("Tokens");
    options.flag("--decode", decode, "Read token ids and print their text").notWith("--jsonl");
    options.choice("--special", settings.special, specialChoices,
                   "Treatment of special tokens in the text: as ids, or as plain characters (default: "
                   "recognized; SentencePiece and llama2.c support only plain)");
    options.integer("--bos", settings.bos, "Number of BOS tokens to add before the text (default: 0)")
        .atMost(tasks::TextTokenizer::mostAround);
    options.integer("--eos", settings.eos, "Number of EOS tokens to add after the text (default: 0)")
        .atMost(tasks::TextTokenizer::mostAround);
    options.flag("--template", settings.ownTemplate,
                 "Add the tokens of the post-processor of a tokenizer.json, for example [CLS] and [SEP]");
    options.flag("--skip-special", settings.skipSpecial, "Omit special tokens from decoded text");
    options.group("Output");
    options.flag("--pieces", pieces, "Print one token per line: its id and its text in the vocabulary");
    options.flag("--count", count, "Print only the number of tokens").notWith("--pieces");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json}).notWith("--jsonl");
    addOutputFile(options, output);
}

Result<std::string> TokenizeCommand::readInput() const {
    if (!texts.empty()) {
        return texts.front();
    }
    fs::path path = file;
    if (fromStdin()) {
        ET_ASSIGN(path, standardInput());
    }
    ET_ASSIGN(const auto read, core::MappedFile::open(path, inspector::Tokenizer::maxTextBytes));
    const core::Bytes bytes = read->bytes();
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Result<std::string> TokenizeCommand::answer(const tasks::TextTokenizer& tokenizer) const {
    ET_ASSIGN(const std::string input, readInput());
    auto answered = answerTo(tokenizer, input);
    if (!answered && texts.empty()) {
        return std::unexpected(std::move(answered).error().in(inputName()));
    }
    return answered;
}

Result<std::string> TokenizeCommand::answerTo(const tasks::TextTokenizer& tokenizer,
                                              const std::string& input) const {
    if (!decode) {
        ET_ASSIGN(const std::vector<TokenId> ids, tokenizer.encode(input));
        return format == OutputFormat::Json ? output::idsJson(tokenizer.tokenizer(), ids, detail())
                                            : output::idsText(tokenizer.tokenizer(), ids, detail());
    }
    ET_ASSIGN(const std::vector<TokenId> ids, tasks::parseIds(input));
    ET_ASSIGN(std::string decoded, tokenizer.decode(ids));
    if (format == OutputFormat::Json) {
        return output::decodedJson(tokenizer.tokenizer(), ids, decoded);
    }
    if (detail() != output::TokenDetail::Ids) {
        return output::idsText(tokenizer.tokenizer(), ids, detail());
    }
    return decoded;
}

Result<> TokenizeCommand::answerEachLine(Console& console, const tasks::TextTokenizer& tokenizer) const {
    std::ifstream opened;
    if (!fromStdin()) {
        opened.open(file);
        if (!opened) {
            return fail(ErrorCode::Io, "cannot be opened", {.file = file});
        }
    }
    std::istream& lines = fromStdin() ? std::cin : opened;
    const std::string name = inputName();
    if (output.toStdout()) {
        return tasks::answerLines(tokenizer, lines, name, [&](const tasks::LineAnswer& answer) {
            return console.out(output::lineJson(tokenizer.tokenizer(), answer, detail()));
        });
    }
    const auto produce = [&](std::ostream& out) {
        return tasks::answerLines(tokenizer, lines, name, [&](const tasks::LineAnswer& answer) -> Result<> {
            out << output::lineJson(tokenizer.tokenizer(), answer, detail());
            return {};
        });
    };
    return deliver(console, output, produce, {settings.tokenizer, file});
}

Result<tasks::ExitCode> TokenizeCommand::run(const Invocation& invocation) {
    if (texts.size() + (file.empty() ? 0 : 1) > 1) {
        return fail(ErrorCode::InvalidArgument, "expected one text: a file or --text");
    }
    if (jsonLines && !texts.empty()) {
        return fail(ErrorCode::InvalidArgument, "expected --text or --jsonl, got both");
    }
    if (settings.ownTemplate && settings.bos + settings.eos > 0) {
        return fail(ErrorCode::InvalidArgument, "expected --template or --bos and --eos, got both");
    }
    ET_ASSIGN(const tasks::TextTokenizer tokenizer, tasks::TextTokenizer::open(settings));
    invocation.console.warnAll(tokenizer.warnings());
    if (jsonLines) {
        return fineAfter(answerEachLine(invocation.console, tokenizer));
    }
    ET_ASSIGN(std::string answered, answer(tokenizer));
    if (output.toTerminal(invocation.console) && !answered.ends_with('\n')) {
        answered += '\n';
    }
    return fineAfter(
        deliver(invocation.console, output, tasks::producerOf(answered), {settings.tokenizer, file}));
}

}  // namespace

const CommandFactory makeTokenizeCommand = newCommand<TokenizeCommand>;

}  // namespace et::cli

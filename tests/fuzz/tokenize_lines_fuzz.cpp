// Fuzzes input of `tokenize` and `perplexity` other than tokenizers: lines of JSON and lists of ids.
#include "app/tasks/generate/perplexity.h"
#include "app/tasks/tokenize/text_tokenizer.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/json_mutator.h"
#include "tests/support/scratch_folder.h"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>

namespace {

using et::fuzz::require;

std::filesystem::path written(const std::filesystem::path& file, std::string_view content) {
    std::ofstream(file, std::ios::binary) << content;
    return file;
}

et::tasks::TextTokenizer smallTokenizer(const std::filesystem::path& folder) {
    et::tasks::TokenizeSettings settings;
    settings.tokenizer = written(folder / "tokenizer.json", R"({
        "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["a", -1], ["ab", -1.5], [" ", -2]]},
        "added_tokens": [{"id": 4, "content": "<begin>", "special": true}]})");
    settings.bos = 1;
    settings.skipSpecial = true;
    auto tokenizer = et::tasks::TextTokenizer::open(settings);
    require(tokenizer.has_value());
    return std::move(*tokenizer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const et::test::ScratchFolder folder;
    static const et::tasks::TextTokenizer tokenizer = smallTokenizer(folder.path());
    const std::string text(reinterpret_cast<const char*>(data), size);
    std::istringstream lines(text);
    std::size_t answers = 0;
    const auto answered = et::tasks::answerLines(
        tokenizer, lines, "lines", [&](const et::tasks::LineAnswer& answer) -> et::core::Result<> {
            require(answer.ids.has_value() != answer.text.has_value());
            ++answers;
            return {};
        });
    if (!answered) {
        require(answered.error().where.field.starts_with("line "));
        std::ignore = answered.error().toString();
    }
    std::ignore = et::tasks::parseIds(text);
    const std::string file = written(folder.path() / "texts.jsonl", text).string();
    const auto passages = et::tasks::readPassages({&file, 1}, tokenizer.tokenizer(), size % 3, std::nullopt);
    if (!passages) {
        std::ignore = passages.error().toString();
    }
    return 0;
}

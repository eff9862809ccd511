#include "app/samples/word_tokenizer.h"

#include <array>
#include <cstring>
#include <string>
#include <string_view>

namespace et::samples {
namespace {

constexpr std::array<std::string_view, 41> words{
    " ",     " the",   " a",    " model", " runs", " on",    " small", " device", " and",   " writes", " its",
    " text", " to",    " of",   " token", " in",   " every", " step",  " it",     " reads", " cache",  " row",
    ",",     ".",      " then", " next",  " word", " is",    " by",    " time",   " one",   " with",   " at",
    " head", " layer", " sum",  " fast",  " new",  " old",   " name",  " end"};
constexpr std::int64_t tokenCount = firstWordToken + static_cast<std::int64_t>(words.size());

void append(std::vector<std::byte>& file, const void* data, std::size_t bytes) {
    const std::size_t at = file.size();
    file.resize(at + bytes);
    std::memcpy(file.data() + at, data, bytes);
}

void appendInt(std::vector<std::byte>& file, std::int64_t number) {
    const auto narrow = static_cast<std::int32_t>(number);
    append(file, &narrow, sizeof(narrow));
}

void appendToken(std::vector<std::byte>& file, float score, std::string_view text) {
    append(file, &score, sizeof(score));
    appendInt(file, static_cast<std::int64_t>(text.size()));
    append(file, text.data(), text.size());
}

std::string byteToken(int byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    return std::string("<0x") + digits[static_cast<std::size_t>(byte / 16)] +
           digits[static_cast<std::size_t>(byte % 16)] + ">";
}

}  // namespace

std::vector<std::byte> wordTokenizer() {
    std::vector<std::byte> file;
    for (const std::int64_t number : {tokenCount, bosToken, eosToken, std::int64_t{8}}) {
        appendInt(file, number);
    }
    for (const std::string_view special : {"<unk>", "<s>", "</s>"}) {
        appendToken(file, 0, special);
    }
    for (int byte = 0; byte < 256; ++byte) {
        appendToken(file, 0, byteToken(byte));
    }
    float score = 0;
    for (const std::string_view word : words) {
        appendToken(file, score, word);
        score -= 1;
    }
    return file;
}

}  // namespace et::samples

#include "inspector/tokenizers/detail/unicode.h"

#include "inspector/tokenizers/detail/unicode_changes.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <span>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr char32_t capitalIWithDot = 0x130;

utf8proc_category_t categoryOf(char32_t character) {
    return utf8proc_category(static_cast<utf8proc_int32_t>(character));
}

constexpr std::array chineseBlocks{CodePoints{0x3400, 0x4DBF},   CodePoints{0x4E00, 0x9FFF},
                                   CodePoints{0xF900, 0xFAFF},   CodePoints{0x20000, 0x2A6DF},
                                   CodePoints{0x2A700, 0x2B73F}, CodePoints{0x2B740, 0x2B81F},
                                   CodePoints{0x2B920, 0x2CEAF}, CodePoints{0x2F800, 0x2FA1F}};

/// `ranges` are in order.
bool contains(std::span<const CodePoints> ranges, char32_t character) {
    const auto range = std::ranges::lower_bound(ranges, character, {}, &CodePoints::last);
    return range != ranges.end() && range->first <= character;
}

bool isAscii(std::string_view text) {
    return std::ranges::all_of(text, [](char each) { return static_cast<unsigned char>(each) < 0x80; });
}

utf8proc_option_t optionsOf(NormalForm form) {
    switch (form) {
        case NormalForm::Nfc:
            return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
        case NormalForm::Nfd:
            return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE);
        case NormalForm::Nfkc:
            return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
        case NormalForm::Nfkd:
            return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
    }
    return UTF8PROC_STABLE;
}

Result<> appendNormalized(std::string_view text, NormalForm form, std::string& out) {
    utf8proc_uint8_t* raw = nullptr;
    const utf8proc_ssize_t size =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                     static_cast<utf8proc_ssize_t>(text.size()), &raw, optionsOf(form));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(raw, &std::free);
    if (size < 0) {
        return fail(ErrorCode::Limit, std::string("Unicode normalization: ") + utf8proc_errmsg(size));
    }
    out.append(reinterpret_cast<const char*>(raw), static_cast<std::size_t>(size));
    return {};
}

}  // namespace

Result<std::string> normalized(std::string_view text, NormalForm form) {
    if (isAscii(text)) {
        return std::string(text);
    }
    std::string out;
    std::size_t begin = 0;
    std::size_t at = 0;
    Result<> done;
    eachCharacter(text, [&](char32_t character, std::string_view bytes) {
        // In older tables these have no decomposition and no combining class.
        if (done && (contains(newDecompositions, character) || contains(changedMarks, character))) {
            done = appendNormalized(text.substr(begin, at - begin), form, out);
            out += bytes;
            begin = at + bytes.size();
        }
        at += bytes.size();
    });
    ET_TRY(std::move(done));
    ET_TRY(appendNormalized(text.substr(begin), form, out));
    return out;
}

std::string lowerCase(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    eachCharacter(text, [&](char32_t character, std::string_view bytes) {
        if (character < 0x80) {
            out +=
                static_cast<char>(character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character);
        } else if (character == capitalIWithDot) {
            out += "i\xCC\x87";  // the only character that becomes two
        } else if (const utf8proc_int32_t lower = utf8proc_tolower(static_cast<utf8proc_int32_t>(character));
                   lower != static_cast<utf8proc_int32_t>(character)) {
            appendUtf8(static_cast<char32_t>(lower), out);
        } else {
            out += bytes;
        }
    });
    return out;
}

bool isWhiteSpace(char32_t character) {
    switch (character) {
        case 0x20:
        case 0x85:
        case 0xA0:
        case 0x1680:
        case 0x2028:
        case 0x2029:
        case 0x202F:
        case 0x205F:
        case 0x3000:
            return true;
        default:
            return (character >= 0x09 && character <= 0x0D) || (character >= 0x2000 && character <= 0x200A);
    }
}

bool isPunctuation(char32_t character) {
    if (character < 0x80) {
        return (character >= 0x21 && character <= 0x2F) || (character >= 0x3A && character <= 0x40) ||
               (character >= 0x5B && character <= 0x60) || (character >= 0x7B && character <= 0x7E);
    }
    const utf8proc_category_t category = categoryOf(character);
    const bool is = category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
    return is != contains(changedPunctuation, character);
}

bool isNumeric(char32_t character) {
    const utf8proc_category_t category = categoryOf(character);
    return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

bool isNonspacingMark(char32_t character) {
    return (categoryOf(character) == UTF8PROC_CATEGORY_MN) != contains(changedNonspacingMarks, character);
}

bool isMark(char32_t character) {
    const utf8proc_category_t category = categoryOf(character);
    const bool is = category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
    return is != contains(changedMarks, character);
}

bool isControl(char32_t character) {
    const utf8proc_category_t category = categoryOf(character);
    const bool other = (category >= UTF8PROC_CATEGORY_CC) != contains(changedControls, character);
    return other && character != '\t' && character != '\n' && character != '\r';
}

bool isChinese(char32_t character) {
    return contains(chineseBlocks, character);
}

void appendUtf8(char32_t character, std::string& out) {
    std::array<utf8proc_uint8_t, 4> bytes{};
    const utf8proc_ssize_t size =
        utf8proc_encode_char(static_cast<utf8proc_int32_t>(character), bytes.data());
    out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(size));
}

std::size_t graphemeLength(std::string_view text) {
    std::size_t length = 0;
    utf8proc_int32_t state = 0;
    std::optional<char32_t> previous;
    while (length < text.size()) {
        const std::size_t size = std::max<std::size_t>(1, core::utf8SequenceLength(text.substr(length)));
        const char32_t character = core::utf8Decode(text.substr(length, size));
        if (previous && utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(*previous),
                                                         static_cast<utf8proc_int32_t>(character), &state)) {
            break;
        }
        previous = character;
        length += size;
    }
    return length;
}

}  // namespace et::inspector::tokenizers::detail

#include "inspector/tokenizers/detail/utf8_stream.h"

#include "runtime/core/utf8.h"

#include <algorithm>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

/// Number of bytes at the start of `text` that could begin a character, if none is complete; at least 1.
std::size_t brokenStart(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = at(0);
    const std::size_t length = lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : 4;
    if (lead < 0xC2 || lead > 0xF4) {
        return 1;
    }
    std::size_t used = 1;
    for (; used < length && used < text.size(); ++used) {
        unsigned char low = 0x80;
        unsigned char high = 0xBF;
        if (used == 1) {  // excludes overlong forms, surrogates and values above U+10FFFF
            low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : low;
            high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : high;
        }
        if (at(used) < low || at(used) > high) {
            break;
        }
    }
    return used;
}

/// Appends the converted prefix of `text` and returns its size. With `last`, converts all of it.
std::size_t convert(std::string_view text, Replace rule, bool last, std::string& out) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::string_view rest = text.substr(at);
        if (const std::size_t length = core::utf8SequenceLength(rest); length != 0) {
            out += rest.substr(0, length);
            at += length;
            continue;
        }
        const std::size_t broken = brokenStart(rest);
        const bool mayGoOn = broken == rest.size() && static_cast<unsigned char>(rest[0]) >= 0xC2 &&
                             static_cast<unsigned char>(rest[0]) <= 0xF4;
        if (mayGoOn && !last) {
            break;
        }
        const std::size_t taken = rule == Replace::Bytes ? 1 : broken;
        out += replacementCharacter;
        at += taken;
    }
    return at;
}

}  // namespace

std::string Utf8Stream::push(std::string_view bytes) {
    waiting += bytes;
    std::string out;
    waiting.erase(0, convert(waiting, rule, false, out));
    return out;
}

std::string Utf8Stream::flush() {
    return utf8Lossy(std::exchange(waiting, {}), rule);
}

std::string utf8Lossy(std::string_view bytes, Replace rule) {
    std::string out;
    out.reserve(bytes.size());
    convert(bytes, rule, true, out);
    return out;
}

}  // namespace et::inspector::tokenizers::detail

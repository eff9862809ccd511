#include "backends/payload_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

namespace et::backends {
namespace {

std::string_view characters(core::Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Reads the number at `at`, which must be in bounds. Formats are little-endian, like all target machines.
template <class T>
T number(core::Bytes bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

constexpr std::size_t markAt = 4;
constexpr std::size_t markSize = 4;
constexpr std::size_t noFlatbuffer = 0;

/// Longer names are not searched for; the exporter's names are hashes or paths of weights.
constexpr std::size_t longestName = 256;

/// A header or identifier that only one compiler writes.
struct KnownMark {
    std::string_view mark;
    std::size_t at;  ///< position in the payload
    std::string_view text;
    std::size_t flatbufferOffsetAt;  ///< position in the header of the flatbuffer's offset (32 bits)
    std::size_t flatbufferAt;        ///< offset of the flatbuffer if the header does not contain it
};

// XNNPACK and Vulkan share a layout: mark, length (16 bits), then offset and size of the flatbuffer and of
// the constants. The headers of MPS and MLX are 24 bytes long. QNN's mark is a number, 0x5678ABCD.
constexpr std::array knownMarks = std::to_array<KnownMark>({
    {"XH00", markAt, "XNNPACK header", 10, noFlatbuffer},
    {"VH00", markAt, "Vulkan header", 10, noFlatbuffer},
    {"MP00", markAt, "MPS header", noFlatbuffer, 24},
    {"MLX0", markAt, "MLX header", noFlatbuffer, 24},
    {"TOSA", markAt, "TOSA flatbuffer", noFlatbuffer, noFlatbuffer},
    {"NPTG", markAt, "native backend's flatbuffer", noFlatbuffer, noFlatbuffer},
    {"ET12", markAt, "ExecuTorch program", noFlatbuffer, noFlatbuffer},
    {"XN00", markAt, "XNNPACK flatbuffer", noFlatbuffer, noFlatbuffer},
    {"XN01", markAt, "XNNPACK flatbuffer", noFlatbuffer, noFlatbuffer},
    {"vela_bin_stream", 0, "Ethos-U command stream", noFlatbuffer, noFlatbuffer},
    {"\xCD\xAB\x78\x56", 0, "QNN context binary", noFlatbuffer, noFlatbuffer},
    {"TR01", 0, "TensorRT engine", noFlatbuffer, noFlatbuffer},
    {"VGF1", 0, "VGF", noFlatbuffer, noFlatbuffer},
    {"\xC3\xD2\xE1\xF0", 0, "VGF", noFlatbuffer, noFlatbuffer},
});

bool hasMark(core::Bytes payload, std::string_view mark, std::size_t at) {
    return payload.size() >= at + mark.size() && characters(payload).substr(at, mark.size()) == mark;
}

/// The identifier of a flatbuffer at `at`; empty if there is none.
std::string_view flatbufferMark(core::Bytes payload, std::size_t at) {
    if (at > payload.size() || payload.size() - at < markAt + markSize) {
        return {};
    }
    const auto root = number<std::uint32_t>(payload, at);
    const std::string_view mark = characters(payload).substr(at + markAt, markSize);
    const bool printable = std::ranges::all_of(mark, [](char letter) {
        return (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z');
    });
    return root >= markAt + markSize && root < payload.size() - at && printable ? mark : std::string_view{};
}

std::string describeMark(core::Bytes payload, const KnownMark& known) {
    std::size_t at = known.flatbufferAt;
    if (known.flatbufferOffsetAt != 0 && payload.size() >= known.flatbufferOffsetAt + sizeof(std::uint32_t)) {
        at = number<std::uint32_t>(payload, known.flatbufferOffsetAt);
    }
    const std::string_view inner = at == noFlatbuffer ? std::string_view{} : flatbufferMark(payload, at);
    return inner.empty() ? std::string(known.text) : fmt::format("{}, flatbuffer {}", known.text, inner);
}

}  // namespace

PayloadFormat payloadFormat(core::Bytes payload) {
    for (const KnownMark& known : knownMarks) {
        if (hasMark(payload, known.mark, known.at)) {
            const auto text = asText(payload.subspan(known.at, known.mark.size()));
            return {.mark = std::string(text.value_or("")), .text = describeMark(payload, known)};
        }
    }
    if (const std::string_view mark = flatbufferMark(payload, 0); !mark.empty()) {
        return {.mark = std::string(mark), .text = fmt::format("flatbuffer {}", mark)};
    }
    if (payload.empty()) {
        return {.mark = {}, .text = "empty"};
    }
    return {.mark = {}, .text = asText(payload) ? "text" : "unknown"};
}

std::optional<std::string_view> asText(core::Bytes bytes) {
    std::string_view text = characters(bytes);
    text.remove_suffix(text.ends_with('\0') ? 1 : 0);
    const bool printable = std::ranges::all_of(text, [](char letter) {
        return (letter >= ' ' && letter <= '~') || letter == '\n' || letter == '\t';
    });
    return printable && (!text.empty() || bytes.empty()) ? std::optional(text) : std::nullopt;
}

std::string hexText(core::Bytes bytes, std::size_t max) {
    std::string text;
    for (const std::byte each : bytes.first(std::min(max, bytes.size()))) {
        text += fmt::format("{:02x}", static_cast<unsigned>(each));
    }
    return bytes.size() > max ? text + "…" : text;
}

std::vector<std::size_t> namesIn(core::Bytes payload, std::span<const std::string_view> names) {
    std::unordered_map<std::string_view, std::size_t> wanted;
    std::unordered_set<std::size_t> lengths;
    std::size_t shortest = longestName;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!names[i].empty() && names[i].size() <= longestName) {
            wanted.try_emplace(names[i], i);
            lengths.insert(names[i].size());
            shortest = std::min(shortest, names[i].size());
            longest = std::max(longest, names[i].size());
        }
    }
    std::vector<std::size_t> found;
    const std::string_view text = characters(payload);
    for (std::size_t at = 0; !wanted.empty() && at + sizeof(std::uint32_t) + shortest < payload.size();
         ++at) {
        const auto length = number<std::uint32_t>(payload, at);
        if (length < shortest || length > longest || !lengths.contains(length)) {
            continue;
        }
        const std::size_t start = at + sizeof(std::uint32_t);
        if (length < text.size() - start && text[start + length] == '\0') {
            if (const auto name = wanted.find(text.substr(start, length)); name != wanted.end()) {
                found.push_back(name->second);
                wanted.erase(name);
            }
        }
    }
    std::ranges::sort(found);
    return found;
}

}  // namespace et::backends

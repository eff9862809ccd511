#include "tests/fuzz/support/mutate_tokenizer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace et::fuzz {
namespace {

using Random = std::mt19937_64;

std::size_t below(std::size_t count, Random& random) {
    return static_cast<std::size_t>(random() % count);
}

/// Removes, repeats, moves or swaps an element; returns whether it did.
template <class T>
bool changeOrder(std::vector<T>& list, Random& random) {
    if (list.empty()) {
        return false;
    }
    const auto at = list.begin() + static_cast<std::ptrdiff_t>(below(list.size(), random));
    const std::size_t other = below(list.size(), random);
    switch (random() % 3) {
        case 0:
            list.erase(at);
            return true;
        case 1:
            list.insert(at, T(list[other]));
            return true;
        default:
            std::iter_swap(at, list.begin() + static_cast<std::ptrdiff_t>(other));
            return true;
    }
}

void changeBytes(std::string& text, Random& random) {
    static constexpr std::array<std::string_view, 10> known{
        "\xE2\x96\x81", "<0x0A>", "<s>",     " ", "\xFF", "\xF0\x9F\xA4\x97", std::string_view("\0", 1),
        "<unk>",        "a",      "\xC3\xA9"};
    const std::size_t at = below(text.size() + 1, random);
    switch (random() % 6) {
        case 0:
            text.resize(at);
            return;
        case 1:
            text.insert(at, known[below(known.size(), random)]);
            return;
        case 2:
            text += text.substr(at);
            return;
        case 3:
            text = known[below(known.size(), random)];
            return;
        case 4:
            text.erase(at, 1);
            return;
        default:
            if (at < text.size()) {
                text[at] = static_cast<char>(random());
            }
    }
}

std::uint64_t specialNumber(std::uint64_t before, Random& random) {
    static constexpr std::array<std::uint64_t, 12> numbers{
        0, 1, 2, 3, 4, 5, 6, 7, 255, std::uint64_t{1} << 31, UINT64_MAX, std::uint64_t{1} << 63};
    return random() % 2 == 0 ? numbers[below(numbers.size(), random)] : before + (random() % 5) - 2;
}

// Protocol buffers.

struct Field {
    std::uint64_t number = 0;
    unsigned kind = 0;  ///< 0: varint, 1: eight bytes, 2: length-delimited, 5: four bytes
    std::uint64_t integer = 0;
    std::string bytes;
};

std::optional<std::uint64_t> takeVarint(std::string_view& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes[0]);
        bytes.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if ((byte & 0x80) == 0) {
            return value;
        }
    }
    return std::nullopt;
}

std::optional<std::vector<Field>> fieldsOf(std::string_view bytes) {
    std::vector<Field> fields;
    while (!bytes.empty()) {
        const auto tag = takeVarint(bytes);
        if (!tag) {
            return std::nullopt;
        }
        Field field{.number = *tag >> 3, .kind = static_cast<unsigned>(*tag & 7), .integer = 0, .bytes = {}};
        std::optional<std::uint64_t> size = field.kind == 1 ? 8 : 4;
        if (field.kind == 0 || field.kind == 2) {
            size = takeVarint(bytes);
        } else if (field.kind != 1 && field.kind != 5) {
            return std::nullopt;
        }
        if (!size || (field.kind != 0 && *size > bytes.size())) {
            return std::nullopt;
        }
        if (field.kind == 0) {
            field.integer = *size;
        } else {
            field.bytes = bytes.substr(0, *size);
            bytes.remove_prefix(*size);
        }
        fields.push_back(std::move(field));
    }
    return fields;
}

void appendVarint(std::uint64_t value, std::string& out) {
    for (; value >= 0x80; value >>= 7) {
        out += static_cast<char>(value | 0x80);
    }
    out += static_cast<char>(value);
}

std::string messageOf(const std::vector<Field>& fields) {
    std::string out;
    for (const Field& field : fields) {
        appendVarint((field.number << 3) | field.kind, out);
        if (field.kind == 0) {
            appendVarint(field.integer, out);
            continue;
        }
        if (field.kind == 2) {
            appendVarint(field.bytes.size(), out);
        }
        out += field.bytes;
    }
    return out;
}

void changeField(Field& field, Random& random, int depth);

void changeFields(std::vector<Field>& fields, Random& random, int depth) {
    if (fields.empty() || random() % 12 == 0) {
        fields.push_back({.number = 1 + (random() % 50), .kind = 0, .integer = random() % 8, .bytes = {}});
        return;
    }
    if (random() % 5 == 0) {
        changeOrder(fields, random);
        return;
    }
    // The settings come last, and are few compared with the pieces.
    const std::size_t at = random() % 2 == 0
                               ? below(fields.size(), random)
                               : fields.size() - 1 - below(std::min<std::size_t>(3, fields.size()), random);
    changeField(fields[at], random, depth);
}

void changeField(Field& field, Random& random, int depth) {
    if (random() % 16 == 0) {
        field.number = specialNumber(field.number, random) & 0xFFFF;
        return;
    }
    if (field.kind == 0) {
        field.integer = specialNumber(field.integer, random);
        return;
    }
    if (field.kind == 2 && depth < 2 && random() % 8 != 0) {
        if (auto inner = fieldsOf(field.bytes); inner && !field.bytes.empty()) {
            changeFields(*inner, random, depth + 1);
            field.bytes = messageOf(*inner);
            return;
        }
    }
    const std::size_t size = field.bytes.size();
    changeBytes(field.bytes, random);
    if (field.kind != 2) {
        field.bytes.resize(size);
    }
}

// Base64.

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64Of(std::string_view bytes) {
    std::string out;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::string_view group = bytes.substr(at, 3);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            bits = (bits << 8) | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            out += i <= group.size() ? letters[(bits >> (18 - (6 * i))) & 63] : '=';
        }
    }
    return out;
}

std::string bytesOf(std::string_view base64) {
    std::string out;
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char letter : base64) {
        const std::size_t value = letters.find(letter);
        if (value == std::string_view::npos) {
            break;
        }
        bits = (bits << 6) | static_cast<std::uint32_t>(value);
        count += 6;
        if (count >= 8) {
            count -= 8;
            out += static_cast<char>(bits >> count);
        }
    }
    return out;
}

struct Record {
    std::string token;
    std::uint32_t number = 0;  ///< a rank, or the bits of a score
};

void changeRecord(Record& record, Random& random) {
    if (random() % 2 == 0) {
        changeBytes(record.token, random);
    } else {
        record.number = static_cast<std::uint32_t>(specialNumber(record.number, random));
    }
}

void changeRecords(std::vector<Record>& records, Random& random) {
    if (records.empty() || random() % 8 == 0) {
        records.push_back({.token = "ab", .number = static_cast<std::uint32_t>(records.size())});
    } else if (random() % 3 == 0) {
        changeOrder(records, random);
    } else {
        changeRecord(records[below(records.size(), random)], random);
    }
}

template <class T>
T takeNumber(std::string_view& bytes) {
    std::array<char, sizeof(T)> raw{};
    bytes.remove_prefix(bytes.copy(raw.data(), raw.size()));
    return std::bit_cast<T>(raw);
}

template <class T>
void appendNumber(T value, std::string& out) {
    const auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    out.append(bytes.data(), bytes.size());
}

}  // namespace

std::string mutateMessage(std::string_view bytes, Random& random) {
    auto fields = fieldsOf(bytes);
    if (!fields) {
        return {};
    }
    changeFields(*fields, random, 0);
    return messageOf(*fields);
}

std::string mutateRanks(std::string_view bytes, Random& random) {
    std::vector<Record> records;
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        const std::string_view line = bytes.substr(0, end);
        bytes.remove_prefix(std::min(bytes.size(), end + 1));
        const std::size_t space = std::min(line.find(' '), line.size());
        Record record{.token = bytesOf(line.substr(0, space)), .number = 0};
        const std::string_view digits = line.substr(std::min(space + 1, line.size()));
        std::from_chars(digits.data(), digits.data() + digits.size(), record.number);
        records.push_back(std::move(record));
    }
    changeRecords(records, random);
    const bool dense = random() % 2 == 0;  // ranks stay valid, whatever was changed
    std::string out;
    for (std::size_t i = 0; i < records.size(); ++i) {
        out += base64Of(records[i].token) + " " + std::to_string(dense ? i : records[i].number) + "\n";
    }
    return out;
}

std::string mutateRecords(std::string_view bytes, Random& random) {
    std::array<std::int32_t, 4> header{};
    if (bytes.size() < sizeof header) {
        return {};
    }
    for (std::int32_t& number : header) {
        number = takeNumber<std::int32_t>(bytes);
    }
    std::vector<Record> records;
    while (!bytes.empty()) {
        Record record{.token = {}, .number = takeNumber<std::uint32_t>(bytes)};
        const std::size_t size = std::min<std::size_t>(takeNumber<std::uint32_t>(bytes), bytes.size());
        record.token = bytes.substr(0, size);
        bytes.remove_prefix(size);
        records.push_back(std::move(record));
    }
    const auto before = static_cast<std::int32_t>(records.size());
    if (random() % 8 == 0) {
        std::int32_t& number = header[below(header.size(), random)];
        number = static_cast<std::int32_t>(specialNumber(static_cast<std::uint64_t>(number), random));
    } else {
        changeRecords(records, random);
    }
    if (header[0] == before) {
        header[0] = static_cast<std::int32_t>(records.size());
    }
    std::string out;
    for (const std::int32_t number : header) {
        appendNumber(number, out);
    }
    for (const Record& record : records) {
        appendNumber(record.number, out);
        appendNumber(static_cast<std::uint32_t>(record.token.size()), out);
        out += record.token;
    }
    return out;
}

}  // namespace et::fuzz

#pragma once

#include "runtime/core/byte_reader.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Encoding of messages: little-endian integers, byte blocks prefixed by their length in 8 bytes, lists
// prefixed by their count in 4.
namespace et::wire {

/// Writes a message.
class Encoder {
  public:
    template <std::integral T>
    Encoder& add(T number) {
        if constexpr (std::endian::native == std::endian::big) {
            number = std::byteswap(number);
        }
        const auto raw = std::as_bytes(std::span(&number, 1));
        bytes.insert(bytes.end(), raw.begin(), raw.end());
        return *this;
    }
    Encoder& add(double number) { return add(std::bit_cast<std::uint64_t>(number)); }
    Encoder& add(bool truth) { return add(static_cast<std::uint8_t>(truth ? 1 : 0)); }
    Encoder& block(core::Bytes content) {
        add(std::uint64_t{content.size()});
        bytes.insert(bytes.end(), content.begin(), content.end());
        return *this;
    }
    Encoder& text(std::string_view content) { return block(std::as_bytes(std::span(content))); }
    template <class List, class Each>
    Encoder& list(const List& items, Each&& each) {
        add(static_cast<std::uint32_t>(std::size(items)));
        for (const auto& item : items) {
            each(*this, item);
        }
        return *this;
    }

    [[nodiscard]] std::size_t size() const { return bytes.size(); }
    [[nodiscard]] core::Bytes view() const { return bytes; }
    [[nodiscard]] std::vector<std::byte> take() { return std::exchange(bytes, {}); }

  private:
    std::vector<std::byte> bytes;
};

/// Reads a message. Errors of all: Format (names the field).
class Decoder {
  public:
    explicit Decoder(core::Bytes message) : reader(message) {}

    template <std::integral T>
    [[nodiscard]] core::Result<T> number(std::string_view field) {
        return reader.read<T>(field);
    }
    [[nodiscard]] core::Result<double> real(std::string_view field);
    /// Accepts only 0 and 1.
    [[nodiscard]] core::Result<bool> truth(std::string_view field);
    /// Reads a number below `count` as T.
    template <class T>
    [[nodiscard]] core::Result<T> choice(std::string_view field, std::uint8_t count) {
        ET_ASSIGN(const auto value, number<std::uint8_t>(field));
        if (value >= count) {
            return badChoice(field, value, count);
        }
        return static_cast<T>(value);
    }
    /// Borrows from the message.
    [[nodiscard]] core::Result<core::Bytes> block(std::string_view field);
    [[nodiscard]] core::Result<std::string_view> text(std::string_view field);
    /// Reads the count of a list whose items have at least `itemBytes` each; checks that the rest can contain
    /// them.
    [[nodiscard]] core::Result<std::uint32_t> count(std::string_view field, std::size_t itemBytes);

    [[nodiscard]] bool atEnd() const { return reader.remaining() == 0; }
    /// Errors: Format (unread bytes remain).
    [[nodiscard]] core::Result<> end() const;

  private:
    static std::unexpected<core::Error> badChoice(std::string_view field, unsigned value, unsigned count);

    core::ByteReader reader;
};

}  // namespace et::wire

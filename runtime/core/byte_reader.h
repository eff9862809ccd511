#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <bit>
#include <concepts>
#include <cstring>
#include <string_view>

namespace et::core {

/// Bounds-checked little-endian reads from a byte range. Every read names its field for error messages.
/// `base` is the offset of `bytes` in the file named in errors.
class ByteReader {
  public:
    explicit ByteReader(Bytes all, std::uint64_t base = 0) : bytes(all), origin(base) {}

    [[nodiscard]] std::size_t position() const { return at; }
    [[nodiscard]] std::size_t remaining() const { return bytes.size() - at; }

    /// Moves to `offset` (at most the size). Errors: Format.
    [[nodiscard]] Result<> seek(std::uint64_t offset, std::string_view field);

    /// Returns the next `size` bytes. Errors: Format if fewer are left.
    [[nodiscard]] Result<Bytes> take(std::uint64_t size, std::string_view field);

    template <std::integral T>
    [[nodiscard]] Result<T> read(std::string_view field) {
        ET_ASSIGN(const Bytes raw, take(sizeof(T), field));
        T value{};
        std::memcpy(&value, raw.data(), sizeof(T));
        if constexpr (std::endian::native == std::endian::big) {
            value = std::byteswap(value);
        }
        return value;
    }

  private:
    Bytes bytes;
    std::uint64_t origin;
    std::size_t at = 0;
};

}  // namespace et::core

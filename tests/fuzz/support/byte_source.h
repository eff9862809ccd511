#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace et::fuzz {

/// Derives choices from the fuzzer's bytes, in order. After the end all are 0.
class ByteSource {
  public:
    ByteSource(const std::uint8_t* data, std::size_t size) : left(std::as_bytes(std::span(data, size))) {}

    template <class T>
    T take() {
        T value{};
        const std::span<const std::byte> bytes = bytesOf(sizeof(T));
        std::memcpy(&value, bytes.data(), bytes.size());
        return value;
    }
    /// `count` must not be 0.
    std::size_t below(std::size_t count) { return take<std::uint16_t>() % count; }
    bool oneIn(std::size_t count) { return below(count) == 0; }
    template <class T, std::size_t count>
    const T& oneOf(const T (&values)[count]) {
        return values[below(count)];
    }
    /// Returns fewer bytes at the end.
    std::span<const std::byte> bytesOf(std::size_t count) {
        const auto taken = left.first(std::min(count, left.size()));
        left = left.subspan(taken.size());
        return taken;
    }
    std::string_view text(std::size_t longest) {
        const auto bytes = bytesOf(below(longest + 1));
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    std::span<const std::byte> rest() { return bytesOf(left.size()); }
    [[nodiscard]] bool empty() const { return left.empty(); }

  private:
    std::span<const std::byte> left;
};

/// Traps if an invariant does not hold, so that the fuzzer keeps the input.
inline void require(bool holds) {
    if (!holds) {
        __builtin_trap();
    }
}

}  // namespace et::fuzz

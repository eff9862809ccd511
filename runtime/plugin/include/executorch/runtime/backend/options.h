#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/span.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <variant>

namespace executorch::runtime {

static constexpr size_t kMaxOptionKeyLength = 64;
static constexpr size_t kMaxOptionValueLength = 256;

using OptionValue = std::variant<bool, int, std::array<char, kMaxOptionValueLength>>;

struct BackendOption {
    char key[kMaxOptionKeyLength]{};
    OptionValue value;
};

namespace internal {

/// Errors: NotFound, InvalidArgument (a value of another type).
template <typename T>
Error option_value(Span<const BackendOption> options, const char* key, T& out) {
    for (const BackendOption& option : options) {
        if (std::strcmp(option.key, key) != 0) {
            continue;
        }
        if constexpr (std::is_same_v<T, const char*>) {
            if (const auto* text = std::get_if<std::array<char, kMaxOptionValueLength>>(&option.value)) {
                out = text->data();
                return Error::Ok;
            }
        } else if (const T* value = std::get_if<T>(&option.value)) {
            out = *value;
            return Error::Ok;
        }
        return Error::InvalidArgument;
    }
    return Error::NotFound;
}

}  // namespace internal

/// Up to MaxCapacity options.
template <size_t MaxCapacity>
class BackendOptions {
  public:
    Span<BackendOption> view() { return {options, count}; }

    template <size_t N>
    Error set_option(const char (&key)[N], bool value) noexcept {
        static_assert(N <= kMaxOptionKeyLength, "the key is too long");
        return set(key, value);
    }
    template <size_t N>
    Error set_option(const char (&key)[N], int value) noexcept {
        static_assert(N <= kMaxOptionKeyLength, "the key is too long");
        return set(key, value);
    }
    template <size_t N>
    Error set_option(const char (&key)[N], const char* value) noexcept {
        static_assert(N <= kMaxOptionKeyLength, "the key is too long");
        std::array<char, kMaxOptionValueLength> text{};
        std::strncpy(text.data(), value, text.size() - 1);
        return set(key, text);
    }
    template <typename T, size_t N>
    Error get_option(const char (&key)[N], T& out) const {
        static_assert(N <= kMaxOptionKeyLength, "the key is too long");
        return internal::option_value(Span<const BackendOption>(options, count), key, out);
    }

  private:
    Error set(const char* key, OptionValue value) {
        size_t at = 0;
        while (at < count && std::strcmp(options[at].key, key) != 0) {
            ++at;
        }
        if (at == MaxCapacity) {
            return Error::InvalidArgument;
        }
        if (at == count) {
            std::strncpy(options[at].key, key, kMaxOptionKeyLength - 1);
            ++count;
        }
        options[at].value = value;
        return Error::Ok;
    }

    BackendOption options[MaxCapacity]{};
    size_t count = 0;
};

}  // namespace executorch::runtime

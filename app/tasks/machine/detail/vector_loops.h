#pragma once

#include <cstddef>

// Loops over vectors of any width. Each file that includes this is compiled for another set of instructions,
// so everything is its own: an unnamed namespace, on purpose.
namespace et::app::detail {
namespace {  // NOLINT(cert-dcl59-cpp,google-build-namespaces)

/// Hides from the compiler what a register has, so that it computes again what it cannot know.
template <class V>
[[gnu::always_inline]] inline void hide(V& value) {
#if defined(__x86_64__)
    asm volatile("" : "+v"(value));
#elif defined(__aarch64__)
    asm volatile("" : "+w"(value));
#else
    asm volatile("" : "+m"(value));
#endif
}

/// Sums that do not wait for each other, each one multiplication and addition a pass. `V`: a vector.
template <class V, std::size_t sums>
void multiplyAdd(std::size_t passes) {
    V factor = V{} + 1;
    V addend = V{} + 1;
    hide(factor);
    hide(addend);
    V sum[sums];
    for (V& each : sum) {
        each = V{};
        hide(each);
    }
    for (std::size_t pass = 0; pass < passes; ++pass) {
#pragma GCC unroll 32
        for (V& each : sum) {
            each = each * factor + addend;
        }
    }
    for (V& each : sum) {
        hide(each);
    }
}

/// `Vector`: of integers; (GCC drops a vector_size that depends on a parameter.)
template <class Vector>
struct Streams {
    static constexpr std::size_t unroll = 8;

    static void read(const char* from, std::size_t bytes) {
        const auto* at = reinterpret_cast<const Vector*>(from);
        const auto* const end = reinterpret_cast<const Vector*>(from + bytes);
        Vector seen[unroll] = {};
        for (; at != end; at += unroll) {
#pragma GCC unroll 8
            for (std::size_t i = 0; i < unroll; ++i) {
                seen[i] ^= at[i];
            }
        }
        for (Vector& each : seen) {
            hide(each);
        }
    }

    static void copy(char* to, const char* from, std::size_t bytes) {
        auto* out = reinterpret_cast<Vector*>(to);
        const auto* at = reinterpret_cast<const Vector*>(from);
        const auto* const end = reinterpret_cast<const Vector*>(from + bytes);
        for (; at != end; at += unroll, out += unroll) {
#pragma GCC unroll 8
            for (std::size_t i = 0; i < unroll; ++i) {
                Vector value = at[i];
                hide(value);  // else this is a call of memcpy
                out[i] = value;
            }
        }
    }

    static void add(char* to, const char* first, const char* second, std::size_t bytes) {
        auto* out = reinterpret_cast<Vector*>(to);
        const auto* one = reinterpret_cast<const Vector*>(first);
        const auto* two = reinterpret_cast<const Vector*>(second);
        const auto* const end = reinterpret_cast<const Vector*>(first + bytes);
        for (; one != end; one += unroll, two += unroll, out += unroll) {
#pragma GCC unroll 8
            for (std::size_t i = 0; i < unroll; ++i) {
                out[i] = one[i] + two[i];
            }
        }
    }
};

}  // namespace
}  // namespace et::app::detail

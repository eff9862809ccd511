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

/// Hides each of `values`. Unrolled: a loop over them would need addresses, so that they lived in memory, not
/// in registers.
template <class V, std::size_t count>
[[gnu::always_inline]] inline void hideAll(V (&values)[count]) {
#pragma GCC unroll 32
    for (V& each : values) {
        hide(each);
    }
}

/// Sums that do not wait for each other, each one multiplication and addition a pass. `V`: a vector.
template <class V, std::size_t sums>
void multiplyAdd(std::size_t passes) {
    V factor = V{} + 1;
    V addend = V{} + 1;
    hide(factor);
    hide(addend);
    V sum[sums];
#pragma GCC unroll 32
    for (V& each : sum) {
        each = V{};
    }
    hideAll(sum);
    for (std::size_t pass = 0; pass < passes; ++pass) {
#pragma GCC unroll 32
        for (V& each : sum) {
            each = each * factor + addend;
        }
    }
    hideAll(sum);
}

/// Products of bytes by an instruction that sums some of them up: Dot::plus(sum, first, second), with
/// operands of Dot::ones(). Sums do not wait for each other.
template <class Dot, std::size_t sums>
void sumProducts(std::size_t passes) {
    auto first = Dot::ones();
    auto second = Dot::ones();
    hide(first);
    hide(second);
    typename Dot::Sum sum[sums];
#pragma GCC unroll 32
    for (auto& each : sum) {
        each = typename Dot::Sum{};
    }
    hideAll(sum);  // else all are known to be the same, and one is computed for many
    for (std::size_t pass = 0; pass < passes; ++pass) {
#pragma GCC unroll 32
        for (auto& each : sum) {
            each = Dot::plus(each, first, second);
        }
    }
    hideAll(sum);
}

/// Products of bytes without instructions that sum up four: pairs to 16 bits, pairs of these to 32. `Bytes`
/// has the instructions. Sums, factors and what is between stay in registers: `firsts` x `seconds` + `firsts`
/// + `seconds` + 2 of them.
template <class Bytes, std::size_t firsts, std::size_t seconds>
void multiplyBytes(std::size_t passes) {
    using V = typename Bytes::Vector;
    V ones = Bytes::words(1);
    hide(ones);
    V first[firsts];
    V second[seconds];
    V sum[firsts * seconds];
#pragma GCC unroll 4
    for (V& each : first) {
        each = Bytes::bytes(1);
    }
#pragma GCC unroll 4
    for (V& each : second) {
        each = Bytes::bytes(1);
    }
#pragma GCC unroll 16
    for (V& each : sum) {
        each = V{};
    }
    for (std::size_t pass = 0; pass < passes; ++pass) {
#pragma GCC unroll 4
        for (std::size_t i = 0; i < firsts; ++i) {
            hide(first[i]);
#pragma GCC unroll 4
            for (std::size_t j = 0; j < seconds; ++j) {
                hide(second[j]);
                V& to = sum[i * seconds + j];
                to = Bytes::plus(to, Bytes::pairsOfWords(Bytes::pairsOfBytes(first[i], second[j]), ones));
            }
        }
    }
    hideAll(sum);
}

/// `Vector`: of integers; (GCC drops a vector_size that depends on a parameter.) All passes are one loop
/// without a branch at the end of the arrays: for a few kilobytes, whether that one is foreseen would decide
/// what is measured. Finding the next place takes about six cycles, which a step has to be longer than.
template <class Vector>
struct Streams {
    static constexpr std::size_t unroll = 16;
    static constexpr std::size_t sums = 8;
    static constexpr std::size_t step = unroll * sizeof(Vector);

    static void read(const char* from, std::size_t bytes, std::size_t passes) {
        Vector seen[sums] = {};
        for (std::size_t left = passes * (bytes / step), offset = 0; left != 0; --left) {
            const auto* const at = reinterpret_cast<const Vector*>(from + offset);
#pragma GCC unroll 16
            for (std::size_t i = 0; i < unroll; ++i) {
                seen[i % sums] ^= at[i];
            }
            offset = following(offset, bytes);
        }
        hideAll(seen);
    }

    static void copy(char* to, const char* from, std::size_t bytes, std::size_t passes) {
        for (std::size_t left = passes * (bytes / step), offset = 0; left != 0; --left) {
            auto* const out = reinterpret_cast<Vector*>(to + offset);
            const auto* const at = reinterpret_cast<const Vector*>(from + offset);
#pragma GCC unroll 16
            for (std::size_t i = 0; i < unroll; ++i) {
                Vector value = at[i];
                hide(value);  // else this is a call of memcpy
                out[i] = value;
            }
            offset = following(offset, bytes);
        }
    }

    static void add(char* to, const char* first, const char* second, std::size_t bytes, std::size_t passes) {
        for (std::size_t left = passes * (bytes / step), offset = 0; left != 0; --left) {
            auto* const out = reinterpret_cast<Vector*>(to + offset);
            const auto* const one = reinterpret_cast<const Vector*>(first + offset);
            const auto* const two = reinterpret_cast<const Vector*>(second + offset);
#pragma GCC unroll 16
            for (std::size_t i = 0; i < unroll; ++i) {
                out[i] = one[i] + two[i];
            }
            offset = following(offset, bytes);
        }
    }

  private:
    /// The next step's place: the start again after the last.
    static std::size_t following(std::size_t offset, std::size_t bytes) {
        offset += step;
        return offset & (std::size_t{0} - static_cast<std::size_t>(offset != bytes));
    }
};

}  // namespace
}  // namespace et::app::detail

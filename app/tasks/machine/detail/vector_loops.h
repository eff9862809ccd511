#pragma once

#include <cstddef>

// Loops over vectors of any width. Each file that includes this is compiled for a different instruction set,
// so everything is in an unnamed namespace on purpose.
namespace et::tasks::machine::detail {
namespace {  // NOLINT(cert-dcl59-cpp,google-build-namespaces)

/// Hides a register's value from the compiler, so that it cannot reuse an earlier result.
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

/// Hides each of `values`. Unrolled: a loop would need their addresses and force them from registers to
/// memory.
template <class V, std::size_t count>
[[gnu::always_inline]] inline void hideAll(V (&values)[count]) {
#pragma GCC unroll 32
    for (V& each : values) {
        hide(each);
    }
}

/// Independent sums, each with one multiply and one add per pass. `V`: a vector.
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

/// Byte products by an instruction that also sums groups of them: Dot::plus(sum, first, second), with
/// operands of Dot::ones(). The sums are independent.
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
    hideAll(sum);  // otherwise the sums are provably equal, and only one is computed
    for (std::size_t pass = 0; pass < passes; ++pass) {
#pragma GCC unroll 32
        for (auto& each : sum) {
            each = Dot::plus(each, first, second);
        }
    }
    hideAll(sum);
}

/// Byte products without an instruction that sums four: pairs are summed to 16 bits, then to 32. `Bytes`
/// provides the instructions. Sums, factors and intermediate values stay in registers: `firsts` x `seconds` +
/// `firsts` + `seconds` + 2 of them.
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

/// `Vector`: an integer vector (GCC drops a vector_size that depends on a parameter). All passes are one loop
/// without a branch at the end of the arrays: for a few kilobytes, branch prediction would dominate the
/// measurement. Computing the next offset takes about six cycles, so a step has to take longer.
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
                hide(value);  // otherwise this becomes a call of memcpy
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
    /// Offset of the next step; wraps to the start after the last.
    static std::size_t following(std::size_t offset, std::size_t bytes) {
        offset += step;
        return offset & (std::size_t{0} - static_cast<std::size_t>(offset != bytes));
    }
};

}  // namespace
}  // namespace et::tasks::machine::detail

#pragma once

namespace c10 {

/// True if the result does not fit `out`.
template <typename A, typename B, typename Out>
inline bool add_overflows(A a, B b, Out* out) {
    return __builtin_add_overflow(a, b, out);
}
template <typename A, typename B, typename Out>
inline bool sub_overflows(A a, B b, Out* out) {
    return __builtin_sub_overflow(a, b, out);
}
template <typename A, typename B, typename Out>
inline bool mul_overflows(A a, B b, Out* out) {
    return __builtin_mul_overflow(a, b, out);
}

}  // namespace c10

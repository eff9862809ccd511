#pragma once

#define C10_LIKELY(expression) (__builtin_expect(static_cast<bool>(expression), 1))
#define C10_UNLIKELY(expression) (__builtin_expect(static_cast<bool>(expression), 0))
#define C10_NODISCARD [[nodiscard]]
#define C10_UNUSED [[maybe_unused]]
#define C10_ALWAYS_INLINE __attribute__((always_inline)) inline
#define C10_NOINLINE __attribute__((noinline))
#define C10_HOST_DEVICE
#define C10_HOST
#define C10_DEVICE
#define C10_API
#define C10_EXPORT
#define C10_RESTRICT __restrict
#define C10_STRINGIZE_IMPL(x) #x
#define C10_STRINGIZE(x) C10_STRINGIZE_IMPL(x)
#define C10_CONCATENATE_IMPL(a, b) a##b
#define C10_CONCATENATE(a, b) C10_CONCATENATE_IMPL(a, b)
#define C10_ANONYMOUS_VARIABLE(name) C10_CONCATENATE(name, __COUNTER__)
#define C10_PRAGMA_(x) _Pragma(#x)
#define C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED(warning) \
    _Pragma("GCC diagnostic push") C10_PRAGMA_(GCC diagnostic ignored warning)
#define C10_DIAGNOSTIC_POP() _Pragma("GCC diagnostic pop")

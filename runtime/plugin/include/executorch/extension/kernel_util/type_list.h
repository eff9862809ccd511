#pragma once

#include <cstddef>

namespace executorch::extension::kernel_util_internal {

template <class... Types>
struct typelist final {
    typelist() = delete;
};

template <class List>
struct size;
template <class... Types>
struct size<typelist<Types...>> {
    static constexpr size_t value = sizeof...(Types);
};

}  // namespace executorch::extension::kernel_util_internal

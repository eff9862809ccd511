#pragma once

#include "runtime/core/tensor.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace et::backends::reference {

/// A dense tensor and the owner of its bytes. Copies share the bytes, which are immutable.
struct ReferenceTensor {
    core::Tensor view;
    std::shared_ptr<const void> owner;
};

/// Run-time value in an exported graph. monostate: None.
struct ReferenceValue {
    using List = std::vector<ReferenceValue>;
    std::variant<std::monostate, ReferenceTensor, std::int64_t, double, bool, std::string, List> content;

    template <class T>
    [[nodiscard]] const T* as() const {
        return std::get_if<T>(&content);
    }
};

}  // namespace et::backends::reference
